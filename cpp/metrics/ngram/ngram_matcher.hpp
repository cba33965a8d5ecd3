// Finds the n-grams of a hypothesis that match a segment's references, each at most as often as
// it stands in the reference that has it most often (Papineni et al. 2002).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/gram_table.hpp"
#include "core/interrupt.hpp"
#include "core/segment.hpp"

namespace tertium::metrics::ngram {

// A place where an n-gram ends.
struct ReferencePlace {
    std::size_t reference;
    std::size_t end;
};

class NgramMatcher {
  public:
    // Calls matched(end, n, place) for every match: the n-gram whose last word is hypothesis[end],
    // and a place where it stands in a reference.
    template <class Matched>
    void find(const core::Segment& segment, std::size_t order, Matched&& matched) {
        const bool short_references = std::ranges::all_of(
            segment.references,
            [](core::Tokens reference) { return reference.size() <= mask_bits; });
        if (short_references) {
            find_by_masks(segment, order, matched);
        } else {
            find_by_tables(segment, order, matched);
        }
    }

  private:
    static constexpr std::size_t mask_bits = 64;

    // Bit p of runs[n] says: the (n+1)-gram ending at this hypothesis word ends at reference
    // position p. All set bits are the same n-gram, so each match uses up the lowest free one,
    // and the number of bits is the clip. With several references an occurrence takes a bit in
    // each, and matches while any reference has one left: the maximum of the counts.
    template <class Matched>
    void find_by_masks(const core::Segment& segment, std::size_t order, Matched&& matched) {
        const std::size_t references = segment.references.size();
        masks_.assign(references * segment.vocabulary, 0);
        for (std::size_t r = 0; r < references; ++r) {
            std::uint64_t* masks = masks_.data() + r * segment.vocabulary;
            for (std::size_t p = 0; p < segment.references[r].size(); ++p) {
                masks[segment.references[r][p]] |= std::uint64_t{1} << p;
            }
        }
        runs_.assign(references * order, 0);
        used_.assign(references * order, 0);
        std::size_t alive = 0;  // orders up to this may have a run that ends at the last word
        for (std::size_t end = 0; end < segment.hypothesis.size(); ++end) {
            const core::Token token = segment.hypothesis[end];
            if (token == core::unknown) {
                alive = 0;
                continue;
            }
            const std::size_t top = std::min(alive + 1, order);
            alive = 0;
            for (std::size_t n = top; n-- > 0;) {
                bool free_anywhere = false;
                ReferencePlace place{};
                for (std::size_t r = 0; r < references; ++r) {
                    std::uint64_t* runs = runs_.data() + r * order;
                    const std::uint64_t mask =
                        masks_[r * segment.vocabulary + static_cast<std::size_t>(token)];
                    const std::uint64_t run = n == 0 ? mask : (runs[n - 1] << 1) & mask;
                    runs[n] = run;
                    const std::uint64_t free = run & ~used_[r * order + n];
                    used_[r * order + n] |= free & (~free + 1);
                    free_anywhere |= free != 0;
                    if (run == 0) continue;
                    alive = std::max(alive, n + 1);
                    place = {r, static_cast<std::size_t>(std::countr_zero(run))};
                }
                if (free_anywhere) matched(end, n + 1, place);
            }
        }
    }

    // Long references: n-grams are numbered, so every order is exact whatever its length.
    template <class Matched>
    void find_by_tables(const core::Segment& segment, std::size_t order, Matched&& matched) {
        std::size_t words = 0;
        for (const core::Tokens reference : segment.references) words += reference.size();
        reference_grams_.resize(segment.references.size());
        hypothesis_grams_.assign(segment.hypothesis.size(), core::empty_gram);
        for (std::size_t n = 0; n < std::min(order, segment.hypothesis.size()); ++n) {
            table_.clear(std::min(words, core::most_expected_grams));
            limits_.clear();
            places_.clear();
            for (std::size_t r = 0; r < segment.references.size(); ++r) {
                const core::Tokens reference = segment.references[r];
                auto& grams = reference_grams_[r];
                if (n == 0) grams.assign(reference.size(), core::empty_gram);
                counts_.assign(limits_.size(), 0);
                for (std::size_t p = 0; p + n < reference.size(); ++p) {
                    core::check_interrupt_at(p);
                    const core::Gram gram = grams[p] = table_.intern(grams[p], reference[p + n]);
                    if (gram == limits_.size()) {
                        limits_.push_back(0);
                        counts_.push_back(0);
                        places_.push_back({r, p + n});
                    }
                    limits_[gram] = std::max(limits_[gram], ++counts_[gram]);
                }
            }
            counts_.assign(limits_.size(), 0);
            for (std::size_t p = 0; p + n < segment.hypothesis.size(); ++p) {
                core::check_interrupt_at(p);
                core::Gram& gram = hypothesis_grams_[p];
                gram = table_.find(gram, segment.hypothesis[p + n]);
                if (gram == core::no_gram || ++counts_[gram] > limits_[gram]) continue;
                matched(p + n, n + 1, places_[gram]);
            }
        }
    }

    std::vector<std::uint64_t> masks_, runs_, used_;  // of find_by_masks
    core::GramTable table_;                           // these of find_by_tables
    std::vector<std::uint32_t> limits_, counts_;
    std::vector<ReferencePlace> places_;
    std::vector<std::vector<core::Gram>> reference_grams_;
    std::vector<core::Gram> hypothesis_grams_;
};

}  // namespace tertium::metrics::ngram
