"""Entry of the worker process: warm up, then serve jobs on the inherited connection."""

import socket
import sys
from pathlib import Path

from triton_path.worker.server import serve, warm_up

if __name__ == "__main__":
    # Python 3.10 does not know PYTHONSAFEPATH: the current folder must not shadow torch there.
    sys.path[:] = [entry for entry in sys.path if entry and Path(entry) != Path.cwd()]
    warm_up()
    serve(socket.socket(fileno=int(sys.argv[1])))
