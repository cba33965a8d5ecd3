// Sums of rows over random choices of segments: the bootstrap (segments drawn with replacement) and
// randomization (a coin per segment), for all trials of a test at once. Statistics are additive, so
// a trial's score needs nothing but its sum of rows; this is where significance tests spend their
// time.
//
// How often a trial takes each segment is written in binary, and every digit ("plane") as one bit
// per segment. A plane's sum of rows is then looked up: of every 4 segments all 16 partial sums are
// tabulated, and a trial adds one of them instead of 4 rows. The tables are built once for many
// trials (the "method of four Russians"). Two planes say up to 3 times; the few segments that are
// drawn more often are added one by one, as multiples of 4 (Surplus).
//
// The result does not depend on threads or machine:
//  - the random numbers of a trial depend on seed, stream and trial alone (random.hpp);
//  - every number is added in an order that depends on nothing but its place: words of 64 segments
//    in ascending order, within them the tables in order, then the surplus;
//  - planes are weighted by powers of two, which is exact.
// Changing words_at_once, the number of planes or the order of the loops changes sums of wide
// columns in the last bit, and so p-values where trials tie with what was observed.
//
// Narrow columns are 16-bit in tables and 32-bit in totals. PackedRows admits a column only if no
// sum over one word can overflow; words_at_once and surplus_at_once bound what goes into a total
// before it is added to the doubles. Strips are a cache line wide, and trials_at_once keeps the
// totals of a task in the cache. Padding segments have rows of zeros, so their random bits do no
// harm.
#include "inference/resampling.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "core/parallel.hpp"
#include "inference/random.hpp"

namespace tertium::inference {
namespace {

constexpr std::size_t nibble_bits = 4;
constexpr std::size_t nibbles = word_bits / nibble_bits;
constexpr std::size_t nibble_values = 1 << nibble_bits;

// Trials that share a table: enough to be worth it, few enough that their sums stay in the cache.
constexpr std::size_t trials_at_once = 256;

// Words whose narrow sums fit 32 bits: each has at most 3 (two planes) · 32767, less than 2^17.
constexpr std::size_t words_at_once = 1 << 14;
// Single rows whose narrow sums fit; a segment adds at most 63 more.
constexpr std::uint32_t surplus_at_once = 1 << 15;

// The sums of all 16 choices among 4 segments, for each 4 of the 64 that a word stands for.
template <class Number>
class Tables {
  public:
    // `rows` are those of the word's segments.
    void build(const Strip<Number>* rows) {
        for (auto& sums : sums_) {
            for (std::size_t half = 1; half < nibble_values; half *= 2, ++rows) {
                for (std::size_t choice = 0; choice < half; ++choice) {
                    sums[half + choice] = sums[choice];
                    sums[half + choice] += *rows;
                }
            }
        }
    }

    // One sum for each of some words.
    template <std::size_t count>
    std::array<Strip<Number>, count> sum(std::array<std::uint64_t, count> words) const {
        std::array<Strip<Number>, count> totals;
        for (const auto& sums : sums_) {
            for (std::size_t i = 0; i < count; ++i) {
                totals[i] += sums[words[i] % nibble_values];
                words[i] >>= nibble_bits;
            }
        }
        return totals;
    }

  private:
    std::array<std::array<Strip<Number>, nibble_values>, nibbles> sums_{};
};

// Sums over many words.
template <class Number>
struct Totals {
    using Sum = std::conditional_t<std::is_integral_v<Number>, std::int32_t, double>;
    alignas(64) std::array<Sum, Strip<Number>::width> values{};

    void add(const Strip<Number>& strip, Sum weight) {
        for (std::size_t k = 0; k < values.size(); ++k) values[k] += weight * strip.values[k];
    }
};

// A segment that a trial takes more often than two planes can say: 4 × `fours` times more.
struct Surplus {
    std::uint32_t segment;
    std::uint32_t fours;
};

// Which segments every trial takes.
template <std::size_t planes>
class Choices {
  public:
    Choices(std::size_t words, std::size_t trials)
        : words_(words),
          trials_(trials),
          bits_(words * trials * planes),
          surplus_(planes > 1 ? trials : 0) {}

    std::uint64_t& bits(std::size_t word, std::size_t trial, std::size_t plane) {
        return bits_[(word * trials_ + trial) * planes + plane];
    }
    void add_surplus(std::size_t trial, std::size_t segment, std::uint32_t fours) {
        surplus_[trial].push_back({static_cast<std::uint32_t>(segment), fours});
    }

    void add_up(const PackedRows& rows, double* sums) {
        add_up_columns(rows.narrow(), sums);
        add_up_columns(rows.wide(), sums);
    }

