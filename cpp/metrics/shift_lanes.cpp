#include "metrics/shift_lanes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "interrupt.hpp"
#include "metrics/edit_bits.hpp"

// The widest registers that the processor has, chosen when the module is loaded.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__)
#define TERTIUM_WIDEST __attribute__((target_clones("arch=x86-64-v4", "avx2", "default")))
#else
#define TERTIUM_WIDEST
#endif

namespace tertium {
namespace {

#if defined(__GNUC__)  // GCC and Clang
#define TERTIUM_INLINE inline __attribute__((always_inline))
template <class Number>
struct Lane {
    typedef Number Vector __attribute__((vector_size(64)));
};
#else
#define TERTIUM_INLINE inline
template <class Number>
struct Lane {
    using Vector = Number;  // one lane
};
#endif

template <class Number>
using Vector = typename Lane<Number>::Vector;
template <class Number>
constexpr std::size_t lane_count = sizeof(Vector<Number>) / sizeof(Number);

// What is done to the kept rows. The first `changed` words differ from lane to lane (by word,
// block and lane), the `rest` is the same in all (by word and block).
template <class Number>
struct Work {
    const Number* changed;
    std::size_t changed_words;
    const std::uint64_t* rest;
    std::size_t rest_words;
    const EditScratch::Row* rows;  // where it begins, by block
    std::size_t blocks;
    std::size_t positions;
    std::int32_t* sums;  // by lane: the last position of the last row less the first
};

template <class Number>
TERTIUM_INLINE void advance(const Work<Number>& work, std::size_t blocks) {
    using Lanes = Vector<Number>;
    constexpr std::size_t count = lane_count<Number>;
    Lanes positive[ShiftLanes::most_blocks], negative[ShiftLanes::most_blocks];
    for (std::size_t block = 0; block < blocks; ++block) {
        positive[block] = Lanes{} + static_cast<Number>(work.rows[block].positive);
        negative[block] = Lanes{} + static_cast<Number>(work.rows[block].negative);
    }
    const std::size_t words = work.changed_words + work.rest_words;
    for (std::size_t word = 0; word < words; ++word) {
        Lanes rises = Lanes{} + Number{1}, falls{};  // left of the first position
        for (std::size_t block = 0; block < blocks; ++block) {
            Lanes equal;
            if (word < work.changed_words) {
                std::memcpy(&equal, work.changed + (word * blocks + block) * count, sizeof equal);
            } else {
                equal = Lanes{} + static_cast<Number>(
                                      work.rest[(word - work.changed_words) * blocks + block]);
            }
            const Lanes old = positive[block];
            if (blocks > 1) equal |= falls;
            const Lanes diagonal = (((equal & old) + old) ^ old) | equal | negative[block];
            const Lanes more = negative[block] | ~(diagonal | old), less = diagonal & old;
            const Lanes right = more << 1 | rises;
            positive[block] = less << 1 | ~(diagonal | right);
            if (blocks > 1) positive[block] |= falls;
            negative[block] = diagonal & right;
            if (blocks > 1) {
                constexpr int last = 8 * sizeof(Number) - 1;
                rises = more >> last;
                falls = less >> last;
            }
        }
    }
    std::fill_n(work.sums, count, 0);
    for (std::size_t block = 0; block < blocks; ++block) {
        const auto used = edit_bits::used_bits<Number>(block, work.positions);
        Number ups[count], downs[count];
        const Lanes up = positive[block] & used, down = negative[block] & used;
        std::memcpy(ups, &up, sizeof up);
        std::memcpy(downs, &down, sizeof down);
        for (std::size_t lane = 0; lane < count; ++lane) {
            work.sums[lane] += std::popcount(ups[lane]) - std::popcount(downs[lane]);
        }
    }
}

TERTIUM_WIDEST void advance_lanes(const Work<std::uint32_t>& work) {
    advance(work, 1);
}

TERTIUM_WIDEST void advance_lanes(const Work<std::uint64_t>& work) {
    if (work.blocks == 1) {
        advance(work, 1);
    } else {
        advance(work, work.blocks);
    }
}

}  // namespace

void ShiftLanes::operator()(const EditBits& bits, std::span<const Shift> shifts,
                            std::int64_t* distances) {
    check_interrupt();
    if (bits.positions <= 32) {
        run(bits, shifts, narrow_, distances);
    } else {
        run(bits, shifts, wide_, distances);
    }
}

template <class Number>
void ShiftLanes::run(const EditBits& bits, std::span<const Shift> shifts,
                     std::vector<Number>& orders, std::int64_t* distances) {
    constexpr std::size_t count = lane_count<Number>;
    const std::size_t blocks = bits.blocks;
    for (; !shifts.empty();) {
        const std::span<const Shift> group = shifts.first(std::min(count, shifts.size()));
        std::size_t first = bits.words, end = 0;
        for (const Shift& shift : group) {
            first = std::min(first, shift.first());
            end = std::max(end, shift.end());
        }
        if (orders.size() < (end - first) * blocks * count) {
            orders.resize((end - first) * blocks * count);
        }
        Number* out = orders.data();
        for (std::size_t i = first * blocks; i < end * blocks; ++i, out += count) {
            std::fill_n(out, count, static_cast<Number>(bits.equal[i]));
        }
        for (std::size_t lane = 0; lane < group.size(); ++lane) {
            const Shift& shift = group[lane];
            out = orders.data() + (shift.first() - first) * blocks * count + lane;
            const std::size_t begin = shift.first() * blocks, behind = shift.end() * blocks;
            const std::size_t middle = shift.middle() * blocks;
            for (std::size_t i = begin, from = middle; i < behind; ++i, out += count) {
                *out = static_cast<Number>(bits.equal[from]);
                from = from + 1 == behind ? begin : from + 1;
            }
        }
        // Words at the end that are the reference's add nothing.
        const std::size_t ending = std::min(bits.ending, bits.words - end);
        const std::size_t words = bits.words - ending;
        std::array<std::int32_t, count> sums;
        advance_lanes(Work<Number>{orders.data(), end - first, bits.equal + end * blocks,
                                   words - end, bits.rows + first * blocks, blocks,
                                   bits.positions - ending, sums.data()});
        for (std::size_t lane = 0; lane < group.size(); ++lane) {
            *distances++ = static_cast<std::int64_t>(words) + sums[lane];
        }
        shifts = shifts.subspan(group.size());
    }
}

}  // namespace tertium
