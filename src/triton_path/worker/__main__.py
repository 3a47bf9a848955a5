"""Entry of the worker process.

`python -m triton_path.worker FD` warms up and serves jobs on the connection it inherited as FD.
`python -m triton_path.worker job PAYLOAD_FD ANSWER_FD` is the process of one job, where the server
could not fork.
"""

import os
import socket
import sys

from triton_path.worker.job_process import become_job
from triton_path.worker.search_path import leave_out_current_folder
from triton_path.worker.server import serve, warm_up

if __name__ == "__main__":
    leave_out_current_folder()
    if sys.argv[1] == "job":
        with os.fdopen(int(sys.argv[2]), "rb") as file:
            payload = file.read()
        become_job(payload, int(sys.argv[3]))
    warm_up()
    serve(socket.socket(fileno=int(sys.argv[1])))
