"""Draws layouts of unseen cards, every one with exactly the same probability.

Cards that may lie in the same places form a class, places that take the same cards a group. A layout is drawn in three
steps: how many cards of each class go to each group, from a table of exact integer weights; which ones they are; and
where in its group each of them lies. The last two are partial shuffles.

The table is a graph of states, one layer a class; a state stands for what the groups still have to take. Each of its
transitions says what the class gives to each group and has as weight the number of ways in which that can go on, as a
cumulative sum of any number of 64-bit limbs, the highest first.

Random numbers come from Philox 4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3",
2011): the key is the seed, the counter the number of the layout, so a layout depends on nothing else. Bounded numbers
are exact, by rejection (Lemire, "Fast random integer generation in an interval", 2019).
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

import numpy as np

cdef enum:
    MOST = 64               # cards, slots or groups there can be, since a card is a bit
    MOST_LIMBS = 16         # of a weight
    LAYOUT = 0              # what a stream of random numbers is for: a layout,
    CHOICE = 1              # or a choice by weights alone


# ---- random numbers ----

cdef struct Stream:
    uint32_t key[2]         # the seed
    uint64_t number         # of the layout
    uint32_t purpose        # LAYOUT or CHOICE
    uint32_t blocks         # blocks drawn so far
    uint32_t block[4]       # the current one
    int left                # numbers left in it


cdef inline void philox(const uint32_t* counter, const uint32_t* key, uint32_t* block) noexcept nogil:
    """Four random numbers from a counter of 128 and a key of 64 bits."""
    cdef uint32_t a = counter[0], b = counter[1], c = counter[2], d = counter[3]
    cdef uint32_t first_key = key[0], second_key = key[1]
    cdef uint64_t first, second
    cdef int step
    for step in range(10):
        first = <uint64_t>0xD2511F53u * a
        second = <uint64_t>0xCD9E8D57u * c
        a = <uint32_t>(second >> 32) ^ b ^ first_key
        b = <uint32_t>second
        c = <uint32_t>(first >> 32) ^ d ^ second_key
        d = <uint32_t>first
        first_key += 0x9E3779B9u
        second_key += 0xBB67AE85u
    block[0], block[1], block[2], block[3] = a, b, c, d


cdef inline Stream stream(uint64_t seed, uint64_t number, uint32_t purpose) noexcept nogil:
    cdef Stream fresh
    fresh.key[0] = <uint32_t>seed
    fresh.key[1] = <uint32_t>(seed >> 32)
    fresh.number = number
    fresh.purpose = purpose
    fresh.blocks = 0
    fresh.left = 0
    return fresh


cdef inline uint32_t next32(Stream* random) noexcept nogil:
    cdef uint32_t counter[4]
    if random.left == 0:
        counter[0] = <uint32_t>random.number
        counter[1] = <uint32_t>(random.number >> 32)
        counter[2] = random.blocks
        counter[3] = random.purpose
        philox(counter, random.key, random.block)
        random.blocks += 1
        random.left = 4
    random.left -= 1
    return random.block[random.left]


cdef inline uint64_t next64(Stream* random) noexcept nogil:
    cdef uint64_t high = next32(random)
    return high << 32 | next32(random)


cdef inline int below(Stream* random, uint32_t bound) noexcept nogil:
    """A number from 0 to bound - 1."""
    cdef uint64_t product = <uint64_t>next32(random) * bound
    cdef uint32_t uneven
    if <uint32_t>product < bound:
        uneven = (0u - bound) % bound       # how many of the 2^32 products are one too many
        while <uint32_t>product < uneven:
            product = <uint64_t>next32(random) * bound
    return <int>(product >> 32)


cdef inline bint less(const uint64_t* one, const uint64_t* other, int limbs) noexcept nogil:
    cdef int i
    for i in range(limbs):
        if one[i] != other[i]:
            return one[i] < other[i]
    return False


cdef inline uint64_t filled(uint64_t limb) noexcept nogil:
    """All bits up to the highest set one."""
    cdef int shift = 1
    while shift < 64:
        limb |= limb >> shift
        shift *= 2
    return limb


cdef int weighted(Stream* random, const uint64_t* limits, int choices, int limbs) noexcept nogil:
    """One of the choices, which have cumulative weights as limits: a number below the last of them decides."""
    cdef uint64_t number[MOST_LIMBS]
    cdef const uint64_t* total = limits + (choices - 1) * limbs
    cdef int i, chosen = 0
    cdef bint begun
    while True:
        begun = False                       # below the highest limb that is not 0
        for i in range(limbs):
            number[i] = 0
            if begun:
                number[i] = next64(random)
            elif total[i] != 0:
                number[i] = next64(random) & filled(total[i])
                begun = True
        if less(number, total, limbs):
            break
    while not less(number, limits + chosen * limbs, limbs):
        chosen += 1
    return chosen


cdef inline void pick(Stream* random, int8_t* cards, int there, int wanted) noexcept nogil:
    """Brings so many of the cards, at random, to the end."""
    cdef int i, place
    cdef int8_t card
    if wanted == there:
        return
    for i in range(wanted):
        there -= 1
        place = below(random, there + 1)
        card = cards[place]
        cards[place] = cards[there]
        cards[there] = card


# ---- layouts ----

cdef class Sampler:
    """Draws from one table.

    cards: int8, class after class. class_sizes: int32, cards in each class. slot_sizes: int32, cards in each slot, group
    after group. group_sizes: int32, slots in each group. columns: int32, where in a layout, which has `width` of them,
    each slot is written. single: uint8, is it written as the number of its only card? Others are written as holdings.
    states: int32, where each state's transitions begin, and the end; the root is state 0. counts: int32[transitions,
    groups], what the class gives. targets: int32, the states after. limits: uint64[transitions, limbs], see above.
    """

    cdef const int8_t[::1] cards
    cdef const int32_t[::1] class_sizes, slot_sizes, group_sizes, columns, states, targets
    cdef const uint8_t[::1] single
    cdef const int32_t[:, ::1] counts
    cdef const uint64_t[:, ::1] limits
    cdef int room[MOST]                     # cards that each group takes
    cdef int width                          # columns of a layout

    def __init__(self, cards, class_sizes, slot_sizes, group_sizes, columns, single, states, counts, targets, limits,
                 int width):
        self.cards, self.class_sizes, self.slot_sizes, self.group_sizes = cards, class_sizes, slot_sizes, group_sizes
        self.columns, self.single = columns, single
        self.states, self.counts, self.targets, self.limits = states, counts, targets, limits
        self.width = width
        check_slots(cards, class_sizes, slot_sizes, group_sizes, columns, single, width)
        check_table(class_sizes, slot_sizes, group_sizes, states, counts, targets, limits)
        cdef int group, slot = 0
        for group in range(len(group_sizes)):
            self.room[group] = sum(slot_sizes[slot : slot + group_sizes[group]])
            slot += group_sizes[group]

    def sample(self, numbers, uint64_t seed):
        """The layouts of these numbers (int64[n]) under a seed: int64[n, columns]."""
        cdef const int64_t[::1] numbers_view = numbers
        cdef Py_ssize_t i, n = numbers_view.shape[0]
        layouts = np.zeros((n, self.width), np.int64)
        if self.cards.shape[0] == 0:
            return layouts
        cdef int64_t[:, ::1] view = layouts
        with nogil:
            for i in range(n):
                self.draw(seed, numbers_view[i], &view[i, 0])
        return layouts

    cdef void draw(self, uint64_t seed, uint64_t number, int64_t* layout) noexcept nogil:
        cdef Stream random = stream(seed, number, LAYOUT)
        cdef int8_t dealt[MOST]             # by group
        self.deal(&random, dealt)
        self.place(&random, dealt, layout)

    cdef void deal(self, Stream* random, int8_t* dealt) noexcept nogil:
        """Which cards each group has."""
        cdef int8_t pool[MOST]
        cdef int ends[MOST]
        cdef int groups = <int>self.group_sizes.shape[0]
        cdef int i, group, given, left, first, choices, state = 0, start = 0
        memcpy(pool, &self.cards[0], self.cards.shape[0])
        for group in range(groups):
            ends[group] = start
            start += self.room[group]
        start = 0
        for i in range(<int>self.class_sizes.shape[0]):
            first = self.states[state]
            choices = self.states[state + 1] - first
            if choices > 1:
                first += weighted(random, &self.limits[first, 0], choices, <int>self.limits.shape[1])
            left = self.class_sizes[i]
            for group in range(groups):
                given = self.counts[first, group]
                if given:
                    pick(random, pool + start, left, given)
                    left -= given
                    memcpy(dealt + ends[group], pool + start + left, given)
                    ends[group] += given
            start += self.class_sizes[i]
            state = self.targets[first]

    cdef void place(self, Stream* random, int8_t* dealt, int64_t* layout) noexcept nogil:
        """Where in its group each card lies."""
        cdef int group, i, j, left, slot = 0
        cdef int64_t held
        for group in range(<int>self.group_sizes.shape[0]):
            left = self.room[group]
            for i in range(self.group_sizes[group]):
                pick(random, dealt, left, self.slot_sizes[slot])
                left -= self.slot_sizes[slot]
                if self.single[slot]:
                    held = dealt[left]
                else:
                    held = 0
                    for j in range(self.slot_sizes[slot]):
                        held |= <int64_t>1 << dealt[left + j]
                layout[self.columns[slot]] = held
                slot += 1
            dealt += self.room[group]


def choose(limits, numbers, uint64_t seed):
    """For each of these numbers (int64[n]) one of some choices (int32[n]) by cumulative weights uint64[choices, limbs]."""
    check_limits(limits)
    cdef const uint64_t[:, ::1] limits_view = limits
    cdef const int64_t[::1] numbers_view = numbers
    cdef Py_ssize_t i
    chosen = np.zeros(len(numbers), np.int32)
    cdef int32_t[::1] view = chosen
    cdef Stream random
    with nogil:
        for i in range(numbers_view.shape[0]):
            random = stream(seed, numbers_view[i], CHOICE)
            view[i] = weighted(&random, &limits_view[0, 0], <int>limits_view.shape[0], <int>limits_view.shape[1])
    return chosen


def random_block(counter, key):
    """Four numbers of Philox 4x32-10 from a counter of four and a key of two numbers of 32 bits."""
    cdef const uint32_t[::1] counter_view = np.array(counter, np.uint32)
    cdef const uint32_t[::1] key_view = np.array(key, np.uint32)
    cdef uint32_t[4] block
    if counter_view.shape[0] != 4 or key_view.shape[0] != 2:
        raise ValueError("expected a counter of four numbers and a key of two")
    philox(&counter_view[0], &key_view[0], block)
    return [block[0], block[1], block[2], block[3]]


# ---- checks ----

cdef object check_limits(limits):
    """Cumulative weights of one choice: they rise, from more than 0."""
    if not 1 <= limits.shape[1] <= MOST_LIMBS:
        raise ValueError(f"weights have 1 to {MOST_LIMBS} limbs, not {limits.shape[1]}")
    rising = [(0,) * limits.shape[1], *map(tuple, limits.tolist())]
    if len(rising) < 2 or any(one >= other for one, other in zip(rising, rising[1:])):
        raise ValueError("cumulative weights must rise, from more than 0")


cdef object check_slots(cards, class_sizes, slot_sizes, group_sizes, columns, single, width):
    """Classes and slots that take the same cards, all within bounds."""
    if not all(0 <= card < MOST - 1 for card in cards) or len(set(cards.tolist())) < len(cards):
        raise ValueError("cards must be different numbers of cards")
    if not all(size > 0 for sizes in (class_sizes, slot_sizes, group_sizes) for size in sizes):
        raise ValueError("classes, slots and groups must not be empty")
    if sum(class_sizes) != len(cards) or sum(slot_sizes) != len(cards) or sum(group_sizes) != len(slot_sizes):
        raise ValueError("classes, slots and groups must take all cards and slots")
    if len(columns) != len(slot_sizes) or len(set(columns.tolist())) < len(columns):
        raise ValueError("every slot needs a column of its own")
    if not all(0 <= column < width for column in columns):
        raise ValueError(f"columns must be below {width}")
    if len(single) != len(slot_sizes) or any(alone and size != 1 for alone, size in zip(single, slot_sizes)):
        raise ValueError("a slot written as a number has one card")


cdef object check_table(class_sizes, slot_sizes, group_sizes, states, counts, targets, limits):
    """A table that draw() may trust: every way through its states fills every group."""
    if len(counts) != len(targets) or len(limits) != len(targets) or counts.shape[1] != len(group_sizes):
        raise ValueError("every transition needs counts for each group, a target and a limit")
    ends = np.cumsum(group_sizes)
    layer = {0: tuple(int(sum(slot_sizes[end - size : end])) for end, size in zip(ends, group_sizes))}
    for size in class_sizes:
        after = {}
        for state, left in layer.items():
            if not 0 <= state < len(states) - 1 or not 0 <= states[state] < states[state + 1] <= len(targets):
                raise ValueError(f"there are no transitions from state {state}")
            part = slice(states[state], states[state + 1])
            check_limits(limits[part])
            for given, target in zip(counts[part].tolist(), targets[part].tolist()):
                then = tuple(have - more for have, more in zip(left, given))
                if sum(given) != size or min(given) < 0 or min(then) < 0:
                    raise ValueError(f"state {state} gives what a group cannot take")
                if after.setdefault(target, then) != then:
                    raise ValueError(f"state {target} stands for different things")
        layer = after
