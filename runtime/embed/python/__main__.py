"""Trajectories from one kind of file to another:

    python3 -m throng FROM TO

FROM is a recording of `throng run` or JuPedSim's SQLite (.sqlite), JuPedSim's HDF5 (.h5), .parquet or .csv; TO is .parquet,
.csv, .txt (text as Forschungszentrum Juelich, PedPy and throng.trajectory have it) or .h5. Parquet needs pyarrow, HDF5 needs
h5py.
"""
import sys

from . import Error, read_trajectory

if len(sys.argv) != 3:
    sys.exit(__doc__)
try:
    read_trajectory(sys.argv[1]).write(sys.argv[2])
except (Error, ImportError) as problem:
    sys.exit(f"throng: {problem}")