  private:
    template <class Number>
    void add_up_columns(const Columns<Number>& columns, double* sums) {
        const std::size_t blocks = (trials_ + trials_at_once - 1) / trials_at_once;
        core::for_each_block(columns.strip_count() * blocks, 1, [&] {
            return [&, tables = Tables<Number>(),
                    totals = std::vector<Totals<Number>>(trials_at_once)](std::size_t task,
                                                                          std::size_t) mutable {
                const std::size_t strip = task / blocks;
                const std::size_t first = task % blocks * trials_at_once;
                const std::size_t last = std::min(trials_, first + trials_at_once);
                columns.for_each_column(strip, [&](std::size_t, std::size_t column) {
                    std::fill(sums + column * trials_ + first, sums + column * trials_ + last, 0.0);
                });
                for (std::size_t word = 0; word < words_; word += words_at_once) {
                    std::fill(totals.begin(), totals.end(), Totals<Number>());
                    add_words(columns.strip(strip), word, std::min(words_, word + words_at_once),
                              first, last, tables, totals);
                    columns.for_each_column(strip, [&](std::size_t k, std::size_t column) {
                        double* sum = sums + column * trials_;
                        for (std::size_t trial = first; trial < last; ++trial) {
                            sum[trial] += totals[trial - first].values[k];
                        }
                    });
                }
                if constexpr (planes > 1) add_up_surplus(columns, strip, first, last, sums);
            };
        });
    }

    template <class Number>
    void add_words(const Strip<Number>* rows, std::size_t word, std::size_t end, std::size_t first,
                   std::size_t last, Tables<Number>& tables, std::vector<Totals<Number>>& totals) {
        for (; word < end; ++word) {
            tables.build(rows + word * word_bits);
            for (std::size_t trial = first; trial < last; ++trial) {
                Totals<Number>& total = totals[trial - first];
                std::array<std::uint64_t, planes> words;
                std::copy_n(&bits(word, trial, 0), planes, words.begin());
                const auto sums = tables.sum(words);
                for (std::size_t p = 0; p < planes; ++p) total.add(sums[p], 1 << p);
            }
        }
    }

    template <class Number>
    void add_up_surplus(const Columns<Number>& columns, std::size_t strip, std::size_t first,
                        std::size_t last, double* sums) {
        const Strip<Number>* rows = columns.strip(strip);
        for (std::size_t trial = first; trial < last; ++trial) {
            Totals<Number> total;
            std::uint32_t added = 0;
            const auto flush = [&] {
                columns.for_each_column(strip, [&](std::size_t k, std::size_t column) {
                    sums[column * trials_ + trial] += 4.0 * total.values[k];
                });
                total = {};
                added = 0;
            };
            for (const auto& [segment, fours] : surplus_[trial]) {
                for (std::uint32_t i = 0; i < fours; ++i) total.add(rows[segment], 1);
                if ((added += fours) >= surplus_at_once) flush();
            }
            flush();
        }
    }

    std::size_t words_;
    std::size_t trials_;
    std::vector<std::uint64_t> bits_;
    std::vector<std::vector<Surplus>> surplus_;
};

// Eight bytes as one number, the first of them lowest; compilers make it a single load.
std::uint64_t eight_bytes(const std::uint8_t* bytes) {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < 8; ++i) result |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
    return result;
}

// The lowest bit of each of eight bytes, side by side: the product moves that of byte i to
// bit 56 + i, and nothing else reaches the highest byte.
std::uint64_t lowest_bits(std::uint64_t eight) {
    return ((eight & 0x0101010101010101) * 0x0102040810204080) >> 56;
}

}  // namespace

void resampled_sums(const PackedRows& rows, const TrialRange& trials, double* sums) {
    if (rows.segments() == 0) {
        std::fill_n(sums, trials.count * rows.columns(), 0.0);
        return;
    }
    Choices<2> choices(rows.words(), trials.count);
    const NumbersBelow segments(static_cast<std::uint32_t>(rows.segments()));
    core::for_each_block(trials.count, 1, [&] {
        // 8 bits: no segment is drawn 256 times before the sun burns out.
        return [&, taken = std::vector<std::uint8_t>(rows.words() * word_bits)](
                   std::size_t trial, std::size_t) mutable {
            TrialRandom random(trials.seed, trials.stream, trials.first + trial);
            std::fill(taken.begin(), taken.end(), 0);
            segments.draw(random, rows.segments(), [&](std::uint32_t i) { ++taken[i]; });
            for (std::size_t word = 0; word < rows.words(); ++word) {
                std::uint64_t ones = 0;
                std::uint64_t twos = 0;
                for (std::size_t bit = 0; bit < word_bits; bit += 8) {
                    const std::size_t segment = word * word_bits + bit;
                    const std::uint64_t eight = eight_bytes(&taken[segment]);
                    ones |= lowest_bits(eight) << bit;
                    twos |= lowest_bits(eight >> 1) << bit;
                    if ((eight & 0xfcfcfcfcfcfcfcfc) == 0) continue;  // none more than 3 times
                    for (std::size_t i = segment; i < segment + 8; ++i) {
                        if (taken[i] > 3) choices.add_surplus(trial, i, taken[i] / 4u);
                    }
                }
                choices.bits(word, trial, 0) = ones;
                choices.bits(word, trial, 1) = twos;
            }
        };
    });
    choices.add_up(rows, sums);
}

void tossed_sums(const PackedRows& rows, const TrialRange& trials, double* sums) {
    Choices<1> choices(rows.words(), trials.count);
    core::for_each_block(trials.count, 1, [&] {
        return [&](std::size_t trial, std::size_t) {
            TrialRandom random(trials.seed, trials.stream, trials.first + trial);
            for (std::size_t word = 0; word < rows.words(); ++word) {
                choices.bits(word, trial, 0) = random.bits();
            }
        };
    });
    choices.add_up(rows, sums);
}

}  // namespace tertium::inference
