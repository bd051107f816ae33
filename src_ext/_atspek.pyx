"""The kernel of Atspėk: two to four players, hands and piles, every card open; one seat (the pov) against all others.

Row (int64[40]): 0..3 hands; 4..27 piles, word 4 + 6*seat + i: card on top | card under it << 8 (255: none), -1 no pile;
28..30 cards of the current trick in order played, -1 none; 31 its leader; 32 players; 33 trump suit; 34..37 tricks won
by seat; 38 the pov; 39 spare, 0. The value is the number of tricks the pov has at the end, those already won included;
the tally is the same by seat.

The search works on renamed positions: trumps are lane 0, and with more than two players the pov is seat 0. A seat's
cards are two holdings: `held`, all it has still to play, and `avail`, the part of it that can be played now. A card is
`linked` while another lies under it. Which card lies under which never changes, so these holdings are the whole
position.
"""

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint64_t

cpdef enum:
    WIDTH = 40
    MAX_MOVES = 16
    MAX_LINE = 36
    MAX_PLAYERS = 4
    MAX_PILES = 6           # of a seat
    NO_CARD = -1
    NOTHING_UNDER = 255
    MORE_THAN_ALL = 99      # tricks
    LANES = 64              # bits of a holding

cdef enum:
    MAX_STEP = 1            # tricks: a first guess is seldom far off


cdef struct State:
    uint64_t held[4]        # cards a seat has still to play
    uint64_t avail[4]       # those of them it can play now: hand and tops of piles
    uint64_t closed         # those that were in a hand at the beginning, and not in sight on a pile
    int8_t under[64]        # the card under a card, or NO_CARD
    int8_t trick[4]         # cards of the current trick in the order played
    int8_t played           # how many there are
    int8_t leader           # seat that led, or is to lead
    int8_t players
    int8_t trump            # suit
    int8_t won[4]           # tricks by seat
    int8_t pov              # seat whose tricks are counted


cdef struct Memory:
    uint64_t under[64]      # holding of the card under a card (0: none), renamed as the search names cards
    uint64_t linked         # cards with a card under them at the root
    int generation          # of table entries: one more for each root
    uint64_t window         # mask of the part of the table in use
    int64_t grow_at         # nodes at which it doubles


include "_search.pxi"


cdef extern from *:
    """
    #define SEPARATORS 0x8000800080008000ull
    #define TRUMPS 0xffffull
    """
    const uint64_t SEPARATORS     # one bit above the cards of each suit
    const uint64_t TRUMPS         # lane 0: where renamed positions have their trumps


# ---- rules ----

cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline uint64_t lane_of(int card) noexcept nogil:
    """All cards of the suit of a card."""
    return TRUMPS << (card & 48)


cdef inline uint64_t above(int card) noexcept nogil:
    """Everything numbered higher than a card, whatever the suit."""
    return ~((<uint64_t>2 << card) - 1)


cdef inline bint beats(int card, int best, int trump) noexcept nogil:
    if card >> 4 == best >> 4:
        return card > best
    return card >> 4 == trump


cdef inline uint64_t playable(uint64_t avail, uint64_t led, uint64_t trumps) noexcept nogil:
    """Follow, else trump, else anything. `led`: the lane of the suit led."""
    return avail & led or avail & trumps or avail


cdef inline int actor(State* state) noexcept nogil:
    return (state.leader + state.played) % state.players


cdef inline int holder(State* state) noexcept nogil:
    """Which card of the trick, by order played, holds it so far."""
    cdef int i, best = 0
    for i in range(1, state.played):
        if beats(state.trick[i], state.trick[best], state.trump):
            best = i
    return best


cdef void apply(State* state, uint64_t code) noexcept nogil:
    cdef int best, seat = actor(state), card = lowest64(code)
    state.held[seat] ^= code
    state.avail[seat] ^= code
    if state.under[card] != NO_CARD:
        state.avail[seat] |= bit(state.under[card])
    state.trick[state.played] = card
    state.played += 1
    if state.played == state.players:
        best = (state.leader + holder(state)) % state.players
        state.leader = best
        state.won[best] += 1
        state.played = 0


# ---- what _search.pxi asks for ----

cdef inline bint is_card(int64_t card, int players) noexcept nogil:
    return 0 <= card < 64 and (card & 15) < (8 if players == 2 else 9)


cdef const char* check_cards(const int64_t* row, int players, uint64_t* seen) noexcept nogil:
    """Every card is one, and there once."""
    cdef int64_t word, under
    cdef uint64_t deck = <uint64_t>0x00ff00ff00ff00ff if players == 2 else <uint64_t>0x01ff01ff01ff01ff
    cdef int i
    for i in range(MAX_PLAYERS):
        if <uint64_t>row[i] & ~deck:
            return "a hand holds bits that are no cards of this deck"
        if <uint64_t>row[i] & seen[0]:
            return "two hands hold the same card"
        seen[0] |= row[i]
    for i in range(MAX_PLAYERS * MAX_PILES):
        word = row[4 + i]
        if word == NO_CARD:
            continue
        under = word >> 8
        if not is_card(word & 255, players) or not (under == NOTHING_UNDER or is_card(under, players)):
            return "a pile holds something that is no card of this deck"
        if bit(word & 255) & seen[0]:
            return "a card of a pile is there twice"
        seen[0] |= bit(word & 255)
        if under != NOTHING_UNDER:
            if bit(under) & seen[0]:
                return "a card under a pile is there twice"
            seen[0] |= bit(under)
    return NULL


