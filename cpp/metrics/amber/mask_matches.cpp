// n-gram matches by bit masks (AMBER, Chen and Kuhn 2011, section 2.4).
//
// For each hypothesis place p and order n there are two masks: the places of the reference, and
// those of the hypothesis, where the n-gram that begins at p begins too. Those of order n are those
// of the first word, and those of order n − 1 at p + 1, shifted by one. Equal n-grams have equal
// masks, so that nothing has to be numbered or hashed: a population count says how often an n-gram
// stands in a text, or before a place.
//
// Fixed gaps: an n-gram with a gap of one word is the intersection of two such masks, of its first
// part (k words) and, shifted by k + 1, of its second.
//
// Flexible gaps: what counts for parts (a, b) is min(pairs in order here, pairs in order there).
// If one of the parts stands once in both texts, this is the number of t for which both texts have
// t pairs. Let b stand once: the hypothesis has t pairs if the t-th occurrence of a ends before b.
// So when the t-th a of the hypothesis is paired with the t-th a of the reference, the pairs of
// which both members lie before the respective b are just what counts. If a stands once, the b are
// paired from the end. Each first part thereby costs one look-up, one intersection and one
// population count for all second parts of an order: `behind` has, by reference place, the mask of
// the hypothesis places of the second parts whose partner begins there or later. Only where both
// parts are repeated are pairs gone through.
//
// Invariants: rows have one empty mask at their end, which is what p + 1 finds behind the last
// word; masks are empty where the reference lacks the n-gram, and `shared` lists the other places,
// so that the longer and rarer n-grams cost nothing where they cannot match.
//
// The cost is O(words · orders²) for words / 64 rounded up, and the number of repeated n-grams
// squared, which is why long texts go elsewhere (gapped_matches.cpp).
#include "metrics/amber/mask_matches.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>

#include "core/interrupt.hpp"
#include "core/place_mask.hpp"
#include "core/processor.hpp"

namespace tertium::metrics::amber {
namespace {

constexpr std::size_t word_bits = 64;

template <std::size_t Words>
using Mask = core::PlaceMask<Words>;

// This place of a text and all behind it.
template <std::size_t Words>
TERTIUM_INLINE Mask<Words> from(std::size_t place) {
    return core::masks_from<Words, MaskMatches::most_orders + 2>[place];
}

// A place of the hypothesis where an n-gram of the reference begins.
struct Shared {
    std::uint16_t place;
    std::uint16_t before;        // of its occurrences in the hypothesis
    std::uint16_t count, limit;  // occurrences in the hypothesis, and in the reference
};

// The two masks of all places and orders; none where the reference does not have the n-gram.
template <std::size_t Words>
struct Rows {
    Mask<Words>* reference;  // order n begins at (n − 1) · stride
    Mask<Words>* hypothesis;
    Shared* shared;                                             // likewise
    std::array<std::size_t, MaskMatches::most_orders>* counts;  // of the shared, by order
    std::size_t stride, length, reference_length;

