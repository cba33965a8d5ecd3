// Clipped matches of n-grams with one gap (AMBER, Chen and Kuhn 2011). An n-gram with a gap is a
// pair of shorter n-grams, its first part of k words and its second part of n − k, for every k.
//
// Fixed gaps, of one word, are as many as positions: each is looked up where its first part occurs
// (count_fixed_gap_at). The hypothesis' i-th occurrence matches if some reference has at least i.
//
// Flexible gaps, of one word or more, are pairs of places, quadratically many. What counts is, for
// each pair of parts (a, b), min(pairs in order in the hypothesis, the most in any reference).
// Texts repeat few n-grams, so parts are told apart (tell_repeated):
//  - both occur once in either text: the pair matches if it is in order in both. That is counting
//    inversions: directly while the lists are short, by a sweep with a PositionCounter beyond
//    (count_once).
//  - one is repeated: for all parts that occur once, counts in both texts in one pass, then the sum
//    of the smaller ones (count_repeated_first, count_repeated_second).
//  - both are repeated: a merge of two lists of places (pairs_in_order).
// With word weights, or several references, every part goes the last way, since then pairs differ.
//
// Invariants: parts that occur once are stored order by order, within an order by hypothesis place;
// `until` has the ends of the orders, so that "all second parts that leave room for k words" is a
// prefix. A gap begins after k words and has at least one, so a second part begins at place + k + 1
// or later, in every comparison here.
#include "metrics/amber/gapped_matches.hpp"

#include <algorithm>

#include "core/interrupt.hpp"

