// What compilers say differently, and what processors have: no other file asks for either.
//
// Code for AVX2 and AVX-512 is compiled beside the rest on x86-64, and called where `has_avx2` and
// `has_avx512` say so when the program runs. Without them, and with compilers that know no vectors,
// the same bits come out slower.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

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
#if defined(__clang__)
#include <immintrin.h>
#else
// Vectors of which no bit matters are begun with none, which GCC takes for a slip of its own
// header.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif
#define TERTIUM_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define TERTIUM_AVX512                                                           \
    __attribute__((                                                              \
        target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx2,bmi,bmi2," \
               "popcnt")))
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

// What the processor has; TERTIUM_VECTORS=none or avx2 asks for less, so that a test can run what
// other processors would.
enum class Vectors { none, avx2, avx512 };

inline Vectors vectors_found() {
#ifdef TERTIUM_AVX2
    const char* const wanted = std::getenv("TERTIUM_VECTORS");
    const std::string_view most = wanted == nullptr ? "" : wanted;
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    if (!avx2 || most == "none") return Vectors::none;
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512vl") &&
                        __builtin_cpu_supports("avx512vbmi") &&
                        __builtin_cpu_supports("avx512vbmi2");
    return avx512 && most != "avx2" ? Vectors::avx512 : Vectors::avx2;
#else
    return Vectors::none;
#endif
}

inline Vectors vectors() {
    static const Vectors found = vectors_found();
    return found;
}

inline bool has_avx2() {
    return vectors() >= Vectors::avx2;
}

inline bool has_avx512() {
    return vectors() >= Vectors::avx512;
}

}  // namespace tertium::core
