// A corpus that is made up the same everywhere, and digests of what is computed of it.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "text/texts.hpp"
#include "text/utf8.hpp"

namespace tertium::portable {

using text::Texts;

// Numbers that depend on nothing but the seed (Lehmer 1951, with the multiplier of Park and
// Miller).
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : state_(seed) {}
    std::size_t below(std::size_t bound) {
        state_ = state_ * 48271 % 2147483647;
        return static_cast<std::size_t>(state_ % bound);
    }

  private:
    std::uint64_t state_;
};

// FNV-1a over bytes.
class Digest {
  public:
    void add(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const unsigned char*>(data);
        for (std::size_t i = 0; i < size; ++i) value_ = (value_ ^ bytes[i]) * 0x100000001B3u;
    }
    void print(const char* name) const {
        std::printf("%-16s %016llx\n", name, static_cast<unsigned long long>(value_));
    }

  private:
    std::uint64_t value_ = 0xCBF29CE484222325u;
};

inline void print(const char* name, std::span<const double> numbers) {
    Digest digest;
    for (const double number : numbers) {
        const auto bits = std::bit_cast<std::uint64_t>(number);
        unsigned char bytes[8];  // the lowest first, whatever this processor likes
        for (std::size_t i = 0; i < 8; ++i) bytes[i] = static_cast<unsigned char>(bits >> 8 * i);
        digest.add(bytes, sizeof bytes);
    }
    digest.print(name);
}

// The same of numbers that `pow` of the C library had a part in, whose last bit differs from one
// processor to the next: 11 digits of each.
inline void print_digits(const char* name, std::span<const double> numbers) {
    Digest digest;
    for (const double number : numbers) {
        char text[32];
        const int size = std::snprintf(text, sizeof text, "%.10e ", number);
        digest.add(text, static_cast<std::size_t>(size));
    }
    digest.print(name);
}

// Words of several scripts, numbers and marks; few enough that texts share some.
inline std::string word(std::size_t number) {
    constexpr char32_t scripts[] = {U'a', U'à', 0x3B1, 0x430, 0x5D0, 0x627, 0x915, 0x4E00, 0x1F600};
    constexpr const char* marks[] = {",", ".", "3.5", "1,000", "-", "(", "\"", "U.S."};
    if (number % 5 == 4) return marks[number / 5 % std::size(marks)];
    std::string out;
    const char32_t first = scripts[number % std::size(scripts)];
    for (std::size_t i = 0; i <= number % 7; ++i) {
        text::utf8::append(out, first + static_cast<char32_t>((number * 7 + i * 3) % 20));
    }
    return out;
}

inline Texts made_up(std::size_t segments, std::uint64_t seed) {
    Texts texts;
    for (std::size_t i = 0; i < segments; ++i) {
        Numbers own(1 + i), change(seed + i);
        std::string text;
        // Some are longer than what 64 bits hold, and than what tables do.
        const std::size_t words = i % 97 == 0 ? 300 : i % 13 == 0 ? 90 : 1 + own.below(40);
        for (std::size_t w = 0; w < words; ++w) {
            const std::size_t same = own.below(60 + i % 50);
            if (change.below(12) == 0) continue;
            if (!text.empty() && change.below(9) != 0) text += ' ';
            text += word(change.below(6) == 0 ? change.below(100) : same);
        }
        texts.append(text);
    }
    return texts;
}

struct Corpus {
    Texts hypotheses, first, second;
    std::vector<const Texts*> columns{&first, &second};

    explicit Corpus(std::size_t segments)
        : hypotheses(made_up(segments, 11)),
          first(made_up(segments, 5000)),
          second(made_up(segments, 9000)) {}
    Corpus(const Corpus&) = delete;
    Corpus& operator=(const Corpus&) = delete;
};

}  // namespace tertium::portable
