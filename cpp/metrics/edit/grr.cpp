#include "metrics/edit/grr.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "core/interrupt.hpp"
#include "core/lanes.hpp"
#include "core/processor.hpp"

// The automaton's states are (i, m); after j hypothesis words let B(j, i) be the best weight of
// any state (i, ·), and R_m(j, i) that of (i, m) when the last m words matched, m ≥ 1.
//
//   B(j, i)   = max { B(j−1, i) − α, B(j, i−1) − β, B(j−1, i−1), R_1(j, i), …, R_{k−1}(j, i) }
//   R_1(j, i) = B(j−1, i−1) + 1                        where word j equals reference word i
//   R_m(j, i) = R_{m−1}(j−1, i−1) + m                  likewise
//   R_{k−1}   takes also R_{k−1}(j−1, i−1) + k
//
// R_1 may start from B although the automaton would count a longer run there: that path is worth
// less than the one with the longer run, which stands beside it, so the maximum is the same.
//
// The table is filled by antidiagonals s = i + j, whose cells do not depend on each other. A cell
// keeps its place ("lane") along its diagonal i − j: of the two antidiagonals before it, the one
// at s − 2 holds its predecessor in the same lane, the one at s − 1 its neighbours in the same
// and an adjacent lane. Even and odd s have their own rows, updated in place. Cells left of or
// above the table start far below any real weight and stay there; cells right of or below it are
// computed in passing and never read by the table.
//
// Long texts whose weights are whole go through the table in strips of some reference words
// (StripSearch), with the widest registers of the processor: three antidiagonals of a strip stay in
// the first cache, and between strips there are B and R_m of one row.

