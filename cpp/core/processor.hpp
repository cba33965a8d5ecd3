// What compilers say differently, and what processors have: no other file asks for either.
//
// Code for AVX2 is compiled beside the rest on x86-64, and called where `has_avx2` says so when the
// program runs. Without it, and with compilers that know no vectors, the same bits come out slower.
#pragma once

#include <cstdint>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define TERTIUM_SSE2
#endif

#if defined(__GNUC__)  // GCC and Clang
#define TERTIUM_INLINE __attribute__((always_inline)) inline
#define TERTIUM_VECTOR(bytes) __attribute__((vector_size(bytes)))
#else
#define TERTIUM_INLINE inline
#endif

#if defined(__GNUC__) && defined(__x86_64__)
#include <immintrin.h>
#define TERTIUM_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#if defined(__clang__)
#define TERTIUM_SHUFFLE(one, other, ...) __builtin_shufflevector(one, other, __VA_ARGS__)
#else
#define TERTIUM_SHUFFLE(one, other, ...) \
    __builtin_shuffle(one, other, decltype((one) + (one)){__VA_ARGS__})
#endif
#endif

namespace tertium::core {

// All bits if it is so, else none, for code that does without a branch; the compiler, which would
// like one better, does not see where they come from.
inline std::uint64_t bits_if(bool so) {
    auto bits = static_cast<std::uint64_t>(-static_cast<std::int64_t>(so));
#if defined(__GNUC__)
    asm("" : "+r"(bits));
#endif
    return bits;
}

inline bool has_avx2() {
#ifdef TERTIUM_AVX2
    static const bool found = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                              __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    return found;
#else
    return false;
#endif
}

}  // namespace tertium::core
