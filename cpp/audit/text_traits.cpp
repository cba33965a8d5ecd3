#include "audit/text_traits.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace tertium::audit {
namespace {

constexpr std::size_t fewest_repeats = 4;

constexpr bool closes_sentence(char32_t code) {
    constexpr std::array marks = {U'.',      U'!',      U'?',      U':',      U';',      U'\u2026',
                                  U'\u3002', U'\uFF01', U'\uFF1F', U'\uFF0E', U'\uFF61', U'\uFF1A',
                                  U'\uFF1B', U'\u06D4', U'\u061F', U'\u0964', U'\u0965', U'\u0589',
                                  U'\u1362', U'\u203C', U'\u2047', U'\u2048', U'\u2049'};
    return std::ranges::find(marks, code) != marks.end();
}

// Quotes and brackets that may stand after the end of a sentence.
constexpr bool may_follow_end(char32_t code) {
    constexpr std::array marks = {U'"',      U'\'',     U')',      U']',      U'}',      U'\u00BB',
                                  U'\u2019', U'\u201C', U'\u201D', U'\u00AB', U'\u203A', U'\u300D',
                                  U'\u300F', U'\uFF09', U'\u3011', U'\u300B', U'*',      U'`'};
    return std::ranges::find(marks, code) != marks.end();
}

// The words of the longest stretch in which some words come at least four times in a row.
std::size_t longest_loop(std::span<const std::uint64_t> words) {
    std::size_t best = 0;
    for (std::size_t period = 1; period * fewest_repeats <= words.size(); ++period) {
        std::size_t same = 0;
        for (std::size_t i = period; i < words.size(); ++i) {
            same = words[i] == words[i - period] ? same + 1 : 0;
            if (same >= period * (fewest_repeats - 1)) best = std::max(best, same + period);
        }
    }
    return best;
}

}  // namespace

void TextTraits::operator()(std::string_view text, double* row) {
    words_.clear();
    const auto keep = [this](std::uint64_t word) { words_.push_back(word); };
    WordReader reader(keep);
    std::array<std::size_t, script_count> letters{};
    std::uint64_t fingerprint = hash_start;
    std::size_t characters = 0;
    bool ends = false;
    for_each_code_point(text, [&](char32_t code, text::tokens::Properties properties) {
        fingerprint = hashed(fingerprint, code);
        const Script script = reader.take(code, properties);
        if (properties & text::tokens::property::blank) return;
        ++characters;
        if (script != script_count) ++letters[script];
        if (script != script_count) {
            ends = false;
        } else if (!may_follow_end(code)) {
            ends = closes_sentence(code);
        }
    });
    reader.end();
    // A loop of very long lines is found by its first thousands of words.
    constexpr std::size_t most_words = 4096;
    const std::size_t looped =
        longest_loop(std::span(words_).first(std::min(words_.size(), most_words)));
    // 52 bits are what a double keeps to the last.
    *row++ =
        static_cast<double>((fingerprint ^ fingerprint >> 32) & ((std::uint64_t{1} << 52) - 1));
    *row++ = static_cast<double>(characters);
    *row++ = static_cast<double>(words_.size());
    *row++ = static_cast<double>(looped);
    *row++ = ends ? 1.0 : 0.0;
    for (const std::size_t count : letters) *row++ = static_cast<double>(count);
}

}  // namespace tertium::audit