namespace tertium::metrics::edit {
namespace {

// α and β with up to three decimals are whole numbers of one of these.
constexpr int finest_unit = 1000;

// Where no path can weigh more or less than this, 16-bit lanes do, with `unreachable` below all.
constexpr double narrow_limit = 8000;
constexpr std::size_t narrow_vocabulary = std::numeric_limits<std::int16_t>::max();

// Strips are for this many words on both sides, and for weights up to here: sums with what stands
// for no path still fit.
constexpr std::size_t strip_words = 64;
constexpr double strip_limit = 1 << 28;
constexpr std::int64_t most_strip_k = 8;

template <class Weight>
constexpr Weight unreachable = -std::numeric_limits<Weight>::infinity();
template <>
constexpr std::int16_t unreachable<std::int16_t> = -20000;

template <class Weight>
constexpr Weight never = -std::numeric_limits<Weight>::infinity();
template <>
constexpr std::int16_t never<std::int16_t> = std::numeric_limits<std::int16_t>::min();

template <class Weight>
constexpr Weight always = std::numeric_limits<Weight>::infinity();
template <>
constexpr std::int16_t always<std::int16_t> = std::numeric_limits<std::int16_t>::max();

template <class Weight>
struct Costs {
    Weight unit;       // one matched n-gram
    Weight insertion;  // α
    Weight deletion;   // β
};

// One group of lanes on one antidiagonal. `before` points to the neighbour that an insertion
// comes from; the one of a deletion stands in front of it. `rows` holds B and R_1 … R_{k−1},
// `stride` apart; K is k where that is known to the compiler, else 0.
template <class Weight, int K>
inline void advance(Weight* rows, std::size_t stride, std::size_t k, const Weight* before,
                    const Weight* reference, const Weight* hypothesis, Costs<Weight> costs) {
    using Group = core::Lanes<Weight>;
    const std::size_t longest = (K > 0 ? std::size_t{K} : k) - 1;
    const auto gain = [&](std::size_t matches) {
        return Group::all(static_cast<Weight>(costs.unit * static_cast<Weight>(matches)));
    };
    const Group ceiling = where_equal(Group::load(reference), Group::load(hypothesis),
                                      Group::all(always<Weight>), Group::all(never<Weight>));
    const Group inserted = Group::load(before) - Group::all(costs.insertion);
    const Group deleted = Group::load(before - 1) - Group::all(costs.deletion);
    Group best = larger(Group::load(rows), larger(inserted, deleted));
    // R_{k−1} continues itself; for k = 1 it is B.
    Group value = Group::load(rows + longest * stride) + gain(longest + 1);
    for (std::size_t run = longest; run > 0; --run) {
        const Group reached = Group::load(rows + (run - 1) * stride) + gain(run);
        value = smaller(run == longest ? larger(value, reached) : reached, ceiling);
        value.store(rows + run * stride);
        best = larger(best, value);
    }
    best = longest == 0 ? larger(best, smaller(value, ceiling)) : best;
    best.store(rows);
}

// The best weight, in units. Neither side is empty.
template <class Weight, int K>
Weight best_weight(core::Tokens hypothesis, core::Tokens reference, std::size_t k,
                   Costs<Weight> costs, std::vector<Weight>& memory) {
    constexpr std::size_t group = core::Lanes<Weight>::count;
    const std::size_t words = hypothesis.size();
    const std::size_t positions = reference.size();
    // Lane of cell (j, i): origin + i − ⌈s / 2⌉. Each row ends with a group that no cell has, so
    // that a look beyond a row's first lane finds `unreachable`.
    const std::size_t origin = ((words + 1) / 2 / group + 1) * group;
    const std::size_t stride = ((origin + positions / 2) / group + 2) * group;
    const std::size_t tokens = (positions + words) + 4 * group;
    memory.assign(2 * k * stride + tokens, unreachable<Weight>);
    Weight* const rows[2] = {memory.data(), memory.data() + k * stride};

    // Both token sequences, the hypothesis reversed, with a margin of values that equal no other.
    Weight* const reference_tokens = memory.data() + 2 * k * stride;
    Weight* const hypothesis_tokens = reference_tokens + positions + 2 * group;
    std::fill_n(reference_tokens, positions + 2 * group, Weight{-2});
    std::fill_n(hypothesis_tokens, words + 2 * group, Weight{-3});
    const auto number = [](core::Token token) { return static_cast<Weight>(token); };
    std::transform(reference.begin(), reference.end(), reference_tokens + group, number);
    std::transform(hypothesis.rbegin(), hypothesis.rend(), hypothesis_tokens + group, number);

    rows[0][origin] = 0;
    const std::size_t last = words + positions;
    for (std::size_t s = 1; s <= last; ++s) {
        core::check_interrupt();
        const std::size_t odd = s % 2;
        const std::size_t half = (s + 1) / 2;
        const std::size_t lowest = s > words ? s - words : 0;  // the cells with 0 ≤ j ≤ |c|
        const std::size_t highest = std::min(s, positions);
        const std::size_t begin = (origin + lowest - half) / group * group;
        const std::size_t end = origin + highest - half + 1;
        // Lane l is position i = l − origin + half; its words are i − 1 and |c| − (s − i).
        const std::size_t position = begin + half + group - origin;
        Weight* lanes = rows[odd] + begin;
        const Weight* before = rows[1 - odd] + odd + begin;
        const Weight* reference_word = reference_tokens + (position - 1);
        const Weight* hypothesis_word = hypothesis_tokens + (position + words - s);
        for (std::size_t lane = begin; lane < end; lane += group) {
            advance<Weight, K>(lanes, stride, k, before, reference_word, hypothesis_word, costs);
            lanes += group;
            before += group;
            reference_word += group;
            hypothesis_word += group;
        }
    }
    return rows[last % 2][origin + positions - (last + 1) / 2];
}

template <class Weight>
Weight best_weight(core::Tokens hypothesis, core::Tokens reference, std::size_t k,
                   Costs<Weight> costs, std::vector<Weight>& memory) {
    switch (k) {
        case 1:
            return best_weight<Weight, 1>(hypothesis, reference, k, costs, memory);
        case 2:
            return best_weight<Weight, 2>(hypothesis, reference, k, costs, memory);
        case 3:
            return best_weight<Weight, 3>(hypothesis, reference, k, costs, memory);
        case 4:
            return best_weight<Weight, 4>(hypothesis, reference, k, costs, memory);
        default:
            return best_weight<Weight, 0>(hypothesis, reference, k, costs, memory);
    }
}

// A register of that many bytes, where the compiler knows such a thing.
template <std::size_t bytes>
struct Register {
#ifdef TERTIUM_VECTOR
    typedef std::int32_t Type TERTIUM_VECTOR(bytes);
#else
    using Type = std::int32_t;
#endif
};

// The same as best_weight, strip by strip. An antidiagonal has B and R_1 … R_{k−1} of its cells,
// `stride` apart, by row of the strip; row 0 is the last one of the strip above.
class StripSearch {
  public:
    using Weight = std::int32_t;

