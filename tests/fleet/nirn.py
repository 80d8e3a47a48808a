"""nirn.py, a rate-limit proxy for Discord's API, as it is installed, but with the stand-in in Discord's place.

It knows one upstream, https://discord.com, and no setting for another; and it asks by version 9 of the API who the bot
is, which the stand-in does not have. Nothing else is changed. UPSTREAM: the stand-in's origin.
"""

import os

import aiohttp

UPSTREAM = os.environ["UPSTREAM"]
asked = aiohttp.ClientSession._request


def ask(session, method, url, **rest):
    url = str(url).replace("https://discord.com", UPSTREAM, 1).replace("/api/v9/", "/api/v10/", 1)
    return asked(session, method, url, **rest)


aiohttp.ClientSession._request = ask

from nirn_proxy.main import main  # noqa: E402

main()
