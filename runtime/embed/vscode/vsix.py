"""Packs the extension in this folder: vsix.py VERSION LICENCE OUT. A .vsix is a zip with a manifest."""
import json
import os
import sys
import zipfile
from xml.sax.saxutils import escape, quoteattr

version, licence, out = sys.argv[1:]
folder = os.path.dirname(os.path.abspath(__file__))
texts = {}
for name in ["package.json", "extension.js", "README.md", "snippets/throng.json", "tiled.propertytypes.json"]:
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        texts[name] = file.read()
with open(licence, encoding="utf-8") as file:
    texts["LICENSE.txt"] = file.read()
texts["package.json"] = texts["package.json"].replace("@VERSION@", version)
about = json.loads(texts["package.json"])
manifest = f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(about["name"])} Version={quoteattr(version)} Publisher={quoteattr(about["publisher"])} />
    <DisplayName>{escape(about["displayName"])}</DisplayName>
    <Description xml:space="preserve">{escape(about["description"])}</Description>
    <Categories>{escape(",".join(about["categories"]))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(about["engines"]["vscode"])} />
    </Properties>
    <License>extension/LICENSE.txt</License>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code" /></Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
"""
kinds = {"json": "application/json", "js": "application/javascript", "md": "text/markdown", "txt": "text/plain",
         "vsixmanifest": "text/xml"}
types = "".join(f'<Default Extension=".{end}" ContentType="{kind}" />' for end, kind in kinds.items())
with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("extension.vsixmanifest", manifest)
    archive.writestr("[Content_Types].xml", '<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.'
                     f'openxmlformats.org/package/2006/content-types">{types}</Types>\n')
    for name, text in texts.items():
        archive.writestr(f"extension/{name}", text)
print(out)
