#include "metrics/edit/edit_distance.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "metrics/edit/edit_bits.hpp"

namespace tertium::metrics::edit {
namespace {

using namespace edit_bits;

std::int64_t signed_size(core::Tokens tokens) {
    return static_cast<std::int64_t>(tokens.size());
}

// Follows the stored rows from the end, as `alignment` does, and counts the deletions. The steps
// are data, so a branch on them would be mispredicted: all three kinds take the same path.
std::int64_t count_deletions(const Row* rows, std::size_t words, std::size_t positions) {
    std::uint64_t deletions = 0;
    while (words > 0 && positions > 0) {
        const std::uint64_t deletion = rows[words].positive >> (positions - 1) & 1;
        const std::uint64_t insertion =
            rows[words - 1].negative >> (positions - 1) & 1 & (deletion ^ 1);
        deletions += deletion;
        positions -= 1 - insertion;
        words -= 1 - deletion;
    }
    return static_cast<std::int64_t>(deletions + positions);
}

// Neither side is empty and the reference fits into one block.
Edits counts_within_block(core::Tokens hypothesis, core::Tokens reference, EditScratch& scratch) {
    set_masks(reference, scratch.masks);
    if (scratch.rows.size() < hypothesis.size() + 1) {
        scratch.rows.resize(hypothesis.size() + 1);
    }
    Row* const rows = scratch.rows.data();
    const std::uint64_t* const masks = scratch.masks.data();
    Row row = first_row;
    rows[0] = row;
    for (std::size_t word = 0; word < hypothesis.size(); ++word) {
        int carry = 1;
        advance(row, masks[slot(hypothesis[word])], carry);
        rows[word + 1] = row;
    }
    clear_masks(reference, scratch.masks);

    const std::uint64_t used = first_row.positive >> (block_size - reference.size());
    const std::int64_t surplus = signed_size(hypothesis) - signed_size(reference);
    const std::int64_t distance = signed_size(hypothesis) + std::popcount(row.positive & used) -
                                  std::popcount(row.negative & used);
    Edits edits;
    if (distance == std::abs(surplus)) {
        edits.deletions = std::max<std::int64_t>(0, -surplus);
    } else {
        edits.deletions = count_deletions(rows, hypothesis.size(), reference.size());
    }
    edits.insertions = edits.deletions + surplus;
    edits.substitutions = distance - edits.insertions - edits.deletions;
    edits.matches = signed_size(reference) - edits.deletions - edits.substitutions;
    return edits;
}

Edits tally(const std::vector<Edit>& alignment) {
    std::int64_t counts[4] = {};
    for (const Edit edit : alignment) {
        ++counts[static_cast<std::size_t>(edit)];
    }
    return {.insertions = counts[static_cast<std::size_t>(Edit::insertion)],
            .deletions = counts[static_cast<std::size_t>(Edit::deletion)],
            .substitutions = counts[static_cast<std::size_t>(Edit::substitution)],
            .matches = counts[static_cast<std::size_t>(Edit::match)]};
}

}  // namespace

Edits edit_counts(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                  EditScratch& scratch) {
    const std::size_t prefix = common_prefix(hypothesis, reference);
    hypothesis = hypothesis.subspan(prefix);
    reference = reference.subspan(prefix);
    const std::size_t suffix = common_suffix(hypothesis, reference);
    hypothesis = hypothesis.first(hypothesis.size() - suffix);
    reference = reference.first(reference.size() - suffix);

    Edits edits;
    if (hypothesis.empty() || reference.empty()) {
        edits.insertions = signed_size(hypothesis);
        edits.deletions = signed_size(reference);
    } else if (reference.size() <= block_size) {
        reserve_masks(vocabulary, scratch);
        edits = counts_within_block(hypothesis, reference, scratch);
    } else {
        edits = tally(alignment(hypothesis, reference, vocabulary, scratch));
    }
    edits.matches += static_cast<std::int64_t>(prefix + suffix);
    return edits;
}

}  // namespace tertium::metrics::edit