    TERTIUM_INLINE Mask<Words>* there(std::size_t n) const { return reference + (n - 1) * stride; }
    TERTIUM_INLINE Mask<Words>* here(std::size_t n) const { return hypothesis + (n - 1) * stride; }
    TERTIUM_INLINE Shared* shared_of(std::size_t n) const { return shared + (n - 1) * stride; }
    TERTIUM_INLINE std::size_t& count(std::size_t n) const { return (*counts)[n - 1]; }
};

// A repeated n-gram: its places in both texts.
template <std::size_t Words>
struct Repeated {
    Mask<Words> here, there;
};

// A first part that is paired with one of the reference: where its second part may begin.
struct First {
    std::uint16_t from, from_in_reference;
    bool once;
};

TERTIUM_INLINE std::size_t places_of(std::size_t length, std::size_t n) {
    return length < n ? 0 : length - n + 1;
}

template <std::size_t Words>
TERTIUM_INLINE Shared shared_at(std::size_t place, const Mask<Words>& here,
                                const Mask<Words>& there) {
    return {static_cast<std::uint16_t>(place),
            static_cast<std::uint16_t>(here.without(from<Words>(place)).count()),
            static_cast<std::uint16_t>(here.count()), static_cast<std::uint16_t>(there.count())};
}

template <std::size_t Words>
TERTIUM_INLINE void fill_rows(const core::Segment& segment, std::size_t orders,
                              const Rows<Words>& rows, Mask<Words>* here, Mask<Words>* there) {
    const core::Tokens reference = segment.references.front();
    const core::Tokens hypothesis = segment.hypothesis;
    for (std::size_t p = 0; p < reference.size(); ++p) {
        there[static_cast<std::size_t>(reference[p] + 1)].set(p);
    }
    for (std::size_t p = 0; p < hypothesis.size(); ++p) {
        here[static_cast<std::size_t>(hypothesis[p] + 1)].set(p);
    }
    here[0] = Mask<Words>::none();  // unknown words are no n-gram
    std::size_t count = 0;
    for (std::size_t p = 0; p < hypothesis.size(); ++p) {
        const auto token = static_cast<std::size_t>(hypothesis[p] + 1);
        rows.reference[p] = there[token];
        rows.hypothesis[p] = here[token];
        rows.shared[count] = shared_at(p, here[token], there[token]);
        count += hypothesis[p] != core::unknown;
    }
    rows.reference[rows.length] = rows.hypothesis[rows.length] = Mask<Words>::none();
    rows.count(1) = count;
    for (std::size_t n = 2; n <= orders; ++n) {
        Mask<Words>* const longer_there = rows.there(n);
        Mask<Words>* const longer_here = rows.here(n);
        std::fill_n(longer_there, rows.stride, Mask<Words>::none());
        std::fill_n(longer_here, rows.stride, Mask<Words>::none());
        const Mask<Words>* const shorter_there = rows.there(n - 1);
        const Mask<Words>* const shorter_here = rows.here(n - 1);
        const Shared* const shorter = rows.shared_of(n - 1);
        Shared* const longer = rows.shared_of(n);
        const std::size_t most = rows.count(n - 1);
        count = 0;
        for (std::size_t i = 0; i < most; ++i) {
            const std::size_t p = shorter[i].place;
            const Mask<Words> in_reference = rows.reference[p] & shorter_there[p + 1].earlier(1);
            if (!in_reference.any()) continue;
            longer_there[p] = in_reference;
            longer_here[p] = rows.hypothesis[p] & shorter_here[p + 1].earlier(1);
            longer[count++] = shared_at(p, longer_here[p], in_reference);
        }
        rows.count(n) = count;
    }
}

// The occurrences of which the reference has as many, order by order.
template <std::size_t Words>
TERTIUM_INLINE void count_plain(const Rows<Words>& rows, std::size_t orders, const MaskSums& sums) {
    for (std::size_t n = 1; n <= orders; ++n) {
        const Shared* const shared = rows.shared_of(n);
        const std::size_t most = rows.count(n);
        std::uint32_t matched = 0;
        for (std::size_t i = 0; i < most; ++i) matched += shared[i].before < shared[i].limit;
        sums.plain->matches[n - 1].count += matched;
        sums.plain->totals[n - 1].count += static_cast<double>(places_of(rows.length, n));
        (*sums.reference)[n - 1].count += static_cast<double>(places_of(rows.reference_length, n));
    }
}

template <std::size_t Words>
TERTIUM_INLINE void count_fixed(const Rows<Words>& rows, std::size_t order, GramSums& sums) {
    for (std::size_t n = 2; n <= order && n < rows.length; ++n) {
        std::uint32_t matched = 0;
        for (std::size_t k = 1; k < n; ++k) {
            const std::size_t gap = k + 1, most = rows.count(k);
            const Shared* const shared = rows.shared_of(k);
            const Mask<Words>* const first = rows.there(k);
            const Mask<Words>* const second = rows.there(n - k) + gap;
            const Mask<Words>* const first_here = rows.here(k);
            const Mask<Words>* const second_here = rows.here(n - k) + gap;
            for (std::size_t i = 0; i < most; ++i) {
                const std::size_t p = shared[i].place;
                if (p + n >= rows.length) break;
                const std::uint32_t limit = (first[p] & second[p].earlier(gap)).count();
                const Mask<Words> own = first_here[p] & second_here[p].earlier(gap);
                matched += own.without(from<Words>(p)).count() < limit;
            }
        }
        sums.matches[n - 2].count += matched;
        sums.totals[n - 2].count += static_cast<double>((n - 1) * (rows.length - n));
    }
}

// Pairs of places of two parts, of which the second begins `gap` places after the first or later.
template <std::size_t Words>
TERTIUM_INLINE std::uint64_t pairs(const Mask<Words>& first, const Mask<Words>& second,
                                   std::size_t gap) {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < Words; ++w) {
        for (std::uint64_t bits = first.words[w]; bits != 0; bits &= bits - 1) {
            const std::size_t place =
                w * word_bits + static_cast<std::size_t>(std::countr_zero(bits));
            sum += (second & from<Words>(place + gap)).count();
        }
    }
    return sum;
}

template <std::size_t Words>
struct Parts {
    static constexpr std::size_t most = Words * word_bits;
    static constexpr std::size_t room = most + MaskMatches::most_orders + 2;

