/* Stairs: for every score of the opponent (0..15) the points the pov needs, 0..15; sixteen bytes in one register.

   Packed, a stair takes four bits, the sixteen of them one word of a table entry. */
#ifndef SOLVER_STAIRS_H
#define SOLVER_STAIRS_H

#include <stdint.h>

#if defined(__SSE2__) || defined(_M_X64)

#include <emmintrin.h>
typedef __m128i Stairs;

static inline Stairs stairs_least(Stairs a, Stairs b) { return _mm_min_epu8(a, b); }
static inline Stairs stairs_most(Stairs a, Stairs b) { return _mm_max_epu8(a, b); }

/* Every stair p lower, not below 0. */
static inline Stairs stairs_drop(Stairs a, int p) { return _mm_subs_epu8(a, _mm_set1_epi8((char)p)); }

/* Stair i becomes stair i + p (p = 1, 2, 4), with 0 beyond the last. */
static inline Stairs stairs_shift(Stairs a, int p) {
    return p == 1 ? _mm_srli_si128(a, 1) : p == 2 ? _mm_srli_si128(a, 2) : _mm_srli_si128(a, 4);
}

static inline Stairs stairs_unpack(uint64_t word) {
    const __m128i low = _mm_set1_epi8(15);
    __m128i pairs = _mm_cvtsi64_si128((long long)word);
    return _mm_unpacklo_epi8(_mm_and_si128(pairs, low), _mm_and_si128(_mm_srli_epi16(pairs, 4), low));
}

static inline uint64_t stairs_pack(Stairs a) {
    __m128i pairs = _mm_and_si128(_mm_or_si128(a, _mm_srli_epi16(a, 4)), _mm_set1_epi16(255));
    return (uint64_t)_mm_cvtsi128_si64(_mm_packus_epi16(pairs, pairs));
}

#else

typedef struct { uint8_t at[16]; } Stairs;

static inline Stairs stairs_least(Stairs a, Stairs b) {
    for (int i = 0; i < 16; i++) a.at[i] = a.at[i] < b.at[i] ? a.at[i] : b.at[i];
    return a;
}

static inline Stairs stairs_most(Stairs a, Stairs b) {
    for (int i = 0; i < 16; i++) a.at[i] = a.at[i] > b.at[i] ? a.at[i] : b.at[i];
    return a;
}

static inline Stairs stairs_drop(Stairs a, int p) {
    for (int i = 0; i < 16; i++) a.at[i] = (uint8_t)(a.at[i] > p ? a.at[i] - p : 0);
    return a;
}

static inline Stairs stairs_shift(Stairs a, int p) {
    for (int i = 0; i < 16; i++) a.at[i] = (uint8_t)(i + p < 16 ? a.at[i + p] : 0);
    return a;
}

static inline Stairs stairs_unpack(uint64_t word) {
    Stairs a;
    for (int i = 0; i < 16; i++) a.at[i] = (uint8_t)(word >> (4 * i) & 15);
    return a;
}

static inline uint64_t stairs_pack(Stairs a) {
    uint64_t word = 0;
    for (int i = 0; i < 16; i++) word |= (uint64_t)a.at[i] << (4 * i);
    return word;
}

#endif

#endif
