#include "text/utf8_encoding.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "core/processor.hpp"

namespace tertium::text {
namespace {

// Up to three bytes in the order of writing, and how many they are.
struct Form {
    std::uint8_t bytes[3];
    std::uint8_t length;  // 0 for a surrogate
};

// A text has few of these characters, so that their part of the table stays in the cache.
constexpr auto forms = [] {
    std::array<Form, 0x10000> made{};
    for (std::uint32_t c = 0; c < made.size(); ++c) {
        const auto last = static_cast<std::uint8_t>(0x80 | (c & 0x3F));
        const auto middle = static_cast<std::uint8_t>(0x80 | (c >> 6 & 0x3F));
        if (c < 0x80) {
            made[c] = {{static_cast<std::uint8_t>(c)}, 1};
        } else if (c < 0x800) {
            made[c] = {{static_cast<std::uint8_t>(0xC0 | c >> 6), last}, 2};
        } else if (c < 0xD800 || c > 0xDFFF) {
            made[c] = {{static_cast<std::uint8_t>(0xE0 | c >> 12), middle, last}, 3};
        }
    }
    return made;
}();

// Without a branch for each character: in most scripts blanks and letters take different numbers of
// bytes. As many bytes are written as a form has, and what is too much is written over. False if
// there is a surrogate.
template <class Character>
bool encode(const Character* from, const Character* until, char*& end) {
    bool surrogates = false;
    for (; from != until; ++from) {
        const Form form = forms[*from];
        std::memcpy(end, &form, sizeof form);
        end += form.length;
        surrogates |= form.length == 0;
    }
    return !surrogates;
}

#ifdef TERTIUM_SSE2

// Most characters of a text of Latin letters are ASCII, and go 16 at a time.
bool encode_runs(const std::uint8_t* from, const std::uint8_t* until, char*& end) {
    while (until - from >= 16) {
        const __m128i some = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(end), some);
        // A bit beyond them all, so that there is a lowest one.
        const unsigned others = static_cast<unsigned>(_mm_movemask_epi8(some)) | 1U << 16;
        const int plain = std::countr_zero(others);
        from += plain;
        end += plain;
        if (plain == 16) continue;
        encode(from, from + 1, end);
        ++from;
    }
    return encode(from, until, end);
}

#else

bool encode_runs(const std::uint8_t* from, const std::uint8_t* until, char*& end) {
    return encode(from, until, end);
}

#endif

#ifdef TERTIUM_AVX2

// How four forms, each in four bytes, are moved together. By which of them take one byte (bits 0 to
// 3), and which at most two (bits 4 to 7).
struct Move {
    std::uint8_t places[16];
};
constexpr std::size_t form_length(std::size_t number, std::size_t character) {
    return (number >> character & 1) != 0 ? 1 : (number >> (character + 4) & 1) != 0 ? 2 : 3;
}
constexpr auto moves = [] {
    std::array<Move, 256> made{};
    for (std::size_t number = 0; number < made.size(); ++number) {
        std::size_t end = 0;
        for (std::size_t character = 0; character < 4; ++character) {
            for (std::size_t i = 0; i < form_length(number, character); ++i) {
                made[number].places[end++] = static_cast<std::uint8_t>(4 * character + i);
            }
        }
    }
    return made;
}();
constexpr auto moved_lengths = [] {
    std::array<std::uint8_t, 256> made{};
    for (std::size_t number = 0; number < made.size(); ++number) {
        for (std::size_t character = 0; character < 4; ++character) {
            made[number] = static_cast<std::uint8_t>(made[number] + form_length(number, character));
        }
    }
    return made;
}();

TERTIUM_AVX2 TERTIUM_INLINE __m256i all(int number) {
    return _mm256_set1_epi32(number);
}

// What `encode` does, for eight characters at once.
TERTIUM_AVX2 bool encode_eights(const std::uint16_t* from, const std::uint16_t* until, char*& end) {
    const auto place = [](unsigned number) TERTIUM_AVX2 {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(moves[number].places));
    };
    __m256i surrogates = _mm256_setzero_si256();
    char* to = end;
    for (; until - from >= 8; from += 8) {
        const __m256i codes =
            _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
        surrogates = _mm256_or_si256(
            surrogates, _mm256_cmpeq_epi32(_mm256_and_si256(codes, all(0xF800)), all(0xD800)));
        const __m256i two = _mm256_cmpgt_epi32(all(0x800), codes);
        const __m256i last = _mm256_and_si256(codes, all(0x3F));
        const __m256i above = _mm256_srli_epi32(codes, 6);
        const __m256i middle = _mm256_slli_epi32(_mm256_and_si256(above, all(0x3F)), 8);
        const __m256i of_three =
            _mm256_or_si256(_mm256_or_si256(_mm256_srli_epi32(codes, 12), all(0x8080E0)),
                            _mm256_or_si256(middle, _mm256_slli_epi32(last, 16)));
        if (_mm256_testz_si256(two, two) != 0) {  // as in most Chinese text
            const __m256i places = _mm256_broadcastsi128_si256(place(0));
            const __m256i moved = _mm256_shuffle_epi8(of_three, places);
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(moved));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 12),
                             _mm256_extracti128_si256(moved, 1));
            to += 24;
            continue;
        }
        const __m256i one = _mm256_cmpgt_epi32(all(0x80), codes);
        const __m256i of_two =
            _mm256_or_si256(_mm256_or_si256(above, all(0x80C0)), _mm256_slli_epi32(last, 8));
        const __m256i forms_of =
            _mm256_blendv_epi8(_mm256_blendv_epi8(of_three, of_two, two), codes, one);
        const auto ones = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(one)));
        const auto twos = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(two)));
        const unsigned first = (ones & 0x0F) | (twos & 0x0F) << 4;
        const unsigned second = ones >> 4 | (twos & 0xF0);
        const __m256i places =
            _mm256_inserti128_si256(_mm256_castsi128_si256(place(first)), place(second), 1);
        const __m256i moved = _mm256_shuffle_epi8(forms_of, places);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_castsi256_si128(moved));
        to += moved_lengths[first];
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm256_extracti128_si256(moved, 1));
        to += moved_lengths[second];
    }
    end = to;
    if (_mm256_testz_si256(surrogates, surrogates) == 0) return false;
    return encode(from, until, end);
}