    // Of second parts, by reference place: all of them, and those that stand once.
    Mask<Words> behind[MaskMatches::most_orders][room];
    Mask<Words> once_behind[MaskMatches::most_orders][room];
    std::array<First, most> firsts[MaskMatches::most_orders];
    std::array<Repeated<Words>, most> repeated[MaskMatches::most_orders];
    std::size_t first_count[MaskMatches::most_orders];
    std::size_t repeated_count[MaskMatches::most_orders];
};

template <std::size_t Words>
TERTIUM_INLINE void find_parts(const Rows<Words>& rows, std::size_t n, Parts<Words>& parts) {
    const Mask<Words>* const all_there = rows.there(n);
    const Mask<Words>* const all_here = rows.here(n);
    Mask<Words>* const behind = parts.behind[n - 1];
    Mask<Words>* const once_behind = parts.once_behind[n - 1];
    const std::size_t end = rows.reference_length + MaskMatches::most_orders + 1;
    std::fill_n(behind, end, Mask<Words>::none());
    std::fill_n(once_behind, end, Mask<Words>::none());
    std::size_t firsts = 0, repeated = 0;
    const Shared* const all = rows.shared_of(n);
    const std::size_t most = rows.count(n);
    for (std::size_t i = 0; i < most; ++i) {
        const Shared shared = all[i];
        const std::size_t p = shared.place;
        const Mask<Words> there = all_there[p];
        const bool once = shared.count == 1 && shared.limit == 1;
        if (once) {
            const std::size_t partner = there.first();
            parts.firsts[n - 1][firsts++] = {static_cast<std::uint16_t>(p + n + 1),
                                             static_cast<std::uint16_t>(partner + n + 1), true};
            behind[partner].set(p);
            once_behind[partner].set(p);
            continue;
        }
        if (shared.before == 0) parts.repeated[n - 1][repeated++] = {all_here[p], there};
        if (shared.before < shared.limit) {
            parts.firsts[n - 1][firsts++] = {
                static_cast<std::uint16_t>(p + n + 1),
                static_cast<std::uint16_t>(there.place(shared.before) + n + 1), false};
        }
        const std::uint32_t from_end = std::uint32_t{shared.count} - shared.before;
        if (from_end <= shared.limit) behind[there.place(shared.limit - from_end)].set(p);
    }
    for (std::size_t q = rows.reference_length; q-- > 0;) {
        behind[q] = behind[q] | behind[q + 1];
        once_behind[q] = once_behind[q] | once_behind[q + 1];
    }
    parts.first_count[n - 1] = firsts;
    parts.repeated_count[n - 1] = repeated;
}

template <std::size_t Words>
TERTIUM_INLINE void count_flexible(const Rows<Words>& rows, std::size_t order, Parts<Words>& parts,
                                   GramSums& sums) {
    std::array<std::uint64_t, MaskMatches::most_orders + 1> matched{};
    for (std::size_t n = 1; n < order; ++n) find_parts(rows, n, parts);
    for (std::size_t k = 1; k < order; ++k) {
        for (std::size_t i = 0; i < parts.first_count[k - 1]; ++i) {
            const First first = parts.firsts[k - 1][i];
            const Mask<Words> room = from<Words>(first.from);
            const auto& behind = first.once ? parts.behind : parts.once_behind;
            for (std::size_t m = 1; k + m <= order; ++m) {
                matched[k + m] += (behind[m - 1][first.from_in_reference] & room).count();
            }
        }
        for (std::size_t i = 0; i < parts.repeated_count[k - 1]; ++i) {
            const Repeated<Words>& a = parts.repeated[k - 1][i];
            for (std::size_t m = 1; k + m <= order; ++m) {
                for (std::size_t j = 0; j < parts.repeated_count[m - 1]; ++j) {
                    const Repeated<Words>& b = parts.repeated[m - 1][j];
                    const std::uint64_t own = pairs(a.here, b.here, k + 1);
                    if (own != 0) {
                        matched[k + m] += std::min(own, pairs(a.there, b.there, k + 1));
                    }
                }
            }
        }
    }
    for (std::size_t n = 2; n <= order; ++n) {
        sums.matches[n - 2].count += static_cast<double>(matched[n]);
        if (n < rows.length) {
            const auto slack = static_cast<double>(rows.length - n);
            sums.totals[n - 2].count += static_cast<double>(n - 1) * slack * (slack + 1) / 2;
        }
    }
}

// What one width of masks works in.
template <std::size_t Words>
struct Memory {
    std::vector<Mask<Words>> masks;
    std::vector<Shared> shared;
    std::array<std::size_t, MaskMatches::most_orders> counts;
    Parts<Words> parts;
};

template <std::size_t Words>
TERTIUM_INLINE void count_all(const core::Segment& segment, std::size_t orders,
                              std::size_t gap_order, const MaskSums& sums, Memory<Words>& memory) {
    const std::size_t length = segment.hypothesis.size();
    const std::size_t stride = length + 1, tokens = segment.vocabulary + 1;
    const std::size_t size = 2 * (orders * stride + tokens);
    if (memory.masks.size() < size) memory.masks.resize(size);
    Mask<Words>* const begin = memory.masks.data();
    Mask<Words>* const by_token = begin + 2 * orders * stride;
    if (memory.shared.size() < orders * stride) memory.shared.resize(orders * stride);
    const Rows<Words> rows{
        begin,  begin + orders * stride,          memory.shared.data(), &memory.counts, stride,
        length, segment.references.front().size()};
    std::fill_n(by_token, 2 * tokens, Mask<Words>::none());
    fill_rows(segment, orders, rows, by_token, by_token + tokens);
    count_plain(rows, orders, sums);
    if (sums.fixed != nullptr) count_fixed(rows, gap_order, *sums.fixed);
    if (sums.flexible != nullptr) count_flexible(rows, gap_order, memory.parts, *sums.flexible);
}

#ifdef TERTIUM_AVX2
template <std::size_t Words>
TERTIUM_AVX2 void count_by_vectors(const core::Segment& segment, std::size_t orders,
                                   std::size_t gap_order, const MaskSums& sums,
                                   Memory<Words>& memory) {
    count_all(segment, orders, gap_order, sums, memory);
}
#endif

template <std::size_t Words>
void count_words(const core::Segment& segment, std::size_t orders, std::size_t gap_order,
                 const MaskSums& sums, std::unique_ptr<Memory<Words>>& memory) {
    if (memory == nullptr) memory = std::make_unique<Memory<Words>>();
#ifdef TERTIUM_AVX2
    if (core::has_avx2()) return count_by_vectors(segment, orders, gap_order, sums, *memory);
#endif
    count_all(segment, orders, gap_order, sums, *memory);
}

}  // namespace

