"""Files from one kind to another:

    python3 -m throng FROM TO

A trajectory: FROM is a recording of `throng run` or JuPedSim's SQLite (.sqlite), JuPedSim's HDF5 (.h5), .parquet, .csv or
.txt (text as Forschungszentrum Juelich, PedPy and throng.trajectory have it); TO is .parquet, .csv, .txt or .h5. Of a
building all have z, and all but .txt the floor. Parquet needs pyarrow, HDF5 needs h5py.

A building: FROM is .ifc, TO is .tmx, a Tiled map for throng.building. It needs ifcopenshell.
"""
import sys

from . import Error, ifc, read_trajectory

if len(sys.argv) != 3:
    sys.exit(__doc__)
_, one, other = sys.argv
try:
    if one.lower().endswith(".ifc"):
        if not other.endswith(".tmx"):
            raise Error(f"'{other}': buildings are written as .tmx")
        for note in ifc.convert(one, other):
            print("throng:", note, file=sys.stderr)
    else:
        read_trajectory(one).write(other)
except (Error, ImportError) as problem:
    sys.exit(f"throng: {problem}")
