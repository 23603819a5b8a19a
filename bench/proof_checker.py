#!/usr/bin/env python3
"""A second checker of proof files, written from docs/proof-format.md alone: python3 proof_checker.py FILE

Exits with 0 if it is proved, with 1 if a node is wrong, with 2 if the file can't be read. It is plain on purpose: the rules of the
page, in its words. Sets of cells and of windows are whole numbers, a bit for each member.
"""

import json
import sys
from functools import reduce
from operator import or_


class Flaw(Exception):
    """The file can be read, and is no proof."""


def need(condition, what, error=ValueError):
    if not condition:
        raise error(what)


def hold(condition, what):
    need(condition, what, Flaw)


def members(number):
    return [i for i, bit in enumerate(bin(number)[:1:-1]) if bit == "1"]


def union(sets):
    return reduce(or_, sets, 0)


def fields(value, **types):
    """The fields of an object, in the order of the arguments; no others may be there."""
    found = {name: type(field) for name, field in value.items()} if type(value) is dict else None
    need(found == types, f"expected {types}, found {found}")
    return [value[name] for name in types]


class Board:
    """The cells, and the windows as sets of them."""

    def __init__(self, columns, rows, k):
        self.columns, self.rows, self.k = columns, rows, k
        self.all = (1 << columns * rows) - 1
        self.windows, self.by_ends = [], {}
        starts = [(x, y) for x in range(columns) for y in range(rows)]
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            for x, y in starts:
                if x + (k - 1) * dx < columns and 0 <= y + (k - 1) * dy < rows:
                    cells = [(y + i * dy) * columns + x + i * dx for i in range(k)]
                    self.windows.append(union(1 << c for c in cells))
                    self.by_ends[cells[0], cells[-1]] = self.by_ends[cells[-1], cells[0]] = self.windows[-1]

    def cells(self, text):
        need(type(text) is str and len(text) % 2 == 0, f"{text!r} is no row of cells")
        places = [(ord(x) - ord("A"), ord(y) - ord("A")) for x, y in zip(text[::2], text[1::2])]
        need(all(0 <= x < self.columns and 0 <= y < self.rows for x, y in places), f"{text!r} is not on the board")
        return [y * self.columns + x for x, y in places]

    def window(self, text):
        window = self.by_ends.get(tuple(self.cells(text)))
        need(window, f"{text!r} is no window")
        return window

    def has_line(self, stones):
        return any(w & stones == w for w in self.windows)


class Proof:
    """What the lines say: `nodes` has (id, type, what else), and children are places in it."""

    def __init__(self, lines):
        self.nodes, self.places, self.used = [], {}, set()
        self.header(json.loads(lines[0]))
        for line in lines[1:]:
            self.node(json.loads(line))
        need(len(self.nodes) == self.count >= 1, "the number of nodes is wrong")
        need(self.nodes[-1][0] == self.root and len(self.used) == self.count - 1, "the root or an unused node is wrong")

    def header(self, value):
        kind, version, game, moves, winner, columns, rows, k, self.root, self.count = fields(
            value, format=str, version=int, game=str, moves=str, winner=str, columns=int, rows=int, connect=int,
            root=int, nodes=int)  # fmt: skip
        need(1 <= columns <= 19 and 1 <= rows <= 19 and 3 <= k <= max(columns, rows), "no such board")
        name = "connect6" if (columns, rows, k) == (19, 19, 6) else "connect"
        need((kind, version, game) == ("joblevel-proof", 1, name), "this is another format or game")
        attacker = ("first", "second").index(winner)
        self.board = Board(columns, rows, k)
        stones = self.replay(moves.split("-"))
        self.start, self.attacker_to_move = (stones[attacker], stones[1 - attacker]), moves.count("-") % 2 != attacker

    def replay(self, moves):
        stones = [0, 0]
        for turn, move in enumerate(moves):
            cells = self.board.cells(move)
            # The game is not over after the last of them, so no turn is cut short.
            need(len(cells) == (1 if turn == 0 else 2), f"{move!r} is no move")
            for c in cells:
                need(not union(stones) >> c & 1, f"{move!r} is illegal")
                stones[turn % 2] |= 1 << c
        need(not any(map(self.board.has_line, stones)) and union(stones) != self.board.all, "the game is over")
        return stones

    def node(self, value):
        cells, windows = self.board.cells, lambda names: [self.board.window(name) for name in names]
        kind = value.get("type") if type(value) is dict else None
        if kind == "win":
            id, _, move, completes = fields(value, id=int, type=str, move=str, completes=str)
            need(len(move) in (2, 4), "a move is one or two stones")
            rest = (cells(move), self.board.window(completes))
        elif kind == "or":
            id, _, move, child = fields(value, id=int, type=str, move=str, node=int)
            need(len(move) == 4, "a move is two stones")
            rest = (cells(move), self.child(child, "threats", "and"))
        elif kind == "threats":
            id, _, threats = fields(value, id=int, type=str, threats=list)
            rest = (windows(threats), [])
        else:
            need(kind == "and", "no such type")
            id, _, threats, replies, others = fields(value, id=int, type=str, threats=list, replies=list, others=list)
            replies = [fields(reply, move=str, node=int) for reply in replies]
            need(all(len(move) == 4 for move, _ in replies), "a reply is two stones")
            branches = [(move, 0, child) for move, child in replies]
            branches += [fields(family, stones=str, floats=int, node=int) for family in others]
            need(branches, "there is no branch")
            rest = (windows(threats), [self.branch(*branch) for branch in branches])
        need(0 <= id < 2**64 and id not in self.places, "this id can't be")
        self.places[id] = len(self.nodes)
        self.nodes.append((id, kind, rest))

    def branch(self, stones, floats, child):
        need(0 <= floats <= 2, "at most two stones float")
        return self.board.cells(stones), floats, self.child(child, "win", "or")

    def child(self, id, *kinds):
        place = self.places.get(id)
        need(place is not None and self.nodes[place][1] in kinds, f"node {id} is on no earlier line, or no {kinds}")
        self.used.add(place)
        return place


