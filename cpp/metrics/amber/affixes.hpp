// Splits words into prefix, root and suffix by lists of each (AMBER's text type 6).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tertium::metrics::amber {

// A set of words over a … z that is walked letter by letter.
class LetterTrie {
  public:
    using Node = std::uint32_t;
    static constexpr Node root = 0;
    static constexpr Node none = ~Node{0};

    // Throws std::invalid_argument on anything but lower-case letters.
    void add(std::string_view word);

    Node step(Node node, char letter) const {
        if (letter < 'a' || letter > 'z') return none;
        return nodes_[node].next[static_cast<std::size_t>(letter - 'a')];
    }
    bool ends(Node node) const { return nodes_[node].end; }

  private:
    struct NodeData {
        NodeData() { next.fill(none); }
        std::array<Node, 26> next;
        bool end = false;
    };
    std::vector<NodeData> nodes_{NodeData{}};
};

// Where a word is cut: [0, root), [root, suffix) and [suffix, size), the first and the last of
// which may be empty.
struct WordCut {
    std::size_t root;
    std::size_t suffix;
};

class AffixList {
  public:
    static constexpr std::size_t longest_root = 63;
    // A root that the list does not know has to keep this many letters.
    static constexpr std::size_t shortest_unknown_root = 4;

    AffixList(const std::vector<std::string>& prefixes, const std::vector<std::string>& roots,
              const std::vector<std::string>& suffixes);

    // The cut of which the lists know the most letters; of several, the one with the longest
    // known root, then the one with the longest prefix.
    WordCut cut(std::string_view word) const;

  private:
    std::uint64_t root_lengths(std::string_view text) const;

    std::size_t shortest_root_ = shortest_unknown_root;
    LetterTrie prefixes_, roots_;
    LetterTrie suffixes_;  // backwards
};

}  // namespace tertium::metrics::amber
