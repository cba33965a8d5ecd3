// A table of paraphrases: phrases as nodes of a tree of words, each with the phrases that may
// stand for it. Meteor's table, and any other of the same form.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hash_table.hpp"
#include "metrics/meteor/sections.hpp"
#include "text/string_table.hpp"

namespace tertium::metrics::meteor {

class MeteorPhrases {
  public:
    // Reads a table that `PhraseTableBuilder` made; the bytes must outlive the object.
    explicit MeteorPhrases(Bytes table);

    std::string_view checksum() const { return checksum_; }
    std::size_t entries() const { return targets_.size(); }

    std::uint32_t word(std::string_view text) const { return words_.find(text); }

    // A phrase is a node; 0, the root, is no phrase and stands for "not there".
    std::uint32_t first(std::uint32_t word) const {
        return word < first_nodes_.size() ? first_nodes_[word] : 0;
    }
    std::uint32_t next(std::uint32_t node, std::uint32_t word) const;
    // Whether the words up to here are a phrase of the table, and not only begin one.
    bool is_phrase(std::uint32_t node) const { return node < marks_.size() && marks_[node] != 0; }
    // What may stand for it, in the order of the table.
    std::span<const std::uint32_t> paraphrases(std::uint32_t node) const {
        return items_of(target_begins_, targets_, node);
    }

  private:
    std::string_view checksum_;
    text::StringTableView words_;
    std::span<const std::uint32_t> first_nodes_;   // by word
    std::span<const std::uint32_t> labels_;        // by node: its last word
    std::span<const std::uint32_t> child_begins_;  // by node; children ascend by label
    std::span<const std::uint32_t> target_begins_, targets_;
    std::span<const std::uint8_t> marks_;
};

// Takes a table of three lines an entry (probability, phrase, paraphrase) in pieces.
class PhraseTableBuilder {
  public:
    // About so many different beginnings of phrases will come.
    explicit PhraseTableBuilder(std::size_t expected = std::size_t{1} << 15) {
        nodes_.clear(expected);
    }

    void feed(std::string_view piece);
    // Throws std::invalid_argument where the last entry is not complete.
    std::string finish(std::string_view checksum);

  private:
    void take_line(std::string_view line);
    std::uint32_t node_of(std::string_view phrase);
    std::uint32_t child(std::uint32_t parent, std::uint32_t word);

    using Child = std::pair<std::uint32_t, std::uint32_t>;  // parent and word
    struct Hash {
        std::uint64_t operator()(const Child& child) const {
            const std::uint64_t key = std::uint64_t{child.first} << 32 | child.second;
            return core::mixed(key ^ key >> 29);
        }
    };

    text::StringTable words_;
    core::KeyNumbers<Child, Hash> nodes_;                           // all but the root
    std::vector<Child> tree_{{0, 0}};                               // by node
    std::vector<std::pair<std::uint32_t, std::uint32_t>> entries_;  // phrase, paraphrase
    std::string rest_;
    std::string last_phrase_;
    std::uint64_t lines_ = 0;
    std::uint32_t phrase_ = 0;
};

}  // namespace tertium::metrics::meteor
