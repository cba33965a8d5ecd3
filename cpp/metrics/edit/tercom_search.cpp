#include "metrics/edit/tercom_search.hpp"

#include <utility>

#include "core/interrupt.hpp"

namespace tertium::metrics::edit {
namespace {

TerCosts unit_costs(const TerLimits& limits) {
    TerCosts costs;
    costs.beam = static_cast<double>(limits.beam);
    costs.shift_length = static_cast<std::size_t>(limits.shift_length);
    costs.shift_distance = static_cast<std::size_t>(limits.shift_distance);
    return costs;
}

Edit edit_of(TerMove move) {
    switch (move) {
        case TerMove::match:
            return Edit::match;
        case TerMove::insertion:
            return Edit::insertion;
        case TerMove::deletion:
            return Edit::deletion;
        default:
            return Edit::substitution;
    }
}

}  // namespace

TercomSearch::TercomSearch(const TerLimits& limits) : search_(unit_costs(limits)) {}

void TercomSearch::operator()(const core::Segment& segment, double* row) {
    bool first = true;
    for (const core::Tokens reference : segment.references) {
        search(segment.hypothesis, reference, path_);
        if (first || path_.total() < best_path_.total()) std::swap(path_, best_path_);
        first = false;
    }
    ter_row(best_path_, mean_length(segment), row);
}

void TercomSearch::search(core::Tokens hypothesis, core::Tokens reference, TerPath& path) {
    pair_.words = hypothesis.size();
    pair_.positions = reference.size();
    pair_.relations.clear();
    for (const core::Token word : hypothesis) {
        core::check_interrupt();
        for (const core::Token other : reference) {
            pair_.relations.push_back(word == other ? equal_words : Relation{0});
        }
    }
    search_.search(pair_, weighted_);
    path.shifts = weighted_.shifts;
    path.edits.clear();
    path.distance = 0;
    for (const TerStep& step : weighted_.steps) {
        path.edits.push_back(edit_of(step.move));
        path.distance += step.move == TerMove::match ? 0 : 1;
    }
}

}  // namespace tertium::metrics::edit
