// The n-grams that a corpus's references expect, segment by segment, and how many of them an output
// has, clipped as in BLEU.
//
// An entry is a different n-gram of one segment, with the count of the reference that has most of
// it. All entries lie one after the other, by segment; outputs are counted in the same order, so
// that two of them are compared by subtracting arrays. An n-gram that no reference of its segment
// has is no entry: it is never right.
//
// To find an n-gram's entry in a segment, `slots` has for each n-gram of the corpus the entry that
// was last written there. It counts only if it lies in the segment and is of that n-gram, so that
// nothing is wiped between segments (the sparse set of Briggs and Torczon, 1993).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/gram_table.hpp"
#include "core/segment.hpp"

namespace tertium::compare {

class ReferenceGrams {
  public:
    // `references` has where each reference starts in `tokens`, and their end; `segments` has where
    // the references of each segment start in that list, and their end. Orders are those from
    // `first` to `last`.
    ReferenceGrams(std::span<const core::Token> tokens, std::span<const std::int64_t> references,
                   std::span<const std::int64_t> segments, std::size_t first, std::size_t last);

    std::size_t segments() const { return starts_.size() - 1; }
    std::size_t grams() const { return parents_.size(); }
    const std::vector<core::Gram>& entries() const { return entries_; }
    const std::vector<std::int32_t>& expected() const { return expected_; }

    // For each entry how often an output has it right; `starts` has where each segment starts in
    // `tokens`, and their end. `right` is zeros before.
    void count(std::span<const core::Token> tokens, std::span<const std::int64_t> starts,
               std::span<std::int32_t> right) const;

    // The words of an n-gram.
    std::vector<core::Token> words(core::Gram gram) const;

  private:
    struct Parent {
        core::Gram prefix;
        core::Token last;
    };

    core::Gram intern(core::Gram prefix, core::Token last);
    bool is_entry(std::size_t slot, std::size_t begin, std::size_t end, core::Gram gram) const {
        return slot >= begin && slot < end && entries_[slot] == gram;
    }

    std::size_t first_;
    std::size_t last_;
    core::GramTable table_;
    std::vector<Parent> parents_;      // by gram
    std::vector<core::Gram> entries_;  // of all segments
    std::vector<std::int32_t> expected_;
    std::vector<std::size_t> starts_;  // of each segment's entries, and their end
};

}  // namespace tertium::compare