    StripSearch(core::Tokens hypothesis, core::Tokens reference, std::size_t k, Costs<Weight> costs,
                std::vector<Weight>& memory)
        : k_(k), rows_(reference.size()), columns_(hypothesis.size()), costs_(costs) {
        const std::size_t above = k * (columns_ + 1), lines = 3 * k * stride;
        memory.assign(above + lines + rows_ + columns_ + 3 * margin, unreachable);
        above_ = memory.data();
        for (Weight*& line : lines_) {
            line = memory.data() + above + static_cast<std::size_t>(&line - lines_) * k * stride;
        }
        reference_ = memory.data() + above + lines;
        hypothesis_ = reference_ + rows_ + margin;
        std::fill_n(reference_, rows_ + margin, -2);
        std::fill_n(hypothesis_, columns_ + 2 * margin, -3);
        std::ranges::copy(reference, reference_);
        std::copy(hypothesis.rbegin(), hypothesis.rend(), hypothesis_ + margin);
        for (std::size_t j = 0; j <= columns_; ++j) {
            above_[j] = -costs.insertion * static_cast<Weight>(j);
        }
    }

    Weight operator()() {
        for (std::size_t strip = 0; strip < rows_; strip += most_rows) {
            fill(strip, std::min(rows_ - strip, most_rows));
        }
        return above_[columns_];
    }

  private:
    static constexpr std::size_t most_rows = 512;
    static constexpr std::size_t margin = 16;  // lanes of the widest register
    static constexpr std::size_t stride = most_rows + 2 * margin;
    static constexpr Weight unreachable = -(1 << 30);
    static constexpr Weight never = std::numeric_limits<Weight>::min();

    struct Line {
        const Weight *last, *before;
        Weight* next;
        const Weight *reference, *hypothesis;
        std::size_t cells;
        Costs<Weight> costs;
    };

    // The cells of one antidiagonal; what lies behind them is computed in passing. K is k where
    // that is known to the compiler, else 0.
    template <std::size_t bytes, std::size_t K>
    TERTIUM_INLINE static void advance(Line line, const std::size_t k) {
        using Lanes = typename Register<bytes>::Type;
        const std::size_t longest = (K > 0 ? K : k) - 1;
        const Lanes zero{};
        const Lanes insertion = zero + line.costs.insertion, deletion = zero + line.costs.deletion;
        const Lanes none = zero + never, all = zero + std::numeric_limits<Weight>::max();
        for (std::size_t i = 0; i < line.cells; i += sizeof(Lanes) / sizeof(Weight)) {
            Lanes above, left, best, value, reached, word, other;
            std::memcpy(&above, line.last + i - 1, sizeof above);
            std::memcpy(&left, line.last + i, sizeof left);
            std::memcpy(&best, line.before + i - 1, sizeof best);
            std::memcpy(&word, line.reference + i, sizeof word);
            std::memcpy(&other, line.hypothesis + i, sizeof other);
            const Lanes ceiling = word == other ? all : none;
            const Lanes inserted = left - insertion, deleted = above - deletion;
            const Lanes diagonal = best;
            best = best > inserted ? best : inserted;
            best = best > deleted ? best : deleted;
            for (std::size_t run = longest; run > 0; --run) {
                if (run > 1) {
                    std::memcpy(&reached, line.before + (run - 1) * stride + i - 1, sizeof reached);
                } else {
                    reached = diagonal;
                }
                reached += line.costs.unit * static_cast<Weight>(run);
                if (run == longest) {  // continues itself, too
                    std::memcpy(&value, line.before + run * stride + i - 1, sizeof value);
                    value += line.costs.unit * static_cast<Weight>(run + 1);
                    reached = reached > value ? reached : value;
                }
                reached = reached < ceiling ? reached : ceiling;
                std::memcpy(line.next + run * stride + i, &reached, sizeof reached);
                best = best > reached ? best : reached;
            }
            if (longest == 0) {
                value = diagonal + line.costs.unit;
                value = value < ceiling ? value : ceiling;
                best = best > value ? best : value;
            }
            std::memcpy(line.next + i, &best, sizeof best);
        }
    }