TERTIUM_AVX512 TERTIUM_INLINE __m512i all_wide(int number) {
    return _mm512_set1_epi32(number);
}

// The same for sixteen, and for what is left behind the last of them.
TERTIUM_AVX512 bool encode_sixteens(const std::uint16_t* from, const std::uint16_t* until,
                                    char*& end) {
    constexpr std::uint64_t first_bytes = 0x1111111111111111;
    std::uint32_t surrogates = 0;
    char* to = end;
    while (from != until) {
        const auto some = static_cast<unsigned>(std::min<std::ptrdiff_t>(until - from, 16));
        const auto there = static_cast<__mmask16>((1U << some) - 1);
        const __m512i codes = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(there, from));
        surrogates |=
            _mm512_cmpeq_epi32_mask(_mm512_and_si512(codes, all_wide(0xF800)), all_wide(0xD800));
        const __m512i last = _mm512_and_si512(codes, all_wide(0x3F));
        const __m512i above = _mm512_srli_epi32(codes, 6);
        const __m512i middle = _mm512_slli_epi32(_mm512_and_si512(above, all_wide(0x3F)), 8);
        const __m512i of_three =
            _mm512_or_si512(_mm512_or_si512(_mm512_srli_epi32(codes, 12), all_wide(0x8080E0)),
                            _mm512_or_si512(middle, _mm512_slli_epi32(last, 16)));
        const __m512i of_two =
            _mm512_or_si512(_mm512_or_si512(above, all_wide(0x80C0)), _mm512_slli_epi32(last, 8));
        __m512i forms_of = _mm512_mask_mov_epi32(
            of_three, _mm512_cmplt_epu32_mask(codes, all_wide(0x800)), of_two);
        forms_of =
            _mm512_mask_mov_epi32(forms_of, _mm512_cmplt_epu32_mask(codes, all_wide(0x80)), codes);
        // Each character has a first byte, which may be 0; of the other bytes none is.
        const std::uint64_t bytes =
            _mm512_test_epi8_mask(forms_of, forms_of) | (first_bytes >> (64 - 4 * some));
        _mm512_storeu_si512(to, _mm512_maskz_compress_epi8(bytes, forms_of));
        to += std::popcount(bytes);
        from += some;
    }
    end = to;
    return surrogates == 0;
}

bool encode_runs(const std::uint16_t* from, const std::uint16_t* until, char*& end) {
    if (core::has_avx512()) return encode_sixteens(from, until, end);
    return core::has_avx2() ? encode_eights(from, until, end) : encode(from, until, end);
}

#else

bool encode_runs(const std::uint16_t* from, const std::uint16_t* until, char*& end) {
    return encode(from, until, end);
}

#endif

}  // namespace

char* write_utf8(std::span<const std::uint8_t> characters, char* to) {
    const std::uint8_t* const from = characters.data();
    return encode_runs(from, from + characters.size(), to) ? to : nullptr;
}

char* write_utf8(std::span<const std::uint16_t> characters, char* to) {
    const std::uint16_t* const from = characters.data();
    return encode_runs(from, from + characters.size(), to) ? to : nullptr;
}

}  // namespace tertium::text
