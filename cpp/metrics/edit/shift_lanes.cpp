// Edit distances after many shifts at once. Each lane of a vector register runs the bit-parallel
// recurrence of Myers (1999) and Hyyrö (2003) on one order of the words; see edit_bits.hpp for a
// single one. A row of the table is two bit vectors over the reference positions, where the
// distance rises and where it falls from one position to the next, so D(words, positions) = words +
// rises − falls.
//
// Shifts of one group have much in common. Up to the first word that any of them moves the rows are
// those of the unshifted words, and are loaded from the table. From there to the last word that any
// of them moves each lane has its own words (`changed`); behind it all read the same ones (`rest`),
// and a common ending with the reference is left out, as it changes no distance.
//
//  - Up to 32 positions lanes are 32 bits wide, otherwise 64 with up to most_blocks blocks, between
//    which `rises` and `falls` carry the change at the border. The sum in `diagonal` may carry out
//    at the top of a lane; vector additions drop that, as the recurrence wants it.
//  - Lanes without a shift hold the unshifted words: they are computed and not read.
//  - Bits beyond the last position are garbage until they are masked in the final count.
//  - `advance` must be inlined into functions with a target attribute (TERTIUM_INLINE), or it is
//    compiled for the baseline processor; `blocks` is a parameter so that it is a constant for 1.
// All widths give the same whole numbers, which tests hold by TERTIUM_VECTORS.
#include "metrics/edit/shift_lanes.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/interrupt.hpp"
#include "core/processor.hpp"
#include "metrics/edit/edit_bits.hpp"

namespace tertium::metrics::edit {
namespace {

constexpr std::size_t count = ShiftLanes::most;  // of lanes

// A register of some lanes, `bytes` wide where the compiler knows such a thing.
template <class Number, std::size_t bytes>
struct Register {
#ifdef TERTIUM_VECTOR
    typedef Number Type TERTIUM_VECTOR(bytes);
#else
    using Type = Number;
#endif
};

template <class Number, std::size_t bytes>
TERTIUM_INLINE void advance(const LaneWork<Number>& work, const std::size_t blocks) {
    using Lanes = typename Register<Number, bytes>::Type;
    constexpr std::size_t some = sizeof(Lanes) / sizeof(Number), registers = count / some;
    constexpr std::size_t most = ShiftLanes::most_blocks;
    Lanes positive[most][registers], negative[most][registers], rises[registers], falls[registers];
    for (std::size_t block = 0; block < blocks; ++block) {
        for (std::size_t i = 0; i < registers; ++i) {
            positive[block][i] = Lanes{} + static_cast<Number>(work.rows[block].positive);
            negative[block][i] = Lanes{} + static_cast<Number>(work.rows[block].negative);
        }
    }
    const std::size_t words = work.changed_words + work.rest_words;
    for (std::size_t word = 0; word < words; ++word) {
        for (std::size_t i = 0; i < registers; ++i) {  // left of the first position
            rises[i] = Lanes{} + Number{1};
            falls[i] = Lanes{};
        }
        for (std::size_t block = 0; block < blocks; ++block) {
            for (std::size_t i = 0; i < registers; ++i) {
                Lanes equal;
                if (word < work.changed_words) {
                    std::memcpy(&equal, work.changed + (word * blocks + block) * count + i * some,
                                sizeof equal);
                } else {
                    equal = Lanes{} + static_cast<Number>(
                                          work.rest[(word - work.changed_words) * blocks + block]);
                }
                if (blocks > 1) equal |= falls[i];
                const Lanes old = positive[block][i], less_old = negative[block][i];
                const Lanes diagonal = (((equal & old) + old) ^ old) | equal | less_old;
                const Lanes more = less_old | ~(diagonal | old), less = diagonal & old;
                const Lanes right = more << 1 | rises[i];
                positive[block][i] = less << 1 | ~(diagonal | right);
                if (blocks > 1) positive[block][i] |= falls[i];
                negative[block][i] = diagonal & right;
                if (blocks > 1) {
                    constexpr int last = 8 * sizeof(Number) - 1;
                    rises[i] = more >> last;
                    falls[i] = less >> last;
                }
            }
        }
    }
    std::fill_n(work.sums, count, 0);
    for (std::size_t block = 0; block < blocks; ++block) {
        auto used = edit_bits::used_bits<Number>(block, work.positions);
        Number ups[count], downs[count];
        std::memcpy(ups, positive[block], sizeof ups);
        std::memcpy(downs, negative[block], sizeof downs);
        for (std::size_t lane = 0; lane < count; ++lane) {
            if (work.lane_positions != nullptr) {
                used = edit_bits::used_bits<Number>(block, work.lane_positions[lane]);
            }
            work.sums[lane] += std::popcount(static_cast<Number>(ups[lane] & used)) -
                               std::popcount(static_cast<Number>(downs[lane] & used));
        }
    }
}

template <std::size_t bytes, class Number>
TERTIUM_INLINE void advance_all(const LaneWork<Number>& work) {
    if (work.blocks == 1) {
        advance<Number, bytes>(work, 1);
    } else if (sizeof(Number) == sizeof(std::uint64_t)) {
        advance<Number, bytes>(work, work.blocks);
    }
}

// Wider registers where the processor has them.
#ifdef TERTIUM_AVX2
TERTIUM_AVX2 void advance_avx2(const LaneWork<std::uint32_t>& work) {
    advance_all<32>(work);
}
TERTIUM_AVX2 void advance_avx2(const LaneWork<std::uint64_t>& work) {
    advance_all<32>(work);
}

template <class Number>
void advance_widest(const LaneWork<Number>& work) {
    if (core::has_avx2()) return advance_avx2(work);
    advance_all<16>(work);
}
#else
template <class Number>
void advance_widest(const LaneWork<Number>& work) {
    advance_all<16>(work);
}
#endif

}  // namespace

void advance_lanes(const LaneWork<std::uint32_t>& work) {
    advance_widest(work);
}

void advance_lanes(const LaneWork<std::uint64_t>& work) {
    advance_widest(work);
}

void ShiftLanes::operator()(const EditBits& bits, std::span<const Shift> shifts,
                            std::int64_t* distances) {
    core::check_interrupt();
    if (bits.positions <= 32) {
        run(bits, shifts, narrow_, distances);
    } else {
        run(bits, shifts, wide_, distances);
    }
}

template <class Number>
void ShiftLanes::run(const EditBits& bits, std::span<const Shift> shifts,
                     std::vector<Number>& orders, std::int64_t* distances) {
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
        advance_lanes(LaneWork<Number>{orders.data(), end - first, bits.equal + end * blocks,
                                       words - end, bits.rows + first * blocks, blocks,
                                       bits.positions - ending, nullptr, sums.data()});
        for (std::size_t lane = 0; lane < group.size(); ++lane) {
            *distances++ = static_cast<std::int64_t>(words) + sums[lane];
        }
        shifts = shifts.subspan(group.size());
    }
}

}  // namespace tertium::metrics::edit