    template <std::size_t bytes>
    TERTIUM_INLINE static void advance_k(Line line, std::size_t k) {
        if (k == 4) return advance<bytes, 4>(line, k);
        if (k == 3) return advance<bytes, 3>(line, k);
        if (k == 2) return advance<bytes, 2>(line, k);
        advance<bytes, 0>(line, k);
    }
    static void advance_plain(Line line, std::size_t k) { advance_k<16>(line, k); }
#ifdef TERTIUM_AVX2
    TERTIUM_AVX2 static void advance_avx2(Line line, std::size_t k) { advance_k<32>(line, k); }
    TERTIUM_AVX512 static void advance_avx512(Line line, std::size_t k) { advance_k<64>(line, k); }
#endif

    // Rows begin + 1 … begin + rows of the table, which are 1 … rows here.
    void fill(std::size_t begin, std::size_t rows) {
        auto* advance_line = advance_plain;
#ifdef TERTIUM_AVX2
        if (core::has_avx2()) advance_line = advance_avx2;
        if (core::has_avx512()) advance_line = advance_avx512;
#endif
        std::fill_n(lines_[0], 3 * k_ * stride, unreachable);
        Weight *last = lines_[0], *before = lines_[1], *next = lines_[2];
        const auto first_column = [&](std::size_t row) {
            return -costs_.deletion * static_cast<Weight>(begin + row);
        };
        before[0] = above_[0];
        last[1] = first_column(1);
        above_[0] = first_column(rows);
        for (std::size_t s = 2; s <= rows + columns_; ++s) {
            core::check_interrupt();
            const std::size_t lowest = s > columns_ ? s - columns_ : 1;
            const std::size_t highest = std::min(rows, s - 1);
            for (std::size_t run = 0; s - 1 <= columns_ && run < k_; ++run) {
                last[run * stride] = above_[run * (columns_ + 1) + s - 1];
            }
            advance_line(
                {last + lowest, before + lowest, next + lowest, reference_ + (begin + lowest - 1),
                 hypothesis_ + (margin + columns_ + lowest - s), highest - lowest + 1, costs_},
                k_);
            if (highest + 1 == s && s <= rows) {
                next[s] = first_column(s);
                for (std::size_t run = 1; run < k_; ++run) next[run * stride + s] = unreachable;
            }
            if (highest == rows) {
                for (std::size_t run = 0; run < k_; ++run) {
                    above_[run * (columns_ + 1) + s - rows] = next[run * stride + rows];
                }
            }
            Weight* const oldest = before;
            before = last;
            last = next;
            next = oldest;
        }
    }

