// Clipped matches of n-grams with one gap (AMBER, Chen and Kuhn 2011), for texts of any length, any
// number of references, and word weights; short texts without these go to mask_matches.cpp, whose
// head has the idea. An n-gram with a gap is a pair of shorter n-grams, its first part of k words
// and its second of n − k, for every k.
//
// Fixed gaps, of one word, are as many as places. Pairs of parts are numbered like n-grams: the
// hypothesis' i-th occurrence matches if some reference has at least i. Linear in the words.
//
// Flexible gaps, of one word or more, are pairs of places, quadratically many. What counts is, for
// each pair of parts (a, b), min(pairs in order in the hypothesis, the most in any reference).
//  - One part stands once in either text: the t-th a of both texts are paired if b stands once, the
//    t-th b from the end if a does; a pair of such pairs matches if it is in order in both texts.
//    That is counting inversions: one sweep from the end of the hypothesis for each order of second
//    parts, with the reference places so far in a PositionCounter (count_paired). n log n.
//  - Both are repeated: a table with a row for each first part and a column for each second part.
//    Reading a text backwards, a row of counts says how often each second part came up so far;
//    where a first part stands, that row is added to its row of the table (count_pairs). It takes
//    additions of whole rows, words × repeated parts in all, instead of a search for every pair.
//    Tables have at most `most_cells` cells, or one row: first parts are taken some at a time.
// With word weights, or several references, every part goes the last way, since then pairs differ.
//
// Invariants: a gap begins after k words and has at least one, so a second part begins at place +
// k + 1 or later, in every comparison here. First parts are gone through in the order of their
// first places, and their second parts likewise: the order in which weights are added up decides
// about the last bit.
#include "metrics/amber/gapped_matches.hpp"

#include <algorithm>

#include "core/interrupt.hpp"

