// Numbers for the distinct characters of one text, given in the order of arrival: 0, 1, 2, …
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/hash_table.hpp"
#include "core/segment.hpp"

namespace tertium::text {

// The characters of the first plane have a mark each, as slots of a hash table have (see there), so
// that nothing is hashed or wiped; the rare ones beyond go to a table.
class CharacterNumbers {
  public:
    // One more than the highest number.
    std::size_t size() const { return next_ - first_; }

    // To be called before each text, and before the first one.
    void clear();

    // By number.
    std::span<const char32_t> characters() const { return {characters_.data(), size()}; }

    // The numbers of all characters, with or without blanks. New characters get a number …
    void intern(std::string_view text, bool blanks, std::vector<core::Token>& out);
    // … or are `unknown`.
    void find(std::string_view text, bool blanks, std::vector<core::Token>& out) const;

    // For a text of ASCII its bytes can be the numbers, and whatever is beyond is `unknown`.
    static constexpr std::size_t plain_size = 128;
    static bool is_plain(std::string_view text);
    static void plain(std::string_view text, bool blanks, std::vector<core::Token>& out);

  private:
    static constexpr char32_t plane = 0x10000;

    template <class Number>
    static void read(std::string_view text, bool blanks, std::vector<core::Token>& out,
                     Number&& number);

    struct Hash {
        std::uint64_t operator()(char32_t character) const { return core::mixed(character); }
    };

    std::vector<core::Mark> marks_;  // by character, from the first call of clear() on
    core::Mark first_ = 1;           // marks below are of a text before
    core::Mark next_ = 1;
    std::vector<char32_t> characters_;  // by number; of these the first size() are in use
    core::KeyNumbers<char32_t, Hash> others_;
    std::vector<core::Token> other_numbers_;
};

}  // namespace tertium::text
