"""A program that plays at a Bullpen server: any legal move, until the game is over.

    python examples/wire_bot.py http://127.0.0.1:8000 TABLE INVITE [NAME]

It knows nothing but docs/wire.md.  To make it clever, change `choose`.  It has a share in the deal, so that nobody
can choose its cards (docs/fair.md).
"""

import hashlib
import json
import random
import secrets
import sys
import urllib.request

from websockets.sync.client import connect


def choose(view):
    """One of the actions that the server offers; `view["places"]` shows the table."""
    return random.choice(view["decision"]["moves"])["action"]


def post(url, body):
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def commitment(table, seat, share):
    """What is published of our share before the start."""
    told = b"bullpen-fair-2/share" + len(table).to_bytes(4, "big") + table.encode()
    return hashlib.sha256(told + seat.to_bytes(4, "big") + share).hexdigest()


def play(server, table, seat, token):
    """Play from here to the end, and return the result."""
    url = f"{server.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    share = secrets.token_bytes(32)
    ours = commitment(table, seat, share)
    with connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as socket:
        socket.send(json.dumps({"type": "commit", "commitment": ours}))
        for text in socket:
            message = json.loads(text)
            if message["type"] == "welcome":
                seal = message["fair"]["commitment"]
            if message["type"] == "open_shares":
                if (message["commitment"], message["commitments"][seat]) == (seal, ours):
                    socket.send(json.dumps({"type": "open", "share": share.hex()}))
            if message["type"] == "result" or message.get("result"):
                return message.get("result") or message
            view = message if message["type"] == "view" else message.get("view")
            if view and view["decision"] and view["decision"]["choice"] is None:
                answer = {"decision": view["decision"]["number"], "action": choose(view)}
                socket.send(json.dumps({"type": "move", **answer}))
    raise SystemExit("The server has closed the table.")


if __name__ == "__main__":
    server, table, invite, name = (*sys.argv[1:], "Robo")[:4]
    seat = post(
        f"{server}/api/tables/{table}/join", {"name": name, "invite": invite, "as": "program"}
    )
    print(play(server, table, seat["seat"], seat["token"])["text"])
