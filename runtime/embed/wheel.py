"""Makes a wheel of a folder that holds a package: wheel.py FOLDER VERSION README. Prints the wheel's path."""
import base64
import hashlib
import os
import platform
import sys
import zipfile

folder, version, readme = sys.argv[1:]
EXTRAS = {"gym": ["gymnasium", "pettingzoo"], "tables": ["pandas", "pyarrow", "h5py"], "ifc": ["ifcopenshell", "shapely"]}
info = f"throng-{version}.dist-info"
tag = "py3-none-manylinux_{}_{}_x86_64".format(*platform.libc_ver()[1].split(".")[:2])
with open(readme, encoding="utf-8") as file:
    text = file.read()
with open(f"{folder}/{info}/METADATA", "w", encoding="utf-8") as file:
    file.write(f"Metadata-Version: 2.1\nName: throng\nVersion: {version}\nSummary: crowds scripted in Lua\n"
               "License: MIT\nRequires-Python: >=3.8\nRequires-Dist: numpy\n" +
               "".join(f"Provides-Extra: {extra}\n" + "".join(f"Requires-Dist: {name}; extra == '{extra}'\n" for name in names)
                       for extra, names in EXTRAS.items()) +
               f"Description-Content-Type: text/markdown\n\n{text}")
with open(f"{folder}/{info}/WHEEL", "w", encoding="utf-8") as file:
    file.write(f"Wheel-Version: 1.0\nGenerator: throng\nRoot-Is-Purelib: false\nTag: {tag}\n")

names = sorted(os.path.relpath(os.path.join(at, name), folder) for at, _, files in os.walk(folder) for name in files)
record = []
wheel = f"{folder}/throng-{version}-{tag}.whl"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
    for name in names:
        with open(f"{folder}/{name}", "rb") as file:
            data = file.read()
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}\n")
        archive.write(f"{folder}/{name}", name)
    archive.writestr(f"{info}/RECORD", "".join(record) + f"{info}/RECORD,,\n")
print(wheel)