class Check:
    """The boards (A, D) and the zones (cells, fatal) of the nodes, by their places; fatal[j] for j from 1 to k - 2."""

    def __init__(self, proof):
        self.proof, self.board = proof, proof.board
        self.boards, self.zones = {len(proof.nodes) - 1: proof.start}, {}
        root, kind, _ = proof.nodes[-1]
        hold((kind in ("win", "or")) == proof.attacker_to_move, f"node {root}: the other side is to move")
        places = range(len(proof.nodes))
        for work, order in ((self.give_boards, reversed(places)), (self.zone, places)):
            for place in order:
                id, kind, rest = proof.nodes[place]
                try:
                    work(place, kind, *rest)
                except Flaw as flaw:
                    raise Flaw(f"node {id}: {flaw}") from flaw

    def give_boards(self, place, kind, first, second):
        attacker, defender = self.boards[place]
        children = []
        if kind == "win":
            self.put(place, first)
        elif kind == "or":
            children = [(second, (attacker | self.put(place, first), defender))]
        else:
            children = [(child, (attacker, defender | self.put(place, cells))) for cells, _, child in second]
        for child, board in children:
            hold(self.boards.setdefault(child, board) == board, f"it gives {self.proof.nodes[child][0]} another board")

    def put(self, place, cells):
        stones = union(1 << c for c in cells)
        fit = stones.bit_count() == len(cells) and not stones & union(self.boards[place])
        hold(fit, "stones are not on distinct empty cells")
        return stones

    def zone(self, place, kind, first, second):
        attacker, defender = self.boards[place]
        if kind == "win":
            move = self.put(place, first)
            hold(second & ~(attacker | move) == 0, "the window is not completed")
            hold(not self.board.has_line(defender), "the defender has a line")
            self.zones[place] = move, [0] * (self.board.k - 1)
        elif kind == "or":
            cells, fatal = self.zones[second]
            self.zones[place] = cells | self.put(place, first), fatal
        else:
            self.zones[place] = self.defended(attacker, defender, first, second)

    def defended(self, attacker, defender, threats, branches):
        k, empty = self.board.k, self.board.all & ~(attacker | defender)
        hold(empty.bit_count() >= 2, "fewer than two cells are empty")
        fatal = [0] * (k - 1)
        for number, w in enumerate(self.board.windows):
            if not w & attacker:
                d = (w & defender).bit_count()
                hold(d < k - 2, "the defender can complete a window")
                fatal[k - 2 - d] |= 1 << number
        for w in threats:
            hold(not w & defender and (w & attacker).bit_count() >= k - 2, "a threat is none")
        self.check_replies(empty, threats, branches)
        cells = union(w & empty for w in threats)
        for _, floats, child in branches:
            cells |= self.zones[child][0]
            for j in range(1, k - 1):
                fatal[max(1, j - floats)] |= self.zones[child][1][j]
        return cells, fatal

    def check_replies(self, empty, threats, branches):
        covers = [self.cover(empty, *branch) for branch in branches]
        # A reply that hits every threat has a stone in the first.
        for s in members(empty & threats[0] if threats else empty):
            left = empty & ~(1 << s)
            for w in threats:
                left &= left if w >> s & 1 else w
            for stones, outside, fatal in covers:
                if stones >> s & 1:
                    left &= ~(stones | outside)
                elif outside >> s & 1:
                    left &= ~stones
                    if fatal is not None and left:
                        left &= ~outside | union(w for w in fatal if w >> s & 1)
            hold(not left, "no branch covers some reply")

    def cover(self, empty, cells, floats, child):
        """The stones; where one may float; if two may, the windows in which they may not both be."""
        stones, (near, fatal) = union(1 << c for c in cells), self.zones[child]
        if floats == 0:
            return stones, 0, None
        one, two = ([self.board.windows[w] for w in members(windows)] for windows in (fatal + [0])[1:3])
        return stones, empty & ~(stones | near | union(one)), two if floats == 2 else None


def main():
    try:
        with open(sys.argv[1], encoding="utf-8", newline="\n") as file:
            Check(Proof(file.read().removesuffix("\n").split("\n")))
    except (ValueError, OSError) as problem:
        return f"unreadable: {problem}", 2
    except Flaw as flaw:
        return flaw, 1
    return "proved", 0


message, exit_code = main()
print(message)
sys.exit(exit_code)