    std::size_t k_, rows_, columns_;
    Costs<Weight> costs_;
    Weight *above_, *lines_[3], *reference_, *hypothesis_;
};

// No run of matches is longer than the shorter side, so larger k add only states out of reach.
std::size_t reachable_k(core::Tokens hypothesis, core::Tokens reference, std::int64_t k) {
    const std::size_t longest_run = std::min(hypothesis.size(), reference.size());
    return static_cast<std::size_t>(std::min(k, static_cast<std::int64_t>(longest_run) + 1));
}

double size_of(core::Tokens tokens) {
    return static_cast<double>(tokens.size());
}

}  // namespace

GramWeights::GramWeights(std::int64_t k, double alpha, double beta)
    : k_(k), alpha_(alpha), beta_(beta), alpha_units_(alpha), beta_units_(beta) {
    if (k < 1) {
        throw std::invalid_argument("k is " + std::to_string(k) + ", expected at least 1");
    }
    // Larger ones could add up to infinity, and a path of infinite weight cannot be compared.
    constexpr double largest = 1e100;
    if (!(std::abs(alpha) <= largest) || !(std::abs(beta) <= largest)) {
        throw std::invalid_argument("alpha is " + std::to_string(alpha) + " and beta is " +
                                    std::to_string(beta) + ", expected numbers within 1e100");
    }
    const auto whole = [](double weight, int unit) {
        return std::nearbyint(weight * unit) / unit == weight;
    };
    for (int unit = 1; unit <= finest_unit && !whole_; ++unit) {
        if (whole(alpha, unit) && whole(beta, unit)) {
            whole_ = true;
            unit_ = unit;
            alpha_units_ = std::nearbyint(alpha * unit);
            beta_units_ = std::nearbyint(beta * unit);
        }
    }
}

double grr_denominator(core::Tokens reference, const GramWeights& weights) {
    // n-grams of n ≤ |r| words: |r| + (|r| − 1) + …, at most k terms.
    const double terms = std::min(static_cast<double>(weights.k()), size_of(reference));
    return terms * size_of(reference) - terms * (terms - 1) / 2;
}

double grr_numerator(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                     const GramWeights& weights, GrrScratch& scratch) {
    if (hypothesis.empty() || reference.empty()) {
        return (0 - weights.alpha_units() * size_of(hypothesis) -
                weights.beta_units() * size_of(reference)) /
               weights.unit();
    }
    const std::size_t k = reachable_k(hypothesis, reference, weights.k());
    const Costs<double> costs{weights.unit(), weights.alpha_units(), weights.beta_units()};
    const double steps = size_of(hypothesis) + size_of(reference);
    const double largest_weight =
        steps * (std::max(std::abs(costs.insertion), std::abs(costs.deletion)) +
                 costs.unit * static_cast<double>(k));
    if (weights.whole() && largest_weight <= narrow_limit && vocabulary <= narrow_vocabulary) {
        const Costs<std::int16_t> narrow{static_cast<std::int16_t>(costs.unit),
                                         static_cast<std::int16_t>(costs.insertion),
                                         static_cast<std::int16_t>(costs.deletion)};
        return best_weight(hypothesis, reference, k, narrow, scratch.narrow) / costs.unit;
    }
    const std::size_t shorter = std::min(hypothesis.size(), reference.size());
    if (weights.whole() && largest_weight <= strip_limit && shorter >= strip_words &&
        weights.k() <= most_strip_k) {
        const Costs<std::int32_t> whole{static_cast<std::int32_t>(costs.unit),
                                        static_cast<std::int32_t>(costs.insertion),
                                        static_cast<std::int32_t>(costs.deletion)};
        return StripSearch(hypothesis, reference, k, whole, scratch.strips)() / costs.unit;
    }
    return best_weight(hypothesis, reference, k, costs, scratch.wide) / costs.unit;
}

void grr_row(const core::Segment& segment, const GramWeights& weights, GrrScratch& scratch,
             double* row) {
    double best = 0;
    double best_denominator = 0;
    double sum = 0;
    bool first = true;
    for (const core::Tokens reference : segment.references) {
        const double denominator = grr_denominator(reference, weights);
        const double numerator =
            grr_numerator(segment.hypothesis, reference, segment.vocabulary, weights, scratch);
        sum += denominator;
        // Without a word there is no rate: any other reference is better.
        const bool better = denominator > 0 && best_denominator > 0
                                ? numerator * best_denominator > best * denominator
                                : denominator > best_denominator ||
                                      (denominator == best_denominator && numerator > best);
        if (first || better) {
            best = numerator;
            best_denominator = denominator;
            first = false;
        }
    }
    const double weight = sum / static_cast<double>(segment.references.size());
    row[0] = best_denominator > 0 ? best * (weight / best_denominator) : best;
    row[1] = weight;
}

}  // namespace tertium::metrics::edit