namespace tertium::metrics::amber {
namespace {

constexpr std::size_t most_cells = std::size_t{1} << 18;
// Texts up to here have fewer than 2³² pairs of places.
constexpr std::size_t narrow_length = 1 << 16;

}  // namespace

void FixedGaps::count(const SegmentGrams& grams, GramSums& sums) {
    const std::size_t length = grams.length();
    for (std::size_t n = 2; n - 2 < sums.matches.size() && n < length; ++n) {
        GramSum& total = sums.totals[n - 2];
        total.count += static_cast<double>((n - 1) * (length - n));
        for (std::size_t first = 1; first < n; ++first) {
            for (std::size_t i = 0; grams.weights() != nullptr && i + n < length; ++i) {
                const double words =
                    grams.weight(i, first) + grams.weight(i + first + 1, n - first);
                total.weight += words / static_cast<double>(n);
            }
            number_references(grams, first, n);
            count_at(grams, first, n, sums.matches[n - 2]);
        }
    }
}

// Pairs of parts of which the hypothesis has both, and how often one reference has them at most.
void FixedGaps::number_references(const SegmentGrams& grams, std::size_t first, std::size_t n) {
    const GramOrder& firsts = grams.order(first);
    const GramOrder& seconds = grams.order(n - first);
    std::size_t words = 0;
    for (const core::Tokens reference : grams.segment().references) words += reference.size();
    numbers_.clear(firsts.limits.size(), words);
    limits_.clear();
    for (std::size_t r = 0; r < grams.references(); ++r) {
        const std::size_t length = grams.segment().references[r].size();
        counts_.assign(limits_.size(), 0);
        for (std::size_t p = 0; p + n < length; ++p) {
            core::check_interrupt();
            const core::Gram a = firsts.references[r][p];
            const core::Gram b = seconds.references[r][p + first + 1];
            if (a == core::no_gram || b == core::no_gram) continue;
            if (firsts.counts[a] == 0 || seconds.counts[b] == 0) continue;
            const core::Gram pair = numbers_.intern(a, b);
            if (pair == limits_.size()) {
                limits_.push_back(0);
                counts_.push_back(0);
            }
            limits_[pair] = std::max(limits_[pair], ++counts_[pair]);
        }
    }
}

// A place of the hypothesis matches if a reference has what stands there at least as often as the
// hypothesis has it up to there.
void FixedGaps::count_at(const SegmentGrams& grams, std::size_t first, std::size_t n,
                         GramSum& matches) {
    const std::vector<core::Gram>& firsts = grams.order(first).hypothesis;
    const std::vector<core::Gram>& seconds = grams.order(n - first).hypothesis;
    counts_.assign(limits_.size(), 0);
    for (std::size_t i = 0; i + n < grams.length(); ++i) {
        core::check_interrupt();
        const std::size_t after = i + first + 1;
        const core::Gram pair = numbers_.find(firsts[i], seconds[after]);
        if (pair == core::no_gram || ++counts_[pair] > limits_[pair]) continue;
        const double words = grams.weight(i, first) + grams.weight(after, n - first);
        matches.add(1, words / static_cast<double>(n));
    }
}

void FlexibleGaps::count(const SegmentGrams& grams, GramSums& sums) {
    grams_ = &grams;
    const std::size_t longest = sums.matches.size();  // words of the longest part
    // With weights pairs differ, with references their clips do: all have to be gone through.
    any_once_ = grams.weights() == nullptr && grams.references() == 1;
    add_totals(sums);
    if (parts_.size() < longest) parts_.resize(longest);
    std::size_t columns = 0;
    for (std::size_t n = 1; n <= longest; ++n) {
        find_parts(n, columns, parts_[n - 1]);
        columns += parts_[n - 1].repeated.size();
    }
    paired_.assign(longest + 2, 0);
    for (std::size_t n = 1; n <= longest && any_once_; ++n) count_paired(n, longest);
    std::size_t words = grams.length();
    for (const core::Tokens reference : grams.segment().references) {
        words = std::max(words, reference.size());
    }
    for (std::size_t n = 1; n <= longest; ++n) {
        if (words < narrow_length) {
            count_repeated(n, longest, narrow_, sums);
        } else {
            count_repeated(n, longest, wide_, sums);
        }
    }
    for (std::size_t n = 2; n <= longest + 1; ++n) {
        sums.matches[n - 2].count += static_cast<double>(paired_[n]);
    }
}

void FlexibleGaps::add_totals(GramSums& sums) const {
    for (std::size_t n = 2; n - 2 < sums.totals.size() && n < grams_->length(); ++n) {
        const std::size_t slack = grams_->length() - n;
        GramSum& total = sums.totals[n - 2];
        total.count += static_cast<double>(n - 1) * static_cast<double>(slack) *
                       static_cast<double>(slack + 1) / 2;
        if (grams_->weights() == nullptr) continue;
        for (std::size_t place = 1; place < n; ++place) {
            // A first part at i has slack − i second parts after it, a second part that begins
            // at i + 1 + place has i + 1 first parts before it.
            for (std::size_t i = 0; i < slack; ++i) {
                const double words =
                    static_cast<double>(slack - i) * grams_->weight(i, place) +
                    static_cast<double>(i + 1) * grams_->weight(i + 1 + place, n - place);
                total.weight += words / static_cast<double>(n);
            }
        }
    }
}

void FlexibleGaps::find_parts(std::size_t n, std::size_t offset, Parts& parts) {
    const GramOrder& order = grams_->order(n);
    const std::size_t distinct = order.limits.size(), places = order.hypothesis.size();
    parts.offset = offset;
    parts.repeated.clear();
    parts.columns.assign(distinct, core::no_number);
    parts.once.assign(places, 0);
    seen_.assign(distinct, 0);
    for (std::size_t p = 0; p < places; ++p) {
        const core::Gram gram = order.hypothesis[p];
        if (gram == core::no_gram || seen_[gram]++ > 0) continue;
        parts.once[p] = any_once_ && order.counts[gram] == 1 && order.limits[gram] == 1;
        if (parts.once[p]) continue;
        parts.columns[gram] = static_cast<std::uint32_t>(offset + parts.repeated.size());
        parts.repeated.push_back(static_cast<Place>(p));
    }
    if (!any_once_) return;
    const std::vector<core::Gram>& reference = order.references.front();
    // The place after each place of the same n-gram, and from the end the place before it.
    next_.assign(distinct, nowhere);
    linked_.resize(reference.size());
    for (std::size_t q = reference.size(); q-- > 0;) link(reference[q], q);
    parts.first.assign(places, nowhere);
    for (std::size_t p = 0; p < places; ++p) parts.first[p] = take_next(order.hypothesis[p]);
    next_.assign(distinct, nowhere);
    for (std::size_t q = 0; q < reference.size(); ++q) link(reference[q], q);
    parts.second.assign(places, nowhere);
    for (std::size_t p = places; p-- > 0;) parts.second[p] = take_next(order.hypothesis[p]);
}

void FlexibleGaps::link(core::Gram gram, std::size_t place) {
    if (gram == core::no_gram) return;
    linked_[place] = next_[gram];
    next_[gram] = static_cast<Place>(place);
}

Place FlexibleGaps::take_next(core::Gram gram) {
    if (gram == core::no_gram || next_[gram] == nowhere) return nowhere;
    const Place place = next_[gram];
    next_[gram] = linked_[static_cast<std::size_t>(place)];
    return place;
}

// Second parts of one order, with first parts of every order that leaves room for them; at least
// one of the two stands once in both texts.
void FlexibleGaps::count_paired(std::size_t second, std::size_t longest) {
    const Parts& seconds = parts_[second - 1];
    const std::size_t words = grams_->segment().references.front().size();
    all_.clear(words);
    once_.clear(words);
    // From the end of the hypothesis on, the reference places of second parts are collected,
    // and each first part counts those that lie far enough to its right.
    for (std::size_t p = seconds.second.size(); p-- > 0;) {
        core::check_interrupt();
        if (const Place place = seconds.second[p]; place != nowhere) {
            all_.add(static_cast<std::size_t>(place));
            if (seconds.once[p]) once_.add(static_cast<std::size_t>(place));
        }
        for (std::size_t first = 1; first + second <= longest + 1 && first < p; ++first) {
            const Parts& firsts = parts_[first - 1];
            const std::size_t begin = p - first - 1;
            const Place place = firsts.first[begin];
            if (place == nowhere) continue;
            const auto from = static_cast<std::size_t>(place) + first + 1;
            paired_[first + second] +=
                firsts.once[begin] ? all_.at_or_after(from) : once_.at_or_after(from);
        }
    }
}

// Parts that are both repeated: first parts of one order with all second parts that leave room.
template <class Count>
void FlexibleGaps::count_repeated(std::size_t first, std::size_t longest, Tables<Count>& tables,
                                  GramSums& sums) {
    const Parts& firsts = parts_[first - 1];
    const Parts& last = parts_[longest - first];
    const std::size_t columns = last.offset + last.repeated.size();
    if (firsts.repeated.empty() || columns == 0) return;
    const std::size_t rows = std::max<std::size_t>(most_cells / columns, 1);
    for (std::size_t begin = 0; begin < firsts.repeated.size(); begin += rows) {
        const std::size_t end = std::min(begin + rows, firsts.repeated.size());
        const Block block{first, longest + 1 - first, firsts.offset + begin, end - begin, columns};
        count_pairs(of_hypothesis, block, tables.own, tables.so_far);
        count_pairs(0, block, tables.limits, tables.so_far);
        for (std::size_t r = 1; r < grams_->references(); ++r) {
            count_pairs(r, block, tables.others, tables.so_far);
            for (std::size_t c = 0; c < tables.limits.size(); ++c) {
                tables.limits[c] = std::max(tables.limits[c], tables.others[c]);
            }
        }
        for (std::size_t row = begin; row < end; ++row) {
            core::check_interrupt();
            const std::size_t cells = (row - begin) * columns;
            const auto place = static_cast<std::size_t>(firsts.repeated[row]);
            const double weight = grams_->weight(place, first);
            for (std::size_t m = 1; first + m <= longest + 1; ++m) {
                add_smaller(tables.own.data() + cells, tables.limits.data() + cells, m, weight,
                            first + m, sums.matches[first + m - 2]);
            }
        }
    }
}

// One row of the tables of which the first part has a weight, for second parts of m of n words.
template <class Count>
void FlexibleGaps::add_smaller(const Count* own, const Count* limits, std::size_t m, double weight,
                               std::size_t n, GramSum& matches) const {
    const Parts& seconds = parts_[m - 1];
    own += seconds.offset;
    limits += seconds.offset;
    if (grams_->weights() == nullptr) {
        std::uint64_t matched = 0;
        for (std::size_t c = 0; c < seconds.repeated.size(); ++c) {
            matched += std::min(own[c], limits[c]);
        }
        matches.count += static_cast<double>(matched);
        return;
    }
    for (std::size_t c = 0; c < seconds.repeated.size(); ++c) {
        const Count matched = std::min(own[c], limits[c]);
        if (matched == 0) continue;
        const auto place = static_cast<std::size_t>(seconds.repeated[c]);
        const double words = weight + grams_->weight(place, m);
        matches.add(static_cast<double>(matched), words / static_cast<double>(n));
    }
}

// How many pairs of places of one text are in order, for some first parts and all second parts.
template <class Count>
void FlexibleGaps::count_pairs(std::size_t text, const Block& block, std::vector<Count>& pairs,
                               std::vector<Count>& so_far) const {
    pairs.assign(block.rows * block.columns, 0);
    so_far.assign(block.columns, 0);
    const std::vector<core::Gram>& firsts = grams_of(text, block.first);
    const std::vector<std::uint32_t>& rows = parts_[block.first - 1].columns;
    for (std::size_t p = grams_of(text, 1).size(); p-- > block.first + 1;) {
        core::check_interrupt();
        for (std::size_t m = 1; m <= block.longest_second; ++m) {
            const std::vector<core::Gram>& seconds = grams_of(text, m);
            if (p >= seconds.size() || seconds[p] == core::no_gram) continue;
            const std::uint32_t column = parts_[m - 1].columns[seconds[p]];
            if (column != core::no_number) ++so_far[column];
        }
        const core::Gram gram = firsts[p - block.first - 1];
        if (gram == core::no_gram) continue;
        const std::size_t row = std::size_t{rows[gram]} - block.begin;
        if (row >= block.rows) continue;  // of no such first part, or of another block
        Count* const cells = pairs.data() + row * block.columns;
        for (std::size_t c = 0; c < block.columns; ++c) cells[c] += so_far[c];
    }
}

const std::vector<core::Gram>& FlexibleGaps::grams_of(std::size_t text, std::size_t n) const {
    const GramOrder& order = grams_->order(n);
    return text == of_hypothesis ? order.hypothesis : order.references[text];
}

}  // namespace tertium::metrics::amber
