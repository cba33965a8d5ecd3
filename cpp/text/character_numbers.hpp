// Numbers for the distinct characters of one text, given in the order of arrival: 0, 1, 2, …
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/hash_table.hpp"
#include "core/segment.hpp"

namespace tertium::text {

class CharacterNumbers {
  public:
    CharacterNumbers() { ascii_.fill(core::unknown); }

    // One more than the highest number.
    std::size_t size() const { return static_cast<std::size_t>(count_); }

    void clear();

    // The numbers of all characters, with or without blanks. New characters get a number …
    void intern(std::string_view text, bool blanks, std::vector<core::Token>& out);
    // … or are `unknown`.
    void find(std::string_view text, bool blanks, std::vector<core::Token>& out) const;

  private:
    template <class Ascii, class Other>
    static void read(std::string_view text, bool blanks, std::vector<core::Token>& out,
                     Ascii&& ascii, Other&& other);

    std::array<core::Token, 128> ascii_;
    struct Hash {
        std::uint64_t operator()(char32_t character) const { return core::mixed(character); }
    };

    core::KeyNumbers<char32_t, Hash> others_;
    std::vector<core::Token> other_numbers_;
    core::Token count_ = 0;
};

}  // namespace tertium::text
