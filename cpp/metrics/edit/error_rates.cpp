#include "metrics/edit/error_rates.hpp"

#include <algorithm>

namespace tertium::metrics::edit {
namespace {

std::int64_t signed_size(core::Tokens tokens) {
    return static_cast<std::int64_t>(tokens.size());
}

double mean_length(const core::Segment& segment) {
    std::int64_t sum = 0;
    for (const core::Tokens reference : segment.references) {
        sum += signed_size(reference);
    }
    return static_cast<double>(sum) / static_cast<double>(segment.references.size());
}

// What is smallest for the reference to be taken: errors, or errors for each word of the
// reference. A fraction, so that equal rates compare equal.
struct Cost {
    std::int64_t errors = 0;
    std::int64_t words = 0;

    // Empty against empty is a perfect match, words against empty are worse than any rate.
    static Cost rate(std::int64_t errors, core::Tokens reference) {
        return {errors, errors == 0 ? 1 : signed_size(reference)};
    }
    static Cost plain(std::int64_t errors) { return {errors, 1}; }

    friend bool operator<(const Cost& one, const Cost& other) {
        return one.errors * other.words < other.errors * one.words;
    }
};

std::int64_t common_words(core::Tokens hypothesis, core::Tokens reference,
                          std::vector<std::int32_t>& counts) {
    const auto count = [&](core::Token token) -> std::int32_t& {
        return counts[static_cast<std::size_t>(token + 1)];  // unknown words have count 0
    };
    for (const core::Token token : reference) {
        ++count(token);
    }
    std::int64_t common = 0;
    for (const core::Token token : hypothesis) {
        const std::int32_t found = count(token) > 0 ? 1 : 0;
        common += found;
        count(token) -= found;
    }
    for (const core::Token token : reference) {
        count(token) = 0;
    }
    return common;
}

}  // namespace

void wer_row(const core::Segment& segment, ReferenceChoice choice, ErrorRateScratch& scratch,
             double* row) {
    const bool by_rate = choice == ReferenceChoice::best_rate;
    Edits best;
    core::Tokens chosen;
    Cost lowest;
    bool first = true;
    for (const core::Tokens reference : segment.references) {
        const Edits edits =
            edit_counts(segment.hypothesis, reference, segment.vocabulary, scratch.edits);
        const Cost cost =
            by_rate ? Cost::rate(edits.total(), reference) : Cost::plain(edits.total());
        if (first || cost < lowest) {
            best = edits;
            chosen = reference;
            lowest = cost;
            first = false;
        }
    }
    row[0] = static_cast<double>(best.insertions);
    row[1] = static_cast<double>(best.deletions);
    row[2] = static_cast<double>(best.substitutions);
    row[3] = by_rate ? static_cast<double>(chosen.size()) : mean_length(segment);
}

void per_row(const core::Segment& segment, SurplusClip clip, ErrorRateScratch& scratch,
             double* row) {
    if (scratch.counts.size() < segment.vocabulary + 1) {
        scratch.counts.resize(segment.vocabulary + 1);
    }
    const std::int64_t words = signed_size(segment.hypothesis);
    std::int64_t matches = 0;
    core::Tokens chosen;
    Cost lowest;
    bool first = true;
    for (const core::Tokens reference : segment.references) {
        const std::int64_t common = common_words(segment.hypothesis, reference, scratch.counts);
        const std::int64_t errors = std::max(words, signed_size(reference)) - common;
        const Cost cost =
            clip == SurplusClip::corpus ? Cost::rate(errors, reference) : Cost::plain(errors);
        if (first || cost < lowest) {
            matches = common;
            chosen = reference;
            lowest = cost;
            first = false;
        }
    }
    if (clip == SurplusClip::segment) {
        row[0] = static_cast<double>(lowest.errors);
        row[1] = mean_length(segment);
    } else {
        row[0] = static_cast<double>(matches);
        row[1] = static_cast<double>(words);
        row[2] = static_cast<double>(chosen.size());
    }
}

}  // namespace tertium::metrics::edit
