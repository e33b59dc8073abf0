#!/usr/bin/env python3
"""A bot of one's own, as a program: it reads lines of JSON and answers with lines of JSON.

    bullpen tournament x-nimmt --bots "careful,uniform,program:python3 examples/program_bot.py"

It needs nothing of Bullpen, so it could be written in any language; docs/arena.md has the messages.
"""

import json
import random
import sys


def number_in(move):
    """`play 43` -> 43"""
    numbers = [int(word) for word in move.split() if word.isdigit()]
    return numbers[0] if numbers else 0


def decide(message):
    """The shortest row if one has to be taken, else a card from the middle of the hand."""
    legal, places = message["legal"], message["view"]["places"]
    if all(move.startswith("row ") for move in legal):
        return min(legal, key=lambda move: len(places.get(move, [])))
    plays = sorted((move for move in legal if move.startswith("play ")), key=number_in)
    if plays:
        return plays[len(plays) // 2]
    return random.Random(message["seed"]).choice(legal)


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "decide":
            print(json.dumps({"move": decide(message)}), flush=True)
        elif message["type"] == "bye":
            break  # "hello", the first one, has the deck and the options: this bot needs neither


if __name__ == "__main__":
    main()