namespace tertium::metrics::amber {
namespace {

// Lists of places of which the lengths multiply to at most this are compared place by place:
// vector instructions do that faster than an order can be kept.
constexpr std::size_t few_comparisons = 4096;

// Of a first part of `place` words: those occurrences whose second part after one word is b and
// begins at `last` or before.
std::size_t occurrences(const GramPlaces& places, core::Gram a, std::size_t place,
                        const std::vector<core::Gram>& seconds, core::Gram b, std::size_t last) {
    std::size_t found = 0;
    for (Place p = places.first[a]; p != nowhere; p = places.after(p)) {
        const std::size_t q = static_cast<std::size_t>(p) + place + 1;
        if (q > last) break;
        found += seconds[q] == b;
    }
    return found;
}

// A place of the hypothesis matches if the references have what stands there at least as often
// as the hypothesis has it up to there.
void count_fixed_gap_at(const SegmentGrams& grams, std::size_t place, std::size_t n,
                        GramSum& matches) {
    const GramOrder& first = grams.order(place);
    const GramOrder& second = grams.order(n - place);
    for (std::size_t i = 0; i + n < grams.length(); ++i) {
        core::check_interrupt();
        const std::size_t after = i + place + 1;
        const core::Gram a = first.hypothesis[i];
        const core::Gram b = second.hypothesis[after];
        if (a == core::no_gram || b == core::no_gram) continue;
        std::size_t limit = 0;
        for (std::size_t r = 0; r < grams.references(); ++r) {
            const std::vector<core::Gram>& seconds = second.references[r];
            if (seconds.empty()) continue;
            limit = std::max(limit, occurrences(first.reference_places[r], a, place, seconds, b,
                                                seconds.size() - 1));
        }
        if (limit == 0) continue;
        if (first.counts[a] > limit &&
            occurrences(first.hypothesis_places, a, place, second.hypothesis, b, after) > limit) {
            continue;
        }
        const double words = grams.weight(i, place) + grams.weight(after, n - place);
        matches.add(1, words / static_cast<double>(n));
    }
}

// Pairs of places of which the second lies at least `distance` after the first.
std::uint64_t pairs_in_order(const GramPlaces& first, core::Gram a, const GramPlaces& second,
                             core::Gram b, Place distance) {
    std::uint64_t pairs = 0;
    std::uint64_t before = 0;
    Place next = first.first[a];
    for (Place place = second.first[b]; place != nowhere; place = second.after(place)) {
        for (; next != nowhere && next + distance <= place; next = first.after(next)) ++before;
        pairs += before;
    }
    return pairs;
}

// How many places of an n-gram are a gap before each of the given ones.
void count_before(const GramPlaces& places, core::Gram gram, Place distance,
                  const std::vector<Place>& given, std::vector<std::uint32_t>& counts) {
    for (Place place = places.first[gram]; place != nowhere; place = places.after(place)) {
        core::check_interrupt();
        const Place from = place + distance;
        for (std::size_t j = 0; j < counts.size(); ++j) counts[j] += given[j] >= from;
    }
}

// How many places of an n-gram are at or after each of the given ones.
void count_after(const GramPlaces& places, core::Gram gram, const std::vector<Place>& given,
                 std::vector<std::uint32_t>& counts) {
    for (Place place = places.first[gram]; place != nowhere; place = places.after(place)) {
        core::check_interrupt();
        for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += given[i] <= place;
    }
}

}  // namespace

void count_fixed_gaps(const SegmentGrams& grams, GramSums& sums) {
    const std::size_t length = grams.length();
    for (std::size_t n = 2; n - 2 < sums.matches.size() && n < length; ++n) {
        GramSum& total = sums.totals[n - 2];
        total.count += static_cast<double>((n - 1) * (length - n));
        for (std::size_t place = 1; place < n; ++place) {
            for (std::size_t i = 0; grams.weights() != nullptr && i + n < length; ++i) {
                const double words =
                    grams.weight(i, place) + grams.weight(i + place + 1, n - place);
                total.weight += words / static_cast<double>(n);
            }
            count_fixed_gap_at(grams, place, n, sums.matches[n - 2]);
        }
    }
}

void FlexibleGaps::count(const SegmentGrams& grams, GramSums& sums) {
    grams_ = &grams;
    const std::size_t parts = sums.matches.size();  // words of the longest part
    add_totals(sums);
    tell_repeated(parts);
    found_.assign(parts + 2, 0);
    for (std::size_t k = 1; k <= parts; ++k) {
        for (std::size_t m = 1; k + m <= parts + 1; ++m) {
            count_once(k, m);
            count_repeated(k, m, sums.matches[k + m - 2]);
        }
        for (const core::Gram gram : repeated_[k - 1]) {
            count_repeated_first(k, gram);
            count_repeated_second(k, gram);
        }
    }
    for (std::size_t n = 2; n <= parts + 1; ++n) {
        sums.matches[n - 2].count += static_cast<double>(found_[n]);
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

void FlexibleGaps::tell_repeated(std::size_t orders) {
    // With weights pairs differ, with references their clips do: all have to be gone through.
    const bool any_once = grams_->weights() == nullptr && grams_->references() == 1;
    once_.begins.clear();
    once_.begins_in_reference.clear();
    once_.ends.clear();
    once_.ends_in_reference.clear();
    once_.until.clear();
    if (repeated_.size() < orders) repeated_.resize(orders);
    for (std::size_t n = 1; n <= orders; ++n) {
        const GramOrder& order = grams_->order(n);
        const auto gap_end = static_cast<Place>(n + 1);
        repeated_[n - 1].clear();
        for (std::size_t p = 0; p < order.hypothesis.size(); ++p) {
            const core::Gram gram = order.hypothesis[p];
            if (gram == core::no_gram) continue;
            const auto here = static_cast<Place>(p);
            if (any_once && order.counts[gram] == 1 && order.limits[gram] == 1) {
                const Place there = order.reference_places.front().first[gram];
                once_.begins.push_back(here);
                once_.begins_in_reference.push_back(there);
                once_.ends.push_back(here + gap_end);
                once_.ends_in_reference.push_back(there + gap_end);
            } else if (order.hypothesis_places.first[gram] == here) {
                repeated_[n - 1].push_back(gram);
            }
        }
        once_.until.push_back(once_.begins.size());
    }
}

// Where both parts stand once, they match if they are in order in both texts.
void FlexibleGaps::count_once(std::size_t first, std::size_t second) {
    const std::size_t begin = once_.from(second);
    const std::size_t end = once_.until[second - 1];
    const std::size_t firsts = once_.until[first - 1] - once_.from(first);
    std::uint64_t& found = found_[first + second];
    if (firsts * (end - begin) <= few_comparisons) {
        for (std::size_t i = once_.from(first); i < once_.until[first - 1]; ++i) {
            core::check_interrupt();
            const Place from = once_.ends[i];
            const Place from_in_reference = once_.ends_in_reference[i];
            std::uint32_t after = 0;
            for (std::size_t j = begin; j < end; ++j) {
                after +=
                    static_cast<std::uint32_t>(once_.begins[j] >= from) &
                    static_cast<std::uint32_t>(once_.begins_in_reference[j] >= from_in_reference);
            }
            found += after;
        }
        return;
    }
    // From the end of the hypothesis on, the reference places of second parts are collected,
    // and each first part counts those that lie far enough to its right.
    std::size_t left = end;
    counter_.clear(grams_->segment().references.front().size());
    for (std::size_t i = once_.until[first - 1]; i-- > once_.from(first);) {
        core::check_interrupt();
        while (left > begin && once_.begins[left - 1] >= once_.ends[i]) {
            counter_.add(static_cast<std::size_t>(once_.begins_in_reference[--left]));
        }
        found += counter_.at_or_after(static_cast<std::size_t>(once_.ends_in_reference[i]));
    }
}

// One first part with all second parts that stand once.
void FlexibleGaps::count_repeated_first(std::size_t first, core::Gram gram) {
    const std::size_t seconds = once_.until[once_.until.size() - first];
    if (seconds == 0) return;
    const GramOrder& order = grams_->order(first);
    const auto distance = static_cast<Place>(first + 1);
    own_.assign(seconds, 0);
    other_.assign(seconds, 0);
    count_before(order.hypothesis_places, gram, distance, once_.begins, own_);
    count_before(order.reference_places.front(), gram, distance, once_.begins_in_reference, other_);
    add_smaller(first);
}

// All first parts that stand once with one second part.
void FlexibleGaps::count_repeated_second(std::size_t second, core::Gram gram) {
    const std::size_t firsts = once_.until[once_.until.size() - second];
    if (firsts == 0) return;
    const GramOrder& order = grams_->order(second);
    own_.assign(firsts, 0);
    other_.assign(firsts, 0);
    count_after(order.hypothesis_places, gram, once_.ends, own_);
    count_after(order.reference_places.front(), gram, once_.ends_in_reference, other_);
    add_smaller(second);
}

// The part that stands once is one of any order that leaves room for `beside` words.
void FlexibleGaps::add_smaller(std::size_t beside) {
    std::size_t i = 0;
    for (std::size_t n = 1; i < own_.size(); ++n) {
        std::uint32_t sum = 0;
        for (; i < once_.until[n - 1]; ++i) sum += std::min(own_[i], other_[i]);
        found_[beside + n] += sum;
    }
}

void FlexibleGaps::count_repeated(std::size_t first, std::size_t second, GramSum& matches) const {
    const GramOrder& firsts = grams_->order(first);
    const GramOrder& seconds = grams_->order(second);
    const auto distance = static_cast<Place>(first + 1);
    for (const core::Gram a : repeated_[first - 1]) {
        for (const core::Gram b : repeated_[second - 1]) {
            core::check_interrupt();
            const std::uint64_t found = pairs(firsts, a, seconds, b, distance);
            if (found == 0) continue;
            const auto i = static_cast<std::size_t>(firsts.hypothesis_places.first[a]);
            const auto j = static_cast<std::size_t>(seconds.hypothesis_places.first[b]);
            const double words = grams_->weight(i, first) + grams_->weight(j, second);
            matches.add(static_cast<double>(found), words / static_cast<double>(first + second));
        }
    }
}

std::uint64_t FlexibleGaps::pairs(const GramOrder& first, core::Gram a, const GramOrder& second,
                                  core::Gram b, Place distance) const {
    const std::uint64_t own =
        pairs_in_order(first.hypothesis_places, a, second.hypothesis_places, b, distance);
    std::uint64_t limit = 0;
    for (std::size_t r = 0; r < grams_->references() && limit < own; ++r) {
        limit = std::max(limit, pairs_in_order(first.reference_places[r], a,
                                               second.reference_places[r], b, distance));
    }
    return std::min(own, limit);
}

}  // namespace tertium::metrics::amber
