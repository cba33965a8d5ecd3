// Cases made up from others: bytes changed, put in, left out, repeated, or taken from two of them.
// Nothing is known of what a case leads to, so that this finds less than libFuzzer does, but much
// more often.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

namespace tertium::fuzz {

using Case = std::vector<std::uint8_t>;

class MadeUpCases {
  public:
    MadeUpCases(std::vector<Case> known, std::uint64_t seed)
        : known_(std::move(known)), random_(seed) {
        if (known_.empty()) known_.emplace_back();
    }

    const Case& next() {
        made_ = known_[below(known_.size())];
        const std::size_t changes = 1 + below(6);
        for (std::size_t i = 0; i < changes; ++i) change();
        if (made_.size() > longest) made_.resize(longest);
        return made_;
    }

  private:
    static constexpr std::size_t longest = 512;  // as in tools/fuzz.py
    // Ends of lines, edges of numbers, and parts of characters of one to four bytes.
    static constexpr std::string_view telling = {
        "\n\0\xFF\x7F\x80 .-&<\t\r\xC2\xA0\xE3\x80\xF0\x9F", 18};

    std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
    std::ptrdiff_t place() { return static_cast<std::ptrdiff_t>(below(made_.size() + 1)); }
    std::uint8_t byte() {
        const bool any = below(2) == 0;
        return any ? static_cast<std::uint8_t>(below(256))
                   : static_cast<std::uint8_t>(telling[below(telling.size())]);
    }
    // From a place on, some bytes of a case: mostly a few, at times all that follow.
    std::pair<std::size_t, std::size_t> part_of(const Case& some) {
        const std::size_t begin = below(some.size() + 1);
        const std::size_t most = below(4) == 0 ? some.size() : 8;
        return {begin, std::min(some.size(), begin + below(most + 1))};
    }

    void change() {
        switch (below(5)) {
            case 0:
                if (!made_.empty()) made_[below(made_.size())] = byte();
                break;
            case 1:
                made_.insert(made_.begin() + place(), byte());
                break;
            case 2: {
                const auto [begin, end] = part_of(made_);
                made_.erase(made_.begin() + static_cast<std::ptrdiff_t>(begin),
                            made_.begin() + static_cast<std::ptrdiff_t>(end));
                break;
            }
            case 3:
                put_in(made_);
                break;
            default:
                put_in(known_[below(known_.size())]);
        }
    }

    void put_in(const Case& from) {
        const auto [begin, end] = part_of(from);
        const Case part(from.begin() + static_cast<std::ptrdiff_t>(begin),
                        from.begin() + static_cast<std::ptrdiff_t>(end));
        made_.insert(made_.begin() + place(), part.begin(), part.end());
    }

    std::vector<Case> known_;
    std::mt19937_64 random_;
    Case made_;
};

}  // namespace tertium::fuzz
