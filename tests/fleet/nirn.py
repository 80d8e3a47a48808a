"""nirn.py, a rate-limit proxy for Discord's API, as it is installed, but with the stand-in in Discord's place.

It knows one upstream, https://discord.com, and no setting for another; it asks by version 9 of the API who the bot is, which
the stand-in does not have; and it hands on the Host that it was asked under, which the stand-in refuses. Nothing else is
changed. UPSTREAM: the stand-in's origin.
"""

import os

# It looks for headers in small letters, as Discord sends them; aiohttp's parser in C hands on some of them in large ones, and
# every request would wait for the end of its bucket's window.
os.environ["AIOHTTP_NO_EXTENSIONS"] = "1"

import aiohttp  # noqa: E402

UPSTREAM = os.environ["UPSTREAM"]
asked = aiohttp.ClientSession._request


def ask(session, method, url, **rest):
    url = str(url).replace("https://discord.com", UPSTREAM, 1).replace("/api/v9/", "/api/v10/", 1)
    headers = rest.pop("headers", None) or {}
    headers = {name: value for name, value in headers.items() if name.lower() != "host"}
    return asked(session, method, url, headers=headers, **rest)


aiohttp.ClientSession._request = ask

from nirn_proxy.main import main  # noqa: E402

main()
