"""Entry of the worker process: warm up, then serve jobs on the inherited connection."""

import socket
import sys

from triton_path.worker.search_path import leave_out_current_folder
from triton_path.worker.server import serve, warm_up

if __name__ == "__main__":
    leave_out_current_folder()
    warm_up()
    serve(socket.socket(fileno=int(sys.argv[1])))
