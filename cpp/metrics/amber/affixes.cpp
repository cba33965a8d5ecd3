#include "metrics/amber/affixes.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "text/utf8.hpp"

namespace tertium::metrics::amber {

void LetterTrie::add(std::string_view word) {
    Node node = root;
    for (const char letter : word) {
        if (letter < 'a' || letter > 'z') {
            throw std::invalid_argument("affix '" + std::string(word) +
                                        "', expected lower-case letters a to z");
        }
        const auto place = static_cast<std::size_t>(letter - 'a');
        if (nodes_[node].next[place] == none) {
            nodes_[node].next[place] = static_cast<Node>(nodes_.size());
            nodes_.emplace_back();
        }
        node = nodes_[node].next[place];
    }
    nodes_[node].end = node != root;
}

AffixList::AffixList(const std::vector<std::string>& prefixes,
                     const std::vector<std::string>& roots,
                     const std::vector<std::string>& suffixes) {
    for (const std::string& prefix : prefixes) prefixes_.add(prefix);
    for (const std::string& suffix : suffixes)
        suffixes_.add(std::string(suffix.rbegin(), suffix.rend()));
    for (const std::string& word : roots) {
        if (word.size() > longest_root) {
            throw std::invalid_argument("root '" + word + "', expected at most 63 letters");
        }
        roots_.add(word);
        shortest_root_ = std::min(shortest_root_, word.size());
    }
}

// Bit n says that the first n letters are a root.
std::uint64_t AffixList::root_lengths(std::string_view text) const {
    std::uint64_t lengths = 0;
    LetterTrie::Node node = LetterTrie::root;
    for (std::size_t i = 0; i < text.size(); ++i) {
        node = roots_.step(node, text[i]);
        if (node == LetterTrie::none) break;
        if (roots_.ends(node)) lengths |= std::uint64_t{1} << (i + 1);
    }
    return lengths;
}

WordCut AffixList::cut(std::string_view word) const {
    const std::size_t size = word.size();
    const std::size_t letters = text::utf8::length(word);
    WordCut best{0, size};
    if (letters <= shortest_root_) return best;  // no letter is left for an affix
    auto best_key = std::tuple<std::size_t, std::size_t, std::size_t>(0, 0, 0);
    LetterTrie::Node prefix = LetterTrie::root;
    for (std::size_t begin = 0; begin < size; ++begin) {
        if (begin > 0) {
            prefix = prefixes_.step(prefix, word[begin - 1]);
            if (prefix == LetterTrie::none) break;
            if (!prefixes_.ends(prefix)) continue;
        }
        const std::uint64_t roots = root_lengths(word.substr(begin));
        LetterTrie::Node suffix = LetterTrie::root;
        for (std::size_t end = size; end > begin; --end) {
            if (end < size) {
                suffix = suffixes_.step(suffix, word[end]);
                if (suffix == LetterTrie::none) break;
                if (!suffixes_.ends(suffix)) continue;
            }
            // Affixes are ASCII, so bytes outside of the root are letters.
            const std::size_t affixes = begin + (size - end);
            const std::size_t length = end - begin;
            const bool known = length <= longest_root && (roots >> length & 1) != 0;
            if (!known && letters - affixes < shortest_unknown_root) continue;
            const std::size_t known_root = known ? length : 0;
            const auto key = std::tuple(affixes + known_root, known_root, begin);
            if (key > best_key) {
                best_key = key;
                best = {begin, end};
            }
        }
    }
    return best;
}

}  // namespace tertium::metrics::amber
