"""Serves the small model on a free loopback port, and ends when whoever started it ends.

Arguments: the folder of the package xllamacpp, the weights' file, the model's name.
Prints one line, the server's address, once it answers.
"""

import os
import signal
import sys
import threading
import time
import urllib.request


def end_with_parent():
    # The other end of this pipe closes when the parent ends, in whatever way.
    # Read past Python's own buffer, whose lock would upset the end of the interpreter.
    while os.read(0, 4096):
        pass
    os._exit(0)


packages, weights, name = sys.argv[1:4]
# Ctrl-C reaches every process of the terminal; the parent ends first and in order, this one after it.
signal.signal(signal.SIGINT, signal.SIG_IGN)
threading.Thread(target=end_with_parent, daemon=True).start()

# The server's own log also goes to standard output, which is kept for the address.
answer = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)

sys.path.insert(0, packages)
import xllamacpp  # noqa: E402

params = xllamacpp.CommonParams()
params.model.path = weights
params.model_alias = {name}
params.hostnames = ["127.0.0.1"]
params.port = 0
params.n_parallel = 4
params.n_ctx = 8192 * 4
# One thread: two are a fifth faster on an idle machine and collapse on a busy one.
params.cpuparams.n_threads = 1
params.cpuparams_batch.n_threads = 1
params.use_jinja = True
params.ui = False
params.cache_ram_mib = 256
server = xllamacpp.Server(params)

address = server.listening_address
for _ in range(600):
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address + "/health", timeout=5):
            break
    except OSError:
        time.sleep(0.1)
else:
    sys.exit("the server started and does not answer")
print(address, file=answer, flush=True)
while True:
    time.sleep(3600)
