#include "text/character_numbers.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "core/processor.hpp"
#include "text/tokens/token_edges.hpp"
#include "text/tokens/token_rules.hpp"
#include "text/utf8.hpp"

namespace tertium::text {
namespace {

#ifdef TERTIUM_AVX2

TERTIUM_AVX2 TERTIUM_INLINE __m256i between(__m256i bytes, int first, int last) {
    return _mm256_and_si256(
        _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8(static_cast<char>(first - 1))),
        _mm256_cmpgt_epi8(_mm256_set1_epi8(static_cast<char>(last + 1)), bytes));
}

// The bytes of a text of ASCII, without blanks: eight at a time, from which these are taken out at
// once. Behind the end, up to eight more are written.
TERTIUM_AVX2 core::Token* counted_bytes(std::string_view text, core::Token* end) {
    constexpr std::size_t step = 32;
    char padded[step];
    for (std::size_t begin = 0; begin < text.size(); begin += step) {
        const char* from = text.data() + begin;
        if (text.size() - begin < step) {
            std::memset(padded, ' ', step);
            from = static_cast<const char*>(std::memcpy(padded, from, text.size() - begin));
        }
        const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
        const __m256i blank = _mm256_or_si256(between(bytes, '\t', '\r'), between(bytes, 28, 32));
        std::uint32_t counted = ~static_cast<std::uint32_t>(_mm256_movemask_epi8(blank));
        for (std::size_t i = 0; i < step; i += 8, counted >>= 8) {
            const std::uint64_t kept = _pdep_u64(counted, 0x0101010101010101) * 0xFF;
            const auto left = static_cast<long long>(_pext_u64(tokens::load_word(from + i), kept));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(end),
                                _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(left)));
            end += std::popcount(counted & 0xFF);
        }
    }
    return end;
}

#endif

}  // namespace

void CharacterNumbers::clear() {
    others_.clear();
    other_numbers_.clear();
    if (marks_.empty()) marks_.resize(plane, 0);
    // Half of all marks are left to one text, and differences of marks fit a token.
    if (next_ > static_cast<core::Mark>(std::numeric_limits<core::Token>::max())) {
        std::ranges::fill(marks_, 0);
        next_ = 1;
    }
    first_ = next_;
}

// A blank is written too, and then overwritten: no branch depends on ASCII text. Beyond it, only
// some first bytes begin a blank. number(character, counted) is the number of one that counts.
template <class Number>
void CharacterNumbers::read(std::string_view text, bool blanks, std::vector<core::Token>& out,
                            Number&& number) {
    using tokens::kind::blank;
    using tokens::kind::lookup;
    const auto& kinds = tokens::rules_of(tokens::Tokenization::none).of_byte;
    out.resize(text.size());
    core::Token* end = out.data();
    for (std::size_t p = 0; p < text.size();) {
        const auto byte = static_cast<unsigned char>(text[p]);
        if (byte < 128) {
            const bool counted = blanks || !(kinds[byte] & blank);
            *end = number(char32_t{byte}, counted);
            end += counted;
            ++p;
            continue;
        }
        const utf8::CodePoint character = utf8::decode(text, p);
        p += character.length;
        if (!blanks && (kinds[byte] & lookup) != 0 &&
            (tokens::code_points[character.value] & tokens::property::blank) != 0) {
            continue;
        }
        *end++ = number(character.value, true);
    }
    out.resize(static_cast<std::size_t>(end - out.data()));
}

void CharacterNumbers::intern(std::string_view text, bool blanks, std::vector<core::Token>& out) {
    core::Mark next = next_;
    const core::Mark first = first_;
    const std::size_t most = size() + text.size() + 1;
    if (characters_.size() < most) characters_.resize(2 * most);
    char32_t* characters = characters_.data();
    read(text, blanks, out, [&](char32_t character, bool counted) {
        characters[next - first] = character;  // and written over unless it is new
        if (character >= plane) {
            const std::uint32_t other = others_.intern(character);
            if (other == other_numbers_.size()) {
                other_numbers_.push_back(static_cast<core::Token>(next++ - first));
            }
            return other_numbers_[other];
        }
        core::Mark& mark = marks_[character];
        const bool known = mark >= first;
        mark = known ? mark : next;
        next += counted && !known ? 1 : 0;
        return static_cast<core::Token>(mark - first);
    });
    next_ = next;
}

void CharacterNumbers::find(std::string_view text, bool blanks,
                            std::vector<core::Token>& out) const {
    read(text, blanks, out, [&](char32_t character, bool) {
        if (character >= plane) {
            const std::uint32_t other = others_.find(character);
            return other == core::no_number ? core::unknown : other_numbers_[other];
        }
        const core::Mark mark = marks_[character];
        return mark >= first_ ? static_cast<core::Token>(mark - first_) : core::unknown;
    });
}

bool CharacterNumbers::is_plain(std::string_view text) {
    std::uint64_t all = 0;
    std::size_t p = 0;
    for (std::uint64_t word = 0; p + sizeof word <= text.size(); p += sizeof word) {
        std::memcpy(&word, text.data() + p, sizeof word);
        all |= word;
    }
    for (; p < text.size(); ++p) all |= static_cast<unsigned char>(text[p]);
    return (all & 0x8080808080808080u) == 0;
}

void CharacterNumbers::plain(std::string_view text, bool blanks, std::vector<core::Token>& out) {
#ifdef TERTIUM_AVX2
    if (!blanks && core::has_avx2() && is_plain(text)) {
        out.resize(text.size() + 8);
        const core::Token* end = counted_bytes(text, out.data());
        out.resize(static_cast<std::size_t>(end - out.data()));
        return;
    }
#endif
    read(text, blanks, out, [](char32_t character, bool) {
        return character < plain_size ? static_cast<core::Token>(character) : core::unknown;
    });
}

}  // namespace tertium::text
