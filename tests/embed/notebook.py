"""Runs a notebook from top to bottom in this folder: notebook.py FILE. Fails where one of its cells does."""
import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
assert not any(cell.get("outputs") for cell in notebook.cells), "it is kept without outputs"
NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
print("ran", sum(cell.cell_type == "code" for cell in notebook.cells), "cells")
