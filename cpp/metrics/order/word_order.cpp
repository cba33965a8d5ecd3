#include "metrics/order/word_order.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>

#include "core/interrupt.hpp"

namespace tertium::metrics::order {
namespace {

constexpr std::size_t mask_bits = 64;
// Words of context that are looked at for each word before texts that repeat themselves go to the
// automata.
constexpr std::size_t most_context = 16;
constexpr std::uint32_t no_context = std::numeric_limits<std::uint32_t>::max();
constexpr char in_hypothesis = 1;
constexpr char in_reference = 2;

}  // namespace

std::span<const std::uint32_t> WordOrder::correspondence(core::Tokens hypothesis,
                                                         core::Tokens reference,
                                                         std::size_t vocabulary) {
    positions_.clear();
    const std::size_t length = std::max(hypothesis.size(), reference.size());
    bool done = false;
    if (length <= mask_bits) {
        done = correspond_by_masks(hypothesis, reference, vocabulary, std::get<0>(masks_));
    } else if (length <= 2 * mask_bits) {
        done = correspond_by_masks(hypothesis, reference, vocabulary, std::get<1>(masks_));
    } else if (length <= 4 * mask_bits) {
        done = correspond_by_masks(hypothesis, reference, vocabulary, std::get<2>(masks_));
    }
    if (!done) {
        positions_.clear();
        correspond_by_automata(hypothesis, reference, vocabulary);
    }
    return positions_;
}

// Where the context stands in both texts, as sets of the places of the word that it grew by last: a
// context of one word more costs a shift and an intersection for each text. False if contexts grow
// too long, which the automata do not mind.
template <std::size_t Words>
bool WordOrder::correspond_by_masks(core::Tokens hypothesis, core::Tokens reference,
                                    std::size_t vocabulary, std::vector<Places<Words>>& masks) {
    masks.assign(vocabulary + 1, {});  // the first is of unknown words
    for (std::size_t p = 0; p < hypothesis.size(); ++p) {
        if (hypothesis[p] != core::unknown) {
            masks[static_cast<std::size_t>(hypothesis[p] + 1)].hypothesis.set(p);
        }
    }
    for (std::size_t p = 0; p < reference.size(); ++p) {
        masks[static_cast<std::size_t>(reference[p] + 1)].reference.set(p);
    }
    const auto masks_of = [&](core::Token token) -> const Places<Words>& {
        return masks[static_cast<std::size_t>(token + 1)];
    };
    const std::size_t length = hypothesis.size();
    std::size_t room = most_context * length;
    for (std::size_t i = 0; i < length; ++i) {
        core::check_interrupt();
        Places<Words> left = masks_of(hypothesis[i]);
        if (left.unique()) {
            positions_.push_back(static_cast<std::uint32_t>(left.reference.first()));
            continue;
        }
        Places<Words> right = left;
        bool goes_left = left.reference.any(), goes_right = goes_left;
        for (std::size_t window = 1;; ++window) {
            goes_left = goes_left && window <= i;
            goes_right = goes_right && window < length - i;
            if (!goes_left && !goes_right) break;
            if (Words > 1 && room-- == 0) return false;
            if (goes_left) {
                left.extend_left(masks_of(hypothesis[i - window]));
                if (left.unique()) {
                    positions_.push_back(
                        static_cast<std::uint32_t>(left.reference.first() + window));
                    break;
                }
                goes_left = left.reference.any();
            }
            if (goes_right) {
                right.extend_right(masks_of(hypothesis[i + window]));
                if (right.unique()) {
                    positions_.push_back(
                        static_cast<std::uint32_t>(right.reference.first() - window));
                    break;
                }
                goes_right = right.reference.any();
            }
        }
    }
    return true;
}

// Long texts, in linear time: walking through the automata of both texts says for every word
// how long its context has to be, and so does walking backwards for the other side.
void WordOrder::correspond_by_automata(core::Tokens hypothesis, core::Tokens reference,
                                       std::size_t vocabulary) {
    sides_.assign(vocabulary, 0);
    for (const core::Token token : reference)
        sides_[static_cast<std::size_t>(token)] |= in_reference;
    for (const core::Token token : hypothesis) {
        if (token != core::unknown) sides_[static_cast<std::size_t>(token)] |= in_hypothesis;
    }
    const auto filler = static_cast<core::Token>(vocabulary);
    share(hypothesis, filler, hypothesis_);
    share(reference, filler + 1, reference_);
    find_contexts(left_);
    std::ranges::reverse(hypothesis_.tokens);
    std::ranges::reverse(reference_.tokens);
    find_contexts(right_);
    const std::size_t length = left_.size();
    for (std::size_t i = 0; i < length; ++i) {
        const Context& left = left_[i];
        const Context& right = right_[length - 1 - i];
        if (left.length <= right.length && left.length != no_context) {
            positions_.push_back(reference_.places[left.position]);
        } else if (right.length != no_context) {
            positions_.push_back(reference_.places[reference_.places.size() - 1 - right.position]);
        }
    }
}

void WordOrder::share(core::Tokens text, core::Token filler, SharedWords& out) const {
    out.tokens.clear();
    out.places.clear();
    for (std::size_t p = 0; p < text.size(); ++p) {
        const bool shared = text[p] != core::unknown && sides_[static_cast<std::size_t>(text[p])] ==
                                                            (in_hypothesis | in_reference);
        if (!shared && !out.tokens.empty() && out.tokens.back() == filler) continue;
        out.tokens.push_back(shared ? text[p] : filler);
        out.places.push_back(static_cast<std::uint32_t>(p));
    }
}

void WordOrder::find_contexts(std::vector<Context>& contexts) {
    hypothesis_parts_.build(hypothesis_.tokens);
    reference_parts_.build(reference_.tokens);
    contexts.clear();
    core::SuffixAutomaton::Match own, other;
    for (const core::Token token : hypothesis_.tokens) {
        core::check_interrupt();
        own = hypothesis_parts_.advance(own, token);
        other = reference_parts_.advance(other, token);
        const std::uint32_t needed =
            std::max(hypothesis_parts_.repeated(own), reference_parts_.repeated(other)) + 1;
        const bool found = needed <= other.length;
        contexts.push_back({found ? needed : no_context, reference_parts_.end(other)});
    }
}

std::uint64_t WordOrder::increasing_pairs(std::span<const std::uint32_t> positions) {
    std::uint64_t pairs = 0;
    if (positions.size() <= mask_bits) {
        for (std::size_t later = 1; later < positions.size(); ++later) {
            std::uint32_t smaller = 0;
            for (std::size_t i = 0; i < later; ++i) smaller += positions[i] < positions[later];
            pairs += smaller;
        }
        return pairs;
    }
    // A binary indexed tree (Fenwick 1994) of the positions seen so far.
    tree_.assign(std::size_t{std::ranges::max(positions)} + 2, 0);
    for (const std::uint32_t position : positions) {
        for (std::size_t p = position; p > 0; p &= p - 1) pairs += tree_[p];
        for (std::size_t p = std::size_t{position} + 1; p < tree_.size(); p += p & (~p + 1)) {
            ++tree_[p];
        }
    }
    return pairs;
}

}  // namespace tertium::metrics::order
