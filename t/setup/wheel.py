# wheel.py TREE VERSION TAG WHEEL - writes the wheel: a zip with the tree of tree.sh as the Python
# package, the manual where Python's environments have theirs, and what pip wants to know. The same
# files give the same bytes.
import base64
import hashlib
import os
import sys
import zipfile

tree, version, tag, wheel = sys.argv[1:]
info = f"aotigen-{version}.dist-info"
data = f"aotigen-{version}.data/data"
record = []


def add(z, name, content, executable=False):
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.external_attr = (0o100755 if executable else 0o100644) << 16
    entry.compress_type = zipfile.ZIP_DEFLATED
    z.writestr(entry, content)
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    record.append(f"{name},sha256={digest},{len(content)}")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def place_of(path):
    """Where a file of the tree goes; None: not into a wheel."""
    if path.startswith("share/man/"):
        return f"{data}/{path}"
    if path.startswith("share/doc/aotigen/licences/"):
        return f"{info}/licenses/{os.path.basename(path)}"
    if path == "share/doc/aotigen/LICENSE":
        return f"{info}/licenses/LICENSE"
    return None if path.startswith("share/") else f"aotigen/{path}"


def add_tree(z):
    for folder, folders, files in os.walk(tree):
        folders.sort()
        for file in sorted(files):
            path = os.path.join(folder, file)
            name = place_of(os.path.relpath(path, tree))
            if name:
                runs = "/bin/" in name or file == "aotigen-replay-host"
                add(z, name, read(path), os.access(path, os.X_OK) and runs)


metadata = f"""Metadata-Version: 2.1
Name: aotigen
Version: {version}
Summary: Debug packages of models compiled by PyTorch's AOTInductor
License: MIT
Requires-Python: >=3.8
Description-Content-Type: text/markdown

"""
with zipfile.ZipFile(wheel, "w") as z:
    module = read("python/aotigen/__init__.py").replace(b"@VERSION@", version.encode())
    add(z, "aotigen/__init__.py", module)
    add(z, "aotigen/__main__.py", read("python/aotigen/__main__.py"))
    add_tree(z)
    add(z, f"{info}/METADATA", metadata.encode() + read("README.md"))
    add(z, f"{info}/WHEEL",
        f"Wheel-Version: 1.0\nGenerator: aotigen\nRoot-Is-Purelib: false\nTag: {tag}\n".encode())
    add(z, f"{info}/entry_points.txt", b"[console_scripts]\naotigen = aotigen:main\n")
    add(z, f"{info}/RECORD", "\n".join(record + [f"{info}/RECORD,,", ""]).encode())
