#!/bin/sh
# nvtx.sh - build/nvtx/include/nvtx3: NVIDIA's NVTX, headers of C that PyPI has. Debian has them
# without those of the memory API.
set -eu
cd "$(dirname "$0")/../.."
name=nvidia_nvtx-13.5.25
file=$name-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl
dir=build/nvtx
sum=f72f21bd338c531afb3f802d03c569e9f7c324739ac332c672a431734d0b5c41

if [ ! -e "$dir/$file" ]; then
  echo "aotigen: fetching the headers of NVTX from PyPI (150 kB)"
fi
t/setup/fetch.sh nvtx "$dir" "$file" "$sum" nvidia-nvtx==13.5.25 \
  --only-binary :all: --platform manylinux2014_x86_64
rm -rf "$dir/wheel" "$dir/include"
"${PYTHON:-python3}" -m zipfile -e "$dir/$file" "$dir/wheel"
cp "$dir/wheel/$name.dist-info/licenses/License.txt" "$dir/LICENSE"
mv "$dir/wheel/nvidia/cu13/include" "$dir/include"
rm -rf "$dir/wheel"
find "$dir/include" -exec touch {} + # make compares with the time of the script
