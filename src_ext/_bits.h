/* Bit tricks and machine odds and ends that Cython cannot say itself.

   One build serves every machine: where a BMI2/POPCNT instruction helps, a flag read once at import picks it or the
   portable code. The branch is always predicted, and the instruction stays inline, which a function pointer or
   per-function target attributes would not allow. -DSOLVER_PORTABLE leaves the portable code alone. */
#ifndef SOLVER_BITS_H
#define SOLVER_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <windows.h>
#else
#include <time.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

#ifdef SOLVER_DEBUG
#include <assert.h>
#define INVARIANT(condition) assert(condition)
#else
#define INVARIANT(condition) ((void)0)
#endif

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__) && !defined(SOLVER_PORTABLE)
#define SOLVER_X86 1
static int bits_has_bmi2 = 0;   /* PEXT is there and is not microcoded */
static int bits_has_popcnt = 0;
#endif

#if defined(_MSC_VER)
#define SOLVER_RESTRICT __restrict
#else
#define SOLVER_RESTRICT restrict
#endif

#if defined(__GNUC__) || defined(__clang__)
#define SOLVER_LIKELY(x) __builtin_expect(!!(x), 1)
#define SOLVER_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define SOLVER_LIKELY(x) (x)
#define SOLVER_UNLIKELY(x) (x)
#endif

/* Called once, when a kernel is imported. */
static void bits_init(void) {
#ifdef SOLVER_X86
    __builtin_cpu_init();
    bits_has_popcnt = __builtin_cpu_supports("popcnt") != 0;
    /* On AMD before Zen 3 (families 15h to 17h) PEXT takes hundreds of cycles. */
    bits_has_bmi2 = __builtin_cpu_supports("bmi2") && !__builtin_cpu_is("amdfam15h") && !__builtin_cpu_is("amdfam17h");
#endif
}

static inline int popcount64(uint64_t x) {
#ifdef SOLVER_X86
    if (SOLVER_LIKELY(bits_has_popcnt)) {
        uint64_t n;
        __asm__("popcnt %1, %0" : "=r"(n) : "r"(x) : "cc");
        return (int)n;
    }
#elif defined(__aarch64__) && defined(__GNUC__)
    return __builtin_popcountll(x);
#endif
    x = x - ((x >> 1) & 0x5555555555555555ull);
    x = (x & 0x3333333333333333ull) + ((x >> 2) & 0x3333333333333333ull);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0full;
    return (int)((x * 0x0101010101010101ull) >> 56);
}

/* Index of the lowest set bit; x must not be 0. */
static inline int lowest64(uint64_t x) {
    INVARIANT(x != 0);
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(x);
#else
    return popcount64((x & (0 - x)) - 1);
#endif
}

/* Index of the highest set bit; x must not be 0. */
static inline int highest64(uint64_t x) {
    INVARIANT(x != 0);
#if defined(__GNUC__) || defined(__clang__)
    return 63 ^ __builtin_clzll(x);     /* one instruction, where a difference would be three */
#else
    x |= x >> 1; x |= x >> 2; x |= x >> 4; x |= x >> 8; x |= x >> 16; x |= x >> 32;
    return popcount64(x) - 1;
#endif
}

/* The bits of x at the set bits of mask, packed to the low end. */
static inline uint64_t pext64(uint64_t x, uint64_t mask) {
    uint64_t packed = 0, place = 1;
#ifdef SOLVER_X86
    if (SOLVER_LIKELY(bits_has_bmi2)) {
        __asm__("pext %2, %1, %0" : "=r"(packed) : "r"(x), "rm"(mask));
        return packed;
    }
#endif
    for (; mask; mask &= mask - 1, place <<= 1)
        if (x & mask & (0 - mask)) packed |= place;
    return packed;
}

/* The low bits of x, spread out to the set bits of mask. */
static inline uint64_t pdep64(uint64_t x, uint64_t mask) {
    uint64_t spread = 0;
#ifdef SOLVER_X86
    if (SOLVER_LIKELY(bits_has_bmi2)) {
        __asm__("pdep %2, %1, %0" : "=r"(spread) : "r"(x), "rm"(mask));
        return spread;
    }
#endif
    for (; mask; mask &= mask - 1, x >>= 1)
        if (x & 1) spread |= mask & (0 - mask);
    return spread;
}

/* A 64-bit mix in which every bit of x reaches the high bits (to index tables, not to prove equality). */
static inline uint64_t mix64(uint64_t x) {
    x ^= x >> 32;
    x *= 0x9e3779b97f4a7c15ull;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9ull;
    return x ^ (x >> 32);
}

/* sums += amount * terms. A function of its own, and restrict: compilers then work on whole vectors. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((noinline, unused))
#endif
static void add_scaled(float *SOLVER_RESTRICT sums, const float *SOLVER_RESTRICT terms, float amount, int n) {
    for (int i = 0; i < n; i++)
        sums[i] += amount * terms[i];
}

static inline void prefetch(const void *where) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(where);
#else
    (void)where;
#endif
}

/* Nanoseconds on a clock that never goes back. */
static inline int64_t clock_ns(void) {
#if defined(_WIN32)
    LARGE_INTEGER now, rate;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&rate);
    return (int64_t)((double)now.QuadPart * 1e9 / (double)rate.QuadPart);
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#endif
}

/* A flag that another thread may set at any moment. */
static inline int32_t read_flag(const int32_t *flag) {
#if defined(__GNUC__) || defined(__clang__)
    return __atomic_load_n(flag, __ATOMIC_RELAXED);
#else
    return *(const volatile int32_t *)flag;
#endif
}

/* Zeroed memory whose first byte stands at a multiple of 64; free_aligned() takes it back. NULL when there is none.
   calloc hands out fresh pages lazily, so that a large table costs a small search nothing. */
static inline void *alloc_aligned(size_t bytes) {
    char *block = (char *)calloc(1, bytes + 64 + sizeof(void *)), *start;
    if (!block) return NULL;
    start = block + sizeof(void *);
    start += (64 - (uintptr_t)start % 64) % 64;
    memcpy(start - sizeof(void *), &block, sizeof(void *));
    return start;
}

/* Asks for large pages behind memory that will be hit all over: fewer address translations to wait for. */
static inline void want_large_pages(void *start, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const uintptr_t page = (uintptr_t)2 << 20, first = ((uintptr_t)start + page - 1) / page * page;
    const uintptr_t last = ((uintptr_t)start + bytes) / page * page;
    if (last > first) madvise((void *)first, last - first, MADV_HUGEPAGE);
#else
    (void)start;
    (void)bytes;
#endif
}

static inline void free_aligned(void *start) {
    void *block;
    if (!start) return;
    memcpy(&block, (char *)start - sizeof(void *), sizeof(void *));
    free(block);
}

#endif