cdef const char* check(const int64_t* row) noexcept nogil:
    cdef uint64_t seen = 0
    cdef const char* wrong
    cdef int64_t word
    cdef int i, j, piles, cards, won = 0, played = 0, size = 0, most
    cdef int players = row[32]
    if row[32] < 2 or row[32] > MAX_PLAYERS:
        return "there must be 2 to 4 players"
    if row[31] < 0 or row[31] >= players:
        return "the leader must be one of the players"
    if row[33] < 0 or row[33] > 3:
        return "the trump suit must be 0 to 3"
    if row[38] < 0 or row[38] >= players:
        return "the pov must be one of the players"
    if row[39] != 0:
        return "the spare word must be 0"
    wrong = check_cards(row, players, &seen)
    if wrong != NULL:
        return wrong
    for i in range(3):
        if row[28 + i] == NO_CARD:
            continue
        if i > played:
            return "the trick has a gap"
        if not is_card(row[28 + i], players):
            return "the trick holds something that is no card of this deck"
        if bit(row[28 + i]) & seen:
            return "a card of the trick is there twice"
        seen |= bit(row[28 + i])
        played += 1
    if played >= players:
        return "the trick has too many cards"
    most = 16 if players == 2 else 36 // players
    for i in range(MAX_PLAYERS):
        piles = 0
        cards = popcount64(row[i])
        for j in range(MAX_PILES):
            word = row[4 + MAX_PILES * i + j]
            if word != NO_CARD:
                piles += 1
                cards += 1 if word >> 8 == NOTHING_UNDER else 2
        if i >= players:
            if cards or row[34 + i]:
                return "a seat beyond the players has cards or tricks"
            continue
        if piles > (6 if players == 2 else 12 // players):
            return "a seat has more piles than it can have"
        if (i - row[31] + players) % players < played:
            cards += 1
        if i > 0 and cards != size:
            return "the seats have not equally many cards"
        size = cards
        if row[34 + i] < 0 or row[34 + i] > most:
            return "the tricks won must be 0 to the number of tricks in a deal"
        won += row[34 + i]
    if size > most:
        return "a seat has more cards than a deal gives it"
    if size + won > most:
        return "the tricks won and those to come are more than a deal has"
    return NULL


cdef void unpack(const int64_t* row, State* state) noexcept nogil:
    cdef int seat, i, top, under
    cdef int64_t word
    memset(state, 0, sizeof(State))
    memset(state.under, NO_CARD, sizeof(state.under))
    for seat in range(MAX_PLAYERS):
        state.held[seat] = state.avail[seat] = row[seat]
        state.closed |= row[seat]
        state.won[seat] = row[34 + seat]
        for i in range(MAX_PILES):
            word = row[4 + MAX_PILES * seat + i]
            if word == NO_CARD:
                continue
            top = word & 255
            under = word >> 8
            state.avail[seat] |= bit(top)
            state.held[seat] |= bit(top)
            if under != NOTHING_UNDER:
                state.held[seat] |= bit(under)
                state.under[top] = under
    for i in range(3):
        if row[28 + i] != NO_CARD:
            state.trick[i] = row[28 + i]
            state.played += 1
    state.leader = row[31]
    state.players = row[32]
    state.trump = row[33]
    state.pov = row[38]


cdef int legal(State* state, uint64_t* codes) noexcept nogil:
    cdef uint64_t left = state.avail[actor(state)], suit
    cdef int n = 0, card
    if state.played:
        left = playable(left, lane_of(state.trick[0]), TRUMPS << (16 * state.trump))
    while left:
        suit = left & lane_of(lowest64(left))
        left &= ~suit
        while suit:
            card = highest64(suit)
            suit ^= bit(card)
            codes[n] = bit(card)
            n += 1
    return n


cdef int twin(State* state, const uint64_t* codes, int i) noexcept nogil:
    """A higher card of the suit when nobody else has one between, neither in sight, nor face down, nor on the trick,
    and nothing lies under either of the two: swapping their names gives the same deal. The seat's own cards between do
    not matter, since two cards of a seat never meet in a trick."""
    cdef uint64_t others = 0
    cdef int j, card = lowest64(codes[i]), seat = actor(state)
    if state.under[card] != NO_CARD:
        return -1
    for j in range(MAX_PLAYERS):
        if j != seat:
            others |= state.held[j]
    for j in range(state.played):
        others |= bit(state.trick[j])
    for j in range(i - 1, -1, -1):
        if not codes[j] & lane_of(card) or others & (codes[j] - codes[i]):
            return -1
        if state.under[lowest64(codes[j])] == NO_CARD:
            return j
    return -1


cdef inline int tally(State* state, int seat) noexcept nogil:
    return state.won[seat]


cdef bint maximising(State* state) noexcept nogil:
    return actor(state) == state.pov


cdef int value(State* state) noexcept nogil:
    return state.won[state.pov]


cdef void span(State* state, int* low, int* high) noexcept nogil:
    low[0] = state.won[state.pov]
    high[0] = low[0] + popcount64(state.held[actor(state)])


cdef int count_higher(State* state, uint64_t cards, uint64_t inplay) noexcept nogil:
    """For each of `cards`, the cards in play that beat it in its suit; the sum."""
    cdef int card, total = 0
    while cards:
        card = lowest64(cards)
        cards &= cards - 1
        total += popcount64(inplay & lane_of(card) & above(card))
    return total


cdef int guess(Search* search, State* state) noexcept nogil:
    """Right to a trick in five of six deals: a regression on the pov's trumps, and the cards above its cards, against
    the average of the others."""
    cdef uint64_t inplay = state.held[0] | state.held[1] | state.held[2] | state.held[3]
    cdef uint64_t mine = state.held[state.pov], theirs = inplay ^ mine, trumps = TRUMPS << 16 * state.trump
    cdef int others = state.players - 1
    cdef double trumpier = popcount64(mine & trumps) - <double>popcount64(theirs & trumps) / others
    cdef double higher = count_higher(state, mine, inplay) - <double>count_higher(state, theirs, inplay) / others
    cdef double share = 0.525, weight = 0.52
    if others > 1:
        share = 0.264 if others == 2 else 0.19
        weight = 0.9 if others == 2 else 1
    return state.won[state.pov] + <int>(share * popcount64(mine) + weight * trumpier - 0.11 * higher + 0.5)


cdef inline int renamed(int card, int trump) noexcept nogil:
    """Trumps change places with lane 0."""
    if card >> 4 == trump:
        return card & 15
    if card >> 4 == 0:
        return card | trump << 4
    return card


cdef uint64_t renamed_holding(uint64_t cards, int trump) noexcept nogil:
    cdef int shift = 16 * trump
    cdef uint64_t swapped = (cards ^ cards >> shift) & TRUMPS
    return cards if trump == 0 else cards ^ swapped ^ swapped << shift


# ---- the table ----

# An entry says of a trick-start position how many of the tricks to come its first player takes (two players: the
# leader; else: the pov). The key is exact, by construction: it holds in full, for each suit, which seat owns the cards
# in play from the lowest to the highest, and for each linked card of each seat in which *block* it is and in which the
# card under it. A block is a run of cards of one seat with no other seat's card in play between them (face-down cards
# are in play). Cards of a block are interchangeable, whatever their ranks, so positions with equal keys are the same
# but for names.
#
#   key[0]  lengths of the suits, 4 x 4 bits | low bit of the owners << 16, 36 bits | log2 of the nodes it took << 52
#   key[1]  links, 6 x 10 bits: (block of the top card + 1) | block of the card under it << 5; 0: none
#   key[2]  the next 6 links; each seat has 12 / players of the 12 places
#   key[3]  high bit of the owners, 36 bits | leader << 36 | 1 << 38 with more than two players | what is known << 40:
#           low 5 bits, high 5 bits, generation 14 bits
# A block is numbered by how many cards of others (and suits) lie below it: at most 27 + 3.

cdef struct Entry:
    uint64_t key[4]


cdef void size_window(Search* search, size_t entries) noexcept nogil:
    """Searches in as small a part of the table as will do, since it stays in the cache: it doubles with the nodes."""
    cdef size_t bytes = min(entries * sizeof(Entry), search.table_bytes)
    search.memory.window = (bytes - 1) & ~<uint64_t>63
    search.memory.grow_at = search.nodes + 4 * <int64_t>entries if bytes < search.table_bytes else <int64_t>1 << 62


cdef void fresh(Search* search, State* root) noexcept nogil:
    cdef int card, name
    cdef Memory* memory = &search.memory
    size_window(search, 1 << 15)
    memory.linked = 0
    memory.generation = (memory.generation + 1) & 0x3fff
    memset(memory.under, 0, sizeof(memory.under))
    for card in range(LANES):
        if root.under[card] != NO_CARD:
            name = renamed(card, root.trump)
            memory.under[name] = bit(renamed(root.under[card], root.trump))
            memory.linked |= bit(name)


cdef struct Known:
    int low                 # tricks the first player takes at least
    int high                # and at most


cdef inline uint64_t links(Search* search, uint64_t avail, uint64_t others) noexcept nogil:
    """The links of a seat, packed from the lowest top card up; `others`: others' cards in play, and SEPARATORS."""
    cdef uint64_t packed = 0, top, left = avail & search.memory.linked
    cdef int shift = 0
    while left:
        top = left & (0 - left)
        packed |= (<uint64_t>popcount64(others & (top - 1)) + 1
                   | <uint64_t>popcount64(others & (search.memory.under[lowest64(top)] - 1)) << 5) << shift
        shift += 10
        left ^= top
    return packed


cdef inline uint64_t lengths(uint64_t inplay) noexcept nogil:
    return (<uint64_t>popcount64(inplay & TRUMPS) | <uint64_t>popcount64(inplay >> 16 & TRUMPS) << 4
            | <uint64_t>popcount64(inplay >> 32 & TRUMPS) << 8 | <uint64_t>popcount64(inplay >> 48) << 12)


cdef enum:
    KNOWN = 40              # bit of key[3] where what is known begins
    WORK = 52               # bit of key[0] where the effort begins

cdef extern from *:
    """
    #define PLACES ((1ull << 52) - 1)
    """
    const uint64_t PLACES   # the part of key[0] that is a key

cdef inline bint counted(Search* search) noexcept nogil:
    """Counts a node; true when the search must be given up."""
    if unlikely(search.nodes >= search.memory.grow_at):
        size_window(search, 2 * (search.memory.window + 64) // sizeof(Entry))
    return tick(search)


cdef inline uint64_t mixed_key(Entry* key) noexcept nogil:
    return mix64(key.key[0] * 0x9e3779b97f4a7c15u ^ key.key[1] * 0xc2b2ae3d27d4eb4fu
                 ^ key.key[2] * 0x165667b19e3779f9u ^ key.key[3] * 0x27d4eb2f165667c5u)


cdef inline Entry* slot(Search* search, Entry* key) noexcept nogil:
    """The pair of entries where a key can be."""
    return <Entry*>(search.table + (mixed_key(key) & search.memory.window))


cdef inline bint same(Entry* entry, Entry* key) noexcept nogil:
    return (not (entry.key[0] ^ key.key[0]) & PLACES and entry.key[1] == key.key[1] and entry.key[2] == key.key[2]
            and not (entry.key[3] ^ key.key[3]) & ((<uint64_t>1 << KNOWN) - 1))


cdef inline void read_entry(Entry* entry, Known* known) noexcept nogil:
    cdef uint64_t packed = entry.key[3] >> KNOWN
    known.low = packed & 31
    known.high = packed >> 5 & 31


cdef inline bint probe(Entry* pair, Entry* key, Known* known) noexcept nogil:
    """Fills in what is known; false where nothing is."""
    if same(&pair[0], key):
        read_entry(&pair[0], known)
        return True
    if same(&pair[1], key):
        read_entry(&pair[1], known)
        return True
    return False


cdef inline int worth(Entry* entry, int generation) noexcept nogil:
    """What it would cost to lose an entry, in powers of two of nodes; nothing when it is from another root."""
    return <int>(entry.key[0] >> WORK) if <int>(entry.key[3] >> KNOWN + 10) == generation else 0


cdef inline void store(Search* search, Entry* pair, Entry* key, Known* known, int64_t nodes) noexcept nogil:
    """In the place of the same position; else the first of the pair keeps what cost more nodes to find out."""
    cdef int generation = search.memory.generation, chosen = 1
    key.key[0] = key.key[0] & PLACES | <uint64_t>highest64(nodes | 1) << WORK
    key.key[3] = (key.key[3] & ((<uint64_t>1 << KNOWN) - 1)
                  | (<uint64_t>known.low | <uint64_t>known.high << 5 | <uint64_t>generation << 10) << KNOWN)
    if same(&pair[0], key):
        chosen = 0
    elif not same(&pair[1], key) and worth(&pair[0], generation) <= worth(key, generation):
        pair[1] = pair[0]
        chosen = 0
    pair[chosen] = key[0]


# ---- ordering ----

cdef enum:
    FEATURES = 10
    OPENNESS = 8            # places in a row of weights, see below
    GAP = 9

# How soon to try a card: weights by kind of play, found by a hill climb on the nodes of deals that no benchmark uses.
# A row:
#   0  constant
#   1  for each card in play above it in its suit
#   2  for each card of its suit that the mover has
#   3  for each that the others have
#   4  it lies on another card,
#   5      which is a trump,
#   6      for each card in play above that one,
#   7      which none of the others can beat in its suit
#   8  for each answer to it that bounds leave open (leads of two players, last but one of more)
#   9  for each trick that they leave open
# The leads of MANY are of a seat against its opponents: the pov against all others, one of those against the pov.
LEADS = (
    (325, 34, 4, -2, 195, -3, 4, 7, -133, -106),   # beats all that can follow
    (52, 4, -9, -33, 185, 7, 15, 306, -69, -100),   # some follow above, some below
    (80, -18, 4, -12, 225, -2, -16, 28, -65, -101),   # all that can follow beat it
    (285, 10, 11, -56, 34, 45, 3, 72, -140, -101),   # the other trumps it
    (13, 51, -1, -61, 61, 0, 0, 145, -117, -95),   # nobody can follow or trump
    (270, 7, 4, 61, 1, 22, 7, 282, -73, -105),   # trumps: beats all that can follow
    (-2, 26, 17, 12, 0, 61, -3, 290, -62, -117),   # trumps: some follow above, some below
    (128, -32, -54, 56, 240, 16, -32, 232, -127, -104),   # trumps: all that can follow beat it
)
REPLIES = (
    (142, 28, 21, 31, 38, 10, 0, -10),   # follows and wins
    (-546, 4, -2, -20, 5, -3, 0, 5),   # follows and loses
    (95, 68, 7, -14, -40, -4, 2, 25),   # trumps
    (40, 27, 5, -44, 52, 4, 8, 70),   # discards
    (220, 50, 4, 0, 0, 58, 0, 120),   # follows with a winning trump
    (-187, 59, -14, -39, -18, 124, 6, 0),   # follows with a losing trump
)
MANY = (
    (450, 9, 0, -4, 2, 8, -2, 30, -50, -52),   # beats all that can follow
    (100, -5, 4, 0, 12, -6, 7, 10, -50, -50),   # some follow above, some below
    (85, 6, 4, 0, 7, 14, 0, 0, -50, -49),   # all that can follow beat it
    (122, 10, -4, 0, -2, 2, 38, 10, -50, -46),   # the other trumps it
    (395, 2, 0, 0, -80, -4, 0, -2, -50, -50),   # nobody can follow or trump
    (280, 3, 3, 4, 2, 0, 0, -10, -50, -20),   # trumps: beats all that can follow
    (0, 5, 4, 1, 0, 0, 0, -5, -50, -50),   # trumps: some follow above, some below
    (-110, 10, -8, 0, 0, 16, 0, 0, -20, -77),   # trumps: all that can follow beat it
    (360, 2, 0, 0, 20, 0, 0, -80, -50, -52),   # pov wins
    (-80, 10, -16, 0, 0, 1, 6, 45, 0, -50),   # pov loses
    (200, 10, 0, -8, 0, 0, 0, 0, -46, -50),   # others win against the pov
    (0, 8, 0, 0, -170, 8, 26, 0, -20, -50),   # others lose to the pov
    (0, 10, 20, 0, 20, 0, 0, 0, -50, -50),   # others win against a partner
    (100, 11, -7, 0, 0, 0, 0, 0, -50, -50),   # others lose to a partner
    (100, 40, 0, 0, 0, -34, -8, 155, -50, -50),   # pov wins, not following
    (0, 8, 0, 0, 0, 0, 0, -5, -62, -64),   # pov loses, not following
    (200, 10, 30, -20, -160, 4, 2, 2, -20, -46),   # others win against the pov, not following
    (0, 10, -14, -8, 20, -8, 0, 0, -66, -20),   # others lose to the pov, not following
    (0, 10, 0, 0, 160, -17, -16, 0, -54, -50),   # others win against a partner, not following
    (90, 10, 14, 4, 15, 2, -8, 2, -50, -50),   # others lose to a partner, not following
)
# ---- end of weights

cdef int32_t lead_weights[8][FEATURES]
cdef int32_t reply_weights[6][OPENNESS]     # these have no more
cdef int32_t many_weights[20][FEATURES]


def set_ordering(leads=LEADS, replies=REPLIES, many=MANY):
    """Other ordering weights, for all solvers of the process: for the program that looks for better ones."""
    cdef int i, j
    for j in range(FEATURES):
        for i in range(8):
            lead_weights[i][j] = leads[i][j]
        for i in range(20):
            many_weights[i][j] = many[i][j]
    for j in range(OPENNESS):
        for i in range(6):
            reply_weights[i][j] = replies[i][j]


set_ordering()


cdef inline uint64_t lowest_of_blocks(uint64_t cards, uint64_t others) noexcept nogil:
    """The lowest of `cards` in each block. In each stretch up to and with a bit of others or SEPARATORS, subtracting
    one at the start borrows as far as the lowest bit."""
    cdef uint64_t ends = others | SEPARATORS
    cdef uint64_t stretches = cards | ends
    return cards & ~(stretches - (ends << 1 | 1))


cdef inline int count_above(uint64_t cards, int card) noexcept nogil:
    """How many of `cards` beat a card in its suit."""
    return popcount64(cards & lane_of(card) & above(card))


cdef inline int weigh(Search* search, const int32_t* weights, int card, uint64_t mine, uint64_t theirs) noexcept nogil:
    cdef uint64_t inplay = mine | theirs, suit = lane_of(card), under = search.memory.under[card]
    cdef int score, below
    score = (weights[0] + weights[1] * count_above(inplay, card) + weights[2] * popcount64(mine & suit)
             + weights[3] * popcount64(theirs & suit))
    if under:
        below = lowest64(under)
        score += weights[4] + weights[5] * (below < 16) + weights[6] * count_above(inplay, below)
        if not theirs & lane_of(below) & above(below):
            score += weights[7]
    return score


cdef inline int lead_kind(int card, uint64_t reach) noexcept nogil:
    """What a lead can come to, by the cards the other can play."""
    cdef uint64_t suit = lane_of(card), follow = reach & suit
    cdef int kind
    if not follow:
        kind = 3 if reach & TRUMPS else 4
    elif not follow & above(card):
        kind = 0
    elif follow & ~above(card):
        kind = 1
    else:
        kind = 2
    return kind + 5 if card < 16 and kind < 3 else kind


cdef inline int reply_kind(int card, int lead) noexcept nogil:
    if card >> 4 == lead >> 4:
        return (0 if card > lead else 1) + (4 if lead < 16 else 0)
    return 2 if card < 16 else 3


# ---- two players ----

# Tricks that trumps win whatever happens, by who owns them: each trump of the other spoils at most one lower trump.
# Index: one bit for each trump in play, lowest first, 1 for the owner; a 1 above them. Low half-byte: of the 1s; high
# half-byte: of the 0s.
cdef uint8_t sure_by_owner[1024]


cdef void init_sure() noexcept nogil:
    cdef int pattern, i, length, ones, zeros, one_spoils, zero_spoils
    for pattern in range(1, 1024):
        length = highest64(pattern)
        ones = zeros = one_spoils = zero_spoils = 0
        for i in range(length - 1, -1, -1):
            if pattern >> i & 1:
                one_spoils += 1
                if zero_spoils:
                    zero_spoils -= 1
                else:
                    ones += 1
            else:
                zero_spoils += 1
                if one_spoils:
                    one_spoils -= 1
                else:
                    zeros += 1
        sure_by_owner[pattern] = ones | zeros << 4


init_sure()


cdef inline int sure_trumps(uint64_t mine, uint64_t theirs) noexcept nogil:
    """Tricks that trumps win whatever happens: low half-byte mine, high half-byte theirs."""
    cdef uint64_t trumps = (mine | theirs) & TRUMPS
    return sure_by_owner[pext64(mine, trumps) | <uint64_t>1 << popcount64(trumps)]


cdef inline uint64_t counts(uint64_t cards) noexcept nogil:
    """How many cards of each suit there are, lane by lane, for lanes of at most 8 cards."""
    cards -= cards >> 1 & <uint64_t>0x5555555555555555
    cards = (cards & <uint64_t>0x3333333333333333) + (cards >> 2 & <uint64_t>0x3333333333333333)
    return cards + (cards >> 4) & <uint64_t>0x000f000f000f000f


cdef inline int sum_of_least(uint64_t a, uint64_t b) noexcept nogil:
    """The smaller of two counts lane by lane, added up."""
    cdef uint64_t enough = (a | SEPARATORS) - b & SEPARATORS    # lanes where a >= b
    cdef uint64_t lanes = enough | enough - (enough >> 15)
    return ((b & lanes | a & ~lanes) * <uint64_t>0x0001000100010001) >> 48


cdef int exhausting(uint64_t avail, uint64_t tops, uint64_t theirs, uint64_t reach) noexcept nogil:
    """Side-suit tricks of a leader whom no trump can stop: his top cards, and the rest of a suit they exhaust."""
    cdef uint64_t suit = TRUMPS
    cdef int total = 0
    for _ in range(3):
        suit <<= 16
        if not theirs & ~reach & suit and popcount64(tops & suit) >= popcount64(theirs & suit):
            total += popcount64(avail & suit)
        else:
            total += popcount64(tops & suit)
    return total


cdef inline uint64_t up_to_highest(uint64_t cards) noexcept nogil:
    """Everything up to the highest of the cards in each suit, for lanes of at most 8 cards."""
    cards |= cards >> 1
    cards |= cards >> 2
    return cards | cards >> 4


cdef inline int cashable(uint64_t held, uint64_t avail, uint64_t theirs, uint64_t reach, uint64_t covered, int sure,
                         int need) noexcept nogil:
    """Tricks the leader of two is sure of; where they are less than `need` the number may be too large, but still less.

    Side cards above all that the other has can be led one after the other as long as he must follow. Where the leader
    can draw all the other's trumps, or he has none, nothing stops them, and every trump of the leader wins. `covered`:
    up_to_highest(theirs); `sure`: by trumps alone."""
    cdef uint64_t tops = avail & ~covered, enemy = theirs & TRUMPS
    cdef int most
    if not enemy & ~reach and popcount64(tops & TRUMPS) >= popcount64(enemy):
        return popcount64(held & TRUMPS) + exhausting(avail, tops, theirs, reach)
    tops &= ~TRUMPS
    most = sure + popcount64(tops)
    return sure + sum_of_least(counts(tops), counts(reach)) if most >= need else most


cdef inline bint wins(int card, int lead) noexcept nogil:
    """Whether a card takes over a trick that `lead` holds, trumps being lane 0."""
    return card > lead if card >> 4 == lead >> 4 else card < 16


cdef inline int take_best(int32_t* order, int n) noexcept nogil:
    """Takes the largest out of order[:n], which leaves n - 1; the number in its low bits."""
    cdef int i, best = 0
    cdef int32_t top
    for i in range(1, n):
        if order[i] > order[best]:
            best = i
    top = order[best]
    order[best] = order[n - 1]
    return top & 63


cdef struct Start:
    uint64_t held           # what the leader has
    uint64_t avail          # and can play
    uint64_t theirs         # what the other has
    uint64_t reach          # and can play
    int need                # tricks the leader has to take for the test to come true
    int left                # tricks to come
    Known known
    Entry key
    Entry* pair             # where the key is in the table


cdef struct Lead:
    uint64_t open           # replies after which bounds do not tell
    int gaps                # how many tricks they leave open, together


cdef enum:
    FAILS = 0
    HOLDS = 1
    OPEN = 2                # neither bounds nor table tell


cdef inline int judged(int need, Known* known) noexcept nogil:
    if need <= known.low:
        return HOLDS
    if need > known.high:
        return FAILS
    return OPEN


cdef inline uint64_t choices(Search* search, uint64_t moves, uint64_t others) noexcept nogil:
    """Of cards that can be played, those worth a try: one of each block, and all that lie on another card."""
    cdef uint64_t linked = moves & search.memory.linked
    return lowest_of_blocks(moves ^ linked, others) | linked


cdef inline bint last_trick(uint64_t held, uint64_t theirs) noexcept nogil:
    return not wins(lowest64(theirs), lowest64(held))


cdef inline int bounded(Start* start) noexcept nogil:
    """What can be told of a position without the table."""
    cdef int sure = sure_trumps(start.held, start.theirs)
    if start.left == 1:
        return start.need <= last_trick(start.held, start.theirs)
    if start.need > start.left - (sure >> 4):
        return FAILS
    if start.need <= cashable(start.held, start.avail, start.theirs, start.reach, up_to_highest(start.theirs),
                              sure & 15, start.need):
        return HOLDS
    return OPEN


cdef inline void key_two(Search* search, Start* start) noexcept nogil:
    cdef uint64_t inplay = start.held | start.theirs
    start.key.key[0] = lengths(inplay) | pext64(start.held, inplay) << 16
    start.key.key[1] = links(search, start.avail, start.theirs | SEPARATORS)
    start.key.key[2] = links(search, start.reach, start.held | SEPARATORS)
    start.key.key[3] = 0
    start.pair = slot(search, &start.key)
    prefetch(start.pair)


cdef inline int looked_up(Start* start) noexcept nogil:
    """What the table tells."""
    start.known.low = 0
    start.known.high = start.left
    probe(start.pair, &start.key, &start.known)
    return judged(start.need, &start.known)


cdef inline void after(Search* search, Start* next, Start* start, int lead, int reply) noexcept nogil:
    """The position after a trick, from the view of the one who leads then."""
    cdef uint64_t held = start.held ^ bit(lead), avail = start.avail ^ bit(lead) | search.memory.under[lead]
    cdef uint64_t theirs = start.theirs ^ bit(reply), reach = start.reach ^ bit(reply) | search.memory.under[reply]
    next.left = start.left - 1
    if wins(reply, lead):
        next.held, next.avail, next.theirs, next.reach = theirs, reach, held, avail
        next.need = start.left - start.need
    else:
        next.held, next.avail, next.theirs, next.reach = held, avail, theirs, reach
        next.need = start.need - 1


cdef inline int foreseen(Search* search, Start* start, int card, uint64_t replies, int sure, Lead* lead) noexcept nogil:
    """Whether bounds alone settle a lead; where they do not, what they leave open. `sure`: sure_trumps() before it."""
    cdef uint64_t held = start.held ^ bit(card), avail = start.avail ^ bit(card) | search.memory.under[card]
    cdef uint64_t covered = up_to_highest(held), theirs, reach, open = 0
    cdef int reply, trumps, low, high, need, gaps = 0, left = start.left - 1
    cdef bint taken
    while replies:
        reply = lowest64(replies)
        replies &= replies - 1
        theirs = start.theirs ^ bit(reply)
        reach = start.reach ^ bit(reply) | search.memory.under[reply]
        trumps = sure_trumps(held, theirs) if card < 16 or reply < 16 else sure
        taken = wins(reply, card)
        need = start.left - start.need if taken else start.need - 1
        if left == 1:
            low = high = last_trick(theirs, held) if taken else last_trick(held, theirs)
        elif taken:
            low = cashable(theirs, reach, held, avail, covered, trumps >> 4, need)
            high = left - (trumps & 15)
        else:
            low = cashable(held, avail, theirs, reach, up_to_highest(theirs), trumps & 15, need)
            high = left - (trumps >> 4)
        if need <= low:
            if taken:
                return FAILS
        elif need > high:
            if not taken:
                return FAILS
        else:
            open |= bit(reply)
            gaps += high - need + 1 if taken else need - low
    lead.open = open
    lead.gaps = gaps
    return OPEN if open else HOLDS


cdef inline int weigh_lead(Search* search, Start* start, int card, Lead* lead) noexcept nogil:
    cdef const int32_t* weights = lead_weights[lead_kind(card, start.reach)]
    return (weights[OPENNESS] * popcount64(lead.open) + weights[GAP] * lead.gaps
            + weigh(search, weights, card, start.held, start.theirs))


cdef bint answered(Search* search, Start* start, int lead, uint64_t replies) noexcept nogil:
    """After a lead, whether the leader takes the tricks he needs, this one included, whatever the reply."""
    cdef int32_t order[MAX_MOVES]
    cdef Start next[MAX_MOVES]
    cdef bint taken[MAX_MOVES]
    cdef int i, card, verdict, n = 0
    while replies:
        card = lowest64(replies)
        replies &= replies - 1
        after(search, &next[n], start, lead, card)
        key_two(search, &next[n])
        taken[n] = wins(card, lead)
        order[n] = weigh(search, reply_weights[reply_kind(card, lead)], card, start.theirs, start.held) * 64 + n
        n += 1
    for i in range(n):
        verdict = looked_up(&next[i])
        if verdict != OPEN and verdict == taken[i]:
            return False
    while n > 0:
        i = take_best(order, n)
        n -= 1
        if takes(search, &next[i]) == taken[i]:
            return False
    return True


cdef bint takes(Search* search, Start* start) noexcept nogil:
    """Whether the leader takes the tricks he needs; bounds did not tell."""
    cdef Lead leads[LANES]
    cdef uint64_t replies[4]
    cdef int32_t order[MAX_MOVES]
    cdef int i, card, verdict, sure, n = 0
    cdef int64_t before = search.nodes
    cdef uint64_t moves
    cdef bint result
    verdict = looked_up(start)
    if verdict != OPEN:
        return verdict
    if counted(search):
        return False
    for i in range(4):
        replies[i] = choices(search, playable(start.reach, TRUMPS << 16 * i, TRUMPS), start.held)
    sure = sure_trumps(start.held, start.theirs)
    moves = choices(search, start.avail, start.theirs)
    result = False
    while moves:
        card = lowest64(moves)
        moves &= moves - 1
        verdict = foreseen(search, start, card, replies[card >> 4], sure, &leads[card])
        if verdict == HOLDS:
            result = True
            break
        if verdict == OPEN:
            order[n] = weigh_lead(search, start, card, &leads[card]) * 64 + card
            n += 1
    while n > 0 and not result:
        card = take_best(order, n)
        n -= 1
        if answered(search, start, card, leads[card].open):
            result = True
    if search.aborted:
        return False
    if result:
        start.known.low = start.need
    else:
        start.known.high = start.need - 1
    store(search, start.pair, &start.key, &start.known, search.nodes - before)
    return result


# ---- three and four players: the pov, seat 0, against the others ----

cdef struct Node:
    uint64_t held[4]
    uint64_t avail[4]
    uint64_t inplay         # cards in play when the trick began
    uint64_t suit           # lane of the suit led
    int8_t players
    int8_t mover            # seat to play
    int8_t played           # cards in the trick
    int8_t best             # card that holds the trick
    int8_t taker            # who played it


cdef inline void put(Search* search, Node* node, int card) noexcept nogil:
    """The mover plays a card of his; the trick is not resolved."""
    node.held[node.mover] ^= bit(card)
    node.avail[node.mover] ^= bit(card) | search.memory.under[card]
    replay(node, card)


cdef inline void replay(Node* node, int card) noexcept nogil:
    """A card that is no longer with the mover comes to the trick."""
    if node.played == 0:
        node.suit = lane_of(card)
        node.best = card
        node.taker = node.mover
    elif wins(card, node.best):
        node.best = card
        node.taker = node.mover
    node.played += 1
    node.mover = node.mover + 1 if node.mover + 1 < node.players else 0


cdef inline int kind_many(Node* node, int card) noexcept nogil:
    """The row of MANY for a card."""
    cdef int kind
    if node.played == 0:
        return lead_kind(card, node.avail[1] | node.avail[2] | node.avail[3] if node.mover == 0 else node.avail[0])
    if node.mover == 0:
        kind = 8
    else:
        kind = 10 if node.taker == 0 else 12
    kind += not wins(card, node.best)
    return kind + 6 if not lane_of(card) & node.suit else kind


cdef inline int weigh_many(Search* search, const int32_t* weights, Node* node, int card) noexcept nogil:
    cdef uint64_t mine = node.held[node.mover]
    return weigh(search, weights, card, mine, node.inplay & ~mine)


cdef struct Round:
    Node node               # before a trick
    int need                # tricks the pov has to take for the test to come true
    int left                # tricks to come
    Known known
    Entry key
    Entry* pair             # where the key is in the table


cdef inline int cash_many(Node* node) noexcept nogil:
    """Side-suit tricks the pov can take at once when it leads: cards above all others, as long as everyone who has
    trumps must follow."""
    cdef uint64_t mine, others = node.inplay & ~node.held[0], suit = TRUMPS
    cdef int seat, winners, total = 0
    for _ in range(3):
        suit <<= 16
        mine = node.avail[0] & suit
        if others & suit:
            mine &= above(highest64(others & suit))
        winners = popcount64(mine)
        for seat in range(1, node.players):
            if winners and node.held[seat] & TRUMPS:
                winners = min(winners, popcount64(node.avail[seat] & suit))
        total += winners
    return total


cdef inline void bounds_many(Round* start) noexcept nogil:
    """Trumps that nothing can spoil: of the pov by any other, of each other by the pov (partners do not spoil them)."""
    cdef Node* node = &start.node
    cdef int seat, sure = 0
    for seat in range(1, node.players):
        sure = max(sure, sure_trumps(node.held[seat], node.held[0]) & 15)
    start.known.high = start.left - sure
    start.known.low = sure_trumps(node.held[0], node.inplay & ~node.held[0]) & 15
    if node.mover == 0:
        start.known.low += cash_many(node)


cdef int last_trick_many(Node* node) noexcept nogil:
    """Whether the pov wins when everybody has one card left."""
    for _ in range(node.players):
        replay(node, lowest64(node.held[node.mover]))
    return HOLDS if node.taker == 0 else FAILS


cdef inline int bounded_many(Round* start) noexcept nogil:
    """What can be told of a position before a trick without the table."""
    cdef Node* node = &start.node
    start.left = popcount64(node.held[0])
    if start.need <= 0:
        return HOLDS
    if start.need > start.left:
        return FAILS
    if start.left == 1:
        return last_trick_many(node)
    node.inplay = node.held[0] | node.held[1] | node.held[2] | node.held[3]
    bounds_many(start)
    return judged(start.need, &start.known)


cdef inline void key_many(Search* search, Round* start) noexcept nogil:
    cdef Node* node = &start.node
    cdef Entry* key = &start.key
    cdef uint64_t packed
    cdef int seat, places = 12 // node.players * 10, at = 0
    key.key[0] = lengths(node.inplay) | pext64(node.held[1] | node.held[3], node.inplay) << 16
    key.key[3] = pext64(node.held[2] | node.held[3], node.inplay) | <uint64_t>node.mover << 36 | <uint64_t>1 << 38
    key.key[1] = key.key[2] = 0
    for seat in range(node.players):
        packed = links(search, node.avail[seat], node.inplay & ~node.held[seat] | SEPARATORS)
        if at < 60:
            key.key[1] |= packed << at & (<uint64_t>1 << 60) - 1
            if at + places > 60:
                key.key[2] |= packed >> 60 - at
        else:
            key.key[2] |= packed << at - 60
        at += places
    start.pair = slot(search, key)
    prefetch(start.pair)


cdef uint64_t choices_many(Search* search, Node* node) noexcept nogil:
    cdef uint64_t moves = node.avail[node.mover]
    if node.played:
        moves = playable(moves, node.suit, TRUMPS)
    return choices(search, moves, node.inplay & ~node.held[node.mover])


cdef inline int closed(Search* search, Node* node, int card, int need, Round* next) noexcept nogil:
    """The last seat plays its card: what bounds tell."""
    next.node = node[0]
    put(search, &next.node, card)
    next.node.mover = next.node.taker
    next.node.played = 0
    next.need = need - (next.node.taker == 0)
    return bounded_many(next)


cdef inline int gap_many(Round* next, bint maximises) noexcept nogil:
    """How many tricks are missing to what one side wants, by bounds."""
    return next.need - next.known.low if maximises else next.known.high - next.need + 1


cdef inline int foreseen_many(Search* search, Node* node, int need, bint maximises, const int32_t* weights,
                              int32_t* score) noexcept nogil:
    """Whether bounds settle what the last seat can do; else by how much they leave it open, as part of the score of the
    card before, played by a seat that `maximises` or not: against a partner the least open answer is what counts."""
    cdef uint64_t moves = choices_many(search, node)
    cdef Round next
    cdef int card, verdict, gap, open = 0, gaps = 0, least = MORE_THAN_ALL
    cdef bint last = node.mover == 0
    while moves:
        card = lowest64(moves)
        moves &= moves - 1
        verdict = closed(search, node, card, need, &next)
        if verdict == last:
            return verdict
        if verdict == OPEN:
            gap = gap_many(&next, maximises)
            open += 1
            gaps += gap
            least = min(least, gap)
    if open == 0:
        return not last
    score[0] = weights[GAP] * least if last == maximises else weights[OPENNESS] * open + weights[GAP] * gaps
    return OPEN


cdef bint turn(Search* search, Node* node, int need) noexcept nogil:
    """In a trick: whether the pov takes at least `need` tricks, this one included."""
    cdef uint64_t moves
    cdef const int32_t* weights
    cdef int32_t score, order[MAX_MOVES]
    cdef Node child
    cdef int card, verdict, n = 0
    cdef bint maximises = node.mover == 0
    if node.played == node.players - 1:
        return last_turn(search, node, need)
    moves = choices_many(search, node)
    while moves:
        card = lowest64(moves)
        moves &= moves - 1
        weights = many_weights[kind_many(node, card)]
        score = 0
        if node.played == node.players - 2:
            child = node[0]
            put(search, &child, card)
            verdict = foreseen_many(search, &child, need, maximises, weights, &score)
            if verdict == maximises:
                return maximises
            if verdict != OPEN:
                continue
        order[n] = (score + weigh_many(search, weights, node, card)) * 64 + card
        n += 1
    while n > 0:
        child = node[0]
        put(search, &child, take_best(order, n))
        n -= 1
        if turn(search, &child, need) == maximises:
            return maximises
    return not maximises


cdef bint last_turn(Search* search, Node* node, int need) noexcept nogil:
    """The same for the last to play: first what bounds and the table tell, then the search."""
    cdef uint64_t moves = choices_many(search, node)
    cdef int32_t order[MAX_MOVES]
    cdef Round rounds[MAX_MOVES]
    cdef const int32_t* weights
    cdef int i, card, gap, verdict, n = 0
    cdef bint maximises = node.mover == 0
    while moves:
        card = lowest64(moves)
        moves &= moves - 1
        verdict = closed(search, node, card, need, &rounds[n])
        if verdict == OPEN:
            key_many(search, &rounds[n])
            gap = gap_many(&rounds[n], maximises)
            weights = many_weights[kind_many(node, card)]
            order[n] = (weights[GAP] * gap + weigh_many(search, weights, node, card)) * 64 + n
            n += 1
        elif verdict == maximises:
            return maximises
    for i in range(n):
        probe(rounds[i].pair, &rounds[i].key, &rounds[i].known)
        verdict = judged(rounds[i].need, &rounds[i].known)
        if verdict == maximises:
            return maximises
    while n > 0:
        i = take_best(order, n)
        n -= 1
        if reaches_many(search, &rounds[i]) == maximises:
            return maximises
    return not maximises


cdef bint reaches_many(Search* search, Round* start) noexcept nogil:
    """Before a trick: whether the pov takes the tricks it needs; bounds did not tell."""
    cdef int64_t before = search.nodes
    cdef int verdict
    cdef bint result
    probe(start.pair, &start.key, &start.known)
    verdict = judged(start.need, &start.known)
    if verdict != OPEN:
        return verdict
    if counted(search):
        return False
    result = turn(search, &start.node, start.need)
    if search.aborted:
        return False
    if result:
        start.known.low = start.need
    else:
        start.known.high = start.need - 1
    store(search, start.pair, &start.key, &start.known, search.nodes - before)
    return result


# ---- the root ----

cdef bint test_two(Search* search, State* state, const uint64_t* held, const uint64_t* avail, int need) noexcept nogil:
    cdef int card, verdict, leader = state.leader
    cdef uint64_t replies
    cdef Start start
    cdef Lead lead
    memset(&start, 0, sizeof(start))
    start.held, start.avail = held[leader], avail[leader]
    start.theirs, start.reach = held[1 - leader], avail[1 - leader]
    start.left = popcount64(held[1 - leader])
    start.need = need if leader == state.pov else start.left - need + 1
    if state.played:
        card = renamed(state.trick[0], state.trump)
        start.held |= bit(card)
        start.avail = start.avail & ~search.memory.under[card] | bit(card)
        replies = choices(search, playable(start.reach, lane_of(card), TRUMPS), start.held)
        verdict = foreseen(search, &start, card, replies, sure_trumps(start.held, start.theirs), &lead)
        if verdict == OPEN:
            verdict = answered(search, &start, card, lead.open)
    else:
        verdict = bounded(&start)
        if verdict == OPEN:
            key_two(search, &start)
            verdict = takes(search, &start)
    return verdict == (leader == state.pov)


cdef bint test_many(Search* search, State* state, const uint64_t* held, const uint64_t* avail, int need) noexcept nogil:
    cdef Round start
    cdef Node* node = &start.node
    cdef int i, seat, verdict
    memset(&start, 0, sizeof(start))
    start.need = need
    node.players = state.players
    for i in range(state.players):
        seat = (state.pov + i) % state.players
        node.held[i] = held[seat]
        node.avail[i] = avail[seat]
        node.inplay |= held[seat]
    node.mover = (state.leader + state.players - state.pov) % state.players
    if state.played == 0:
        verdict = bounded_many(&start)
        if verdict != OPEN:
            return verdict
        key_many(search, &start)
        return reaches_many(search, &start)
    for i in range(state.played):
        node.inplay |= bit(renamed(state.trick[i], state.trump))
        replay(node, renamed(state.trick[i], state.trump))
    return turn(search, node, need)


cdef bint at_least(Search* search, State* state, int bound) noexcept nogil:
    cdef uint64_t held[4], avail[4]
    cdef int seat
    for seat in range(state.players):
        held[seat] = renamed_holding(state.held[seat], state.trump)
        avail[seat] = renamed_holding(state.avail[seat], state.trump)
    if state.players == 2:
        return test_two(search, state, held, avail, bound - state.won[state.pov])
    return test_many(search, state, held, avail, bound - state.won[state.pov])


include "_atspek_max_n.pxi"
include "_atspek_judge.pxi"
