"""The family of bounded clients of paper 001 sec. 5: sampled calls on concurrent data structures, and what they may answer.

A client is three threads of up to five calls each. Its admitted answers are those of all sequential executions of its calls that keep
each thread's order, as Violat computes them.
"""
import random
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).resolve().parent / "clients"
THREADS = 3


@dataclass(frozen=True)
class Structure:
    name: str
    cls: str
    header: str
    queue: bool = False
    wrong_variants: bool = False

    def flags(self):
        return [f"-DSTRUCTURE={self.cls}", f'-DHEADER="{self.header}"', f"-DQUEUE={int(self.queue)}", "-std=c++20"]


STRUCTURES = [
    Structure("coarse-list", "CoarseList", "coarse_list.h", wrong_variants=True),
    Structure("optimistic-list", "OptimisticList", "optimistic_list.h", wrong_variants=True),
    Structure("skip-list", "SkipList", "skip_list.h"),
    Structure("queue", "LinkedQueue", "linked_queue.h", queue=True),
    Structure("coarse-map", "CoarseMap", "coarse_map.h"),
    Structure("striped-map", "StripedMap", "striped_map.h"),
]


@dataclass(frozen=True)
class Call:
    method: str  # a, r, c
    key: int
    wrong: bool = False

    def text(self):
        return f"{self.method}{self.key}{'!' if self.wrong else ''}"


@dataclass(frozen=True)
class Client:
    structure: Structure
    threads: tuple  # of tuples of Calls

    def calls(self):
        return "/".join(",".join(c.text() for c in thread) for thread in self.threads)

    def name(self):
        return f"{self.structure.name} {self.calls()}"

    def arguments(self):
        return [self.calls(), admitted_text(self)]


def apply(structure, state, call):
    """The sequential specification: (state after, answer)."""
    if structure.queue:
        if call.method == "a":
            return state + (call.key,), 0
        oldest = state[0] if state else 0
        return (state[1:] if call.method == "r" else state), oldest
    there = call.key in state
    if call.method == "a":
        return state | {call.key}, int(not there)
    if call.method == "r":
        return state - {call.key}, int(there)
    return state, int(there)


def answer_bits(structure, call):
    return (0 if call.method == "a" else 2) if structure.queue else 1


def admitted(client):
    """Numbers of the combinations of answers that some sequential execution gives, and the number of bits of such a number."""
    shifts, bits = {}, 0
    for t, thread in enumerate(client.threads):
        for i, call in enumerate(thread):
            shifts[t, i] = bits
            bits += answer_bits(client.structure, call)
    start = () if client.structure.queue else frozenset()
    layer = {((0,) * len(client.threads), start): {0}}
    for _ in range(sum(map(len, client.threads))):
        following = {}
        for (position, state), numbers in layer.items():
            for t, thread in enumerate(client.threads):
                i = position[t]
                if i == len(thread):
                    continue
                after, answer = apply(client.structure, state, thread[i])
                key = (position[:t] + (i + 1,) + position[t + 1:], after)
                following.setdefault(key, set()).update(n | answer << shifts[t, i] for n in numbers)
        layer = following
    return set().union(*layer.values()), bits


def admitted_text(client):
    numbers, bits = admitted(client)
    digits = [0] * (2 ** bits // 4 + 1)
    for n in numbers:
        digits[n // 4] |= 1 << n % 4
    return "".join(f"{d:x}" for d in digits)


def sample_client(rng, structure, max_calls, methods="aarrc"):
    """Few keys make threads meet, many let them pass: the contention varies from client to client."""
    keys = rng.randint(1, 3 if structure.queue else 6)
    while True:
        threads = tuple(tuple(Call(rng.choice(methods), rng.randint(1, keys)) for _ in range(rng.randint(1, max_calls)))
                        for _ in range(THREADS))
        client = Client(structure, threads)
        if sum(answer_bits(structure, c) for thread in threads for c in thread) <= 16:
            return client


def sample_in_turns(rng, structures, count, max_calls, methods="aarrc"):
    """Structures in turns, and for each of them the most calls a thread, from one to `max_calls`: small clients and large ones."""
    return [sample_client(rng, structures[i % len(structures)], 1 + i // len(structures) % max_calls, methods) for i in range(count)]


def sample_clients(count, seed, max_calls=5):
    return sample_in_turns(random.Random(seed), STRUCTURES, count, max_calls)


DEGREES = ("all", "half", "one", "none")


def with_wrong_calls(rng, client, degree):
    """The same client with all, half, one or none of its additions and removals taking the wrong variant."""
    places = [(t, i) for t, thread in enumerate(client.threads) for i, call in enumerate(thread) if call.method != "c"]
    wanted = {"all": len(places), "half": (len(places) + 1) // 2, "one": 1, "none": 0}[degree]
    wrong = set(rng.sample(places, wanted))
    threads = tuple(tuple(Call(c.method, c.key, (t, i) in wrong) for i, c in enumerate(thread))
                    for t, thread in enumerate(client.threads))
    return Client(client.structure, threads)


def sample_buggy_clients(per_degree, seed, max_calls=4):
    """degree → clients. Only the lists have wrong variants."""
    rng = random.Random(seed)
    structures = [s for s in STRUCTURES if s.wrong_variants]
    result = {}
    for degree in DEGREES:
        clients = sample_in_turns(rng, structures, per_degree, max_calls, "aarr")
        result[degree] = [with_wrong_calls(rng, c, degree) for c in clients]
    return result
