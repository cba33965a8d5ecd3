// What can be seen of a text alone: its fingerprint, size, scripts, end, and whether it loops.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "audit/word_stream.hpp"

namespace tertium::audit {

class TextTraits {
  public:
    // fingerprint, characters, words, looped, ends, then a count of letters by script
    static constexpr std::size_t columns = 5 + script_count;

    // Writes the row of a text. `looped` are the words of the longest stretch in which the same
    // words come at least four times in a row; `ends` is 1 where the text closes like a sentence.
    void operator()(std::string_view text, double* row);

  private:
    std::vector<std::uint64_t> words_;
};

}  // namespace tertium::audit
