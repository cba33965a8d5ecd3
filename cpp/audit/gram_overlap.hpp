// How alike two texts are: the share of character trigrams that they have in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace tertium::audit {

class GramOverlap {
  public:
    // Twice the common trigrams over all (Dice), each as often as it occurs in both: 1 for the
    // same text, 0 where nothing is shared. Blanks count as one, ASCII letters in lower case.
    // Trigrams are counted by their hash; two that fall together are taken for the same.
    double operator()(std::string_view left, std::string_view right);

  private:
    static void read(std::string_view text, std::vector<std::uint32_t>& grams);

    std::vector<std::uint32_t> left_, right_;
    std::vector<std::uint32_t> counts_;  // all 0 between calls
};

}  // namespace tertium::audit