struct MaskMatches::Memories {
    std::unique_ptr<Memory<1>> one;
    std::unique_ptr<Memory<2>> two;
    std::unique_ptr<Memory<4>> four;
};

MaskMatches::MaskMatches() : memories_(std::make_unique<Memories>()) {}
MaskMatches::MaskMatches(MaskMatches&&) noexcept = default;
MaskMatches& MaskMatches::operator=(MaskMatches&&) noexcept = default;
MaskMatches::~MaskMatches() = default;

bool MaskMatches::fits(const core::Segment& segment, std::size_t orders) {
    return segment.references.size() == 1 && orders <= most_orders &&
           std::max(segment.hypothesis.size(), segment.references.front().size()) <= most_words;
}

void MaskMatches::count(const core::Segment& segment, std::size_t orders, std::size_t gap_order,
                        const MaskSums& sums) {
    core::check_interrupt();
    const std::size_t words =
        std::max(segment.hypothesis.size(), segment.references.front().size());
    if (words <= word_bits) {
        count_words(segment, orders, gap_order, sums, memories_->one);
    } else if (words <= 2 * word_bits) {
        count_words(segment, orders, gap_order, sums, memories_->two);
    } else {
        count_words(segment, orders, gap_order, sums, memories_->four);
    }
}

}  // namespace tertium::metrics::amber
