#!/bin/sh
# fetch.sh WHO DIR FILE SHA256 REQUIREMENT [PIP OPTION]... - FILE of PyPI's REQUIREMENT, in DIR.
#
# It is fetched unless it is there already, whole. PYTHON=FILE is the Python whose pip is used.
set -eu
who=$1 dir=$2 file=$3 sum=$4 requirement=$5
shift 5
python=${PYTHON:-python3}
fail() {
  echo "aotigen: $who: $*" >&2
  exit 1
}
is_whole() { echo "$sum  $dir/$file" | sha256sum -c --status 2>/dev/null; }
if is_whole; then exit 0; fi
mkdir -p "$dir" build/tmp
TMPDIR=$PWD/build/tmp
export TMPDIR
rm -f "$dir/$file"
if ! "$python" -m pip --version >/dev/null 2>&1; then # Debian has pip apart; venv brings it
  "$python" -m venv "$dir/venv" >"$dir/pip.log" 2>&1 ||
    fail "'$python' has neither pip nor venv: the Debian package python3-venv may be missing"
  python=$dir/venv/bin/python
fi
echo "$requirement --hash=sha256:$sum" >"$dir/requirement"
"$python" -m pip download --disable-pip-version-check -q --no-cache-dir --no-deps "$@" -d "$dir" \
  -r "$dir/requirement" >"$dir/pip.log" 2>&1 || {
  tail -n 5 "$dir/pip.log" >&2
  fail "pip could not download $requirement: is there a network? Without one, put '$file' of PyPI" \
    "into $PWD/$dir/ (its sha256 is $sum)"
}
rm -rf "$dir/venv"
is_whole || fail "'$dir/$file' is not the file that was expected: its sha256 is not $sum"
