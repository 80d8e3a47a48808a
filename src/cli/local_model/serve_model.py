"""Serves a model on a free loopback port, and ends when whoever started it ends.

Arguments: the folder of the package xllamacpp, the weights' file, the model's name, how many calls are answered side by
side, how many tokens of context each has, on how many threads.
Prints one line, the server's address, once it answers, and behind it how many tokens a second it reads and writes.
"""

import json
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


def speed(address):
    # Long enough to tell, short enough to wait for.
    body = {
        "messages": [{"role": "user", "content": "Say in a few words what a team needs to decide well. " * 20}],
        "max_tokens": 24,
        "cache_prompt": False,
    }
    request = urllib.request.Request(
        address + "/v1/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=120) as answer:
            timings = json.load(answer)["timings"]
        return ["%.1f" % timings["prompt_per_second"], "%.1f" % timings["predicted_per_second"]]
    except (OSError, ValueError, KeyError, TypeError):
        # It serves nevertheless.
        return []


packages, weights, name = sys.argv[1:4]
parallel, context, threads = map(int, sys.argv[4:7])
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
params.n_parallel = parallel
params.n_ctx = context * parallel
params.cpuparams.n_threads = threads
params.cpuparams_batch.n_threads = threads
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
print(address, *speed(address), file=answer, flush=True)
while True:
    time.sleep(3600)
