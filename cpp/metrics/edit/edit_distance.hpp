// Levenshtein alignment of a hypothesis with a reference, by bit-parallel dynamic programming.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/segment.hpp"

namespace tertium::metrics::edit {

// What turns the reference into the hypothesis. An insertion is a hypothesis word that the
// reference lacks, a deletion a reference word that the hypothesis lacks.
enum class Edit : std::uint8_t { match, substitution, insertion, deletion };

struct Edits {
    std::int64_t insertions = 0;
    std::int64_t deletions = 0;
    std::int64_t substitutions = 0;
    std::int64_t matches = 0;

    std::int64_t total() const { return insertions + deletions + substitutions; }
    friend bool operator==(const Edits&, const Edits&) = default;
};

// Memory that is kept from one segment to the next; holds no results.
struct EditScratch {
    // One row of the distance table, as differences between neighbouring reference positions:
    // bit i says that position i + 1 is one more (positive) or one less (negative) than i.
    struct Row {
        std::uint64_t positive;
        std::uint64_t negative;
    };

    std::vector<std::uint64_t> masks;  // by token + 1; all zero between calls
    std::vector<Row> rows;
    std::vector<std::int8_t> carries;
};

// The fewest edits and how they divide. Among the minimal alignments the one is taken that
// RapidFuzz 3.14 (and so jiwer 4.0) takes: after the common prefix and suffix are removed,
// from the end, a deletion where one is minimal, else an insertion where the reference
// position before it would be further off, else a match or substitution.
Edits edit_counts(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                  EditScratch&);

// The same alignment in reading order.
std::vector<Edit> alignment(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                            EditScratch&);

}  // namespace tertium::metrics::edit
