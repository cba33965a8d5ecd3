#include "metrics/edit/ter_beam.hpp"

#include <algorithm>
#include <cmath>

#include "core/interrupt.hpp"

namespace tertium::metrics::edit {

Beam::Beam(std::size_t words, std::size_t positions, std::int64_t width)
    : words_(words), positions_(positions), width_(static_cast<double>(width)) {
    if (words > 0) ratio_ = static_cast<double>(positions) / static_cast<double>(words);
    // One row must meet the next, however much longer the reference is.
    if (width_ < ratio_ / 2) width_ = std::ceil(ratio_ / 2 + width_);
    widest_ = std::min(positions_ + 1, static_cast<std::size_t>(2 * width_) + 1);
    if (words_ > 0) widest_ = std::max(widest_, positions_ + 1 - first(words_));
}

// As a product of doubles, since rounding decides where the beam begins.
double Beam::diagonal(std::size_t row) const {
    return std::floor(static_cast<double>(row) * ratio_);
}

std::size_t Beam::first(std::size_t row) const {
    if (row == 0) return 0;
    return static_cast<std::size_t>(std::max(0.0, diagonal(row) - width_));
}

std::size_t Beam::end(std::size_t row) const {
    if (row == 0 || row == words_) return positions_ + 1;
    return static_cast<std::size_t>(
        std::min(static_cast<double>(positions_ + 1), diagonal(row) + width_));
}

void BeamTable::start(core::Tokens reference, const Beam& beam, std::size_t words) {
    constexpr std::size_t kept_cells = std::size_t{1} << 22;
    reference_ = reference;
    beam_ = beam;
    stride_ = 1 + words * beam.widest() / kept_cells;
    words_.assign(words, core::unknown);
    kept_.resize((words / stride_ + 1) * beam.widest());
    moves_.resize((words + 1) * beam.widest());
    previous_.resize(reference.size() + 1);
    current_.resize(reference.size() + 1);
}

void BeamTable::advance(std::size_t row, core::Token word, Edit* moves) {
    const std::size_t first = beam_.first(row), end = beam_.end(row);
    const std::size_t above_first = beam_.first(row - 1), above_end = beam_.end(row - 1);
    const auto above = [&](std::size_t cell) {
        return cell >= above_first && cell < above_end ? previous_[cell - above_first]
                                                       : unreachable;
    };
    Cost left = unreachable;
    Cost diagonal = first > 0 ? above(first - 1) : unreachable;
    for (std::size_t cell = first; cell < end; ++cell) {
        const Cost up = above(cell);
        const bool equal = cell > 0 && word == reference_[cell - 1];
        Cost best = std::min(unreachable, diagonal + (equal ? 0 : 1));
        Edit move = equal ? Edit::match : Edit::substitution;
        if (up + 1 < best) {
            best = up + 1;
            move = Edit::insertion;
        }
        if (left + 1 < best) {
            best = left + 1;
            move = Edit::deletion;
        }
        current_[cell - first] = best;
        if (moves != nullptr) moves[cell - first] = move;
        left = best;
        diagonal = up;
    }
    previous_.swap(current_);
}

std::size_t BeamTable::resume(std::size_t row) {
    const std::size_t index = row / stride_;
    if (index == 0) {
        for (std::size_t cell = 0; cell <= reference_.size(); ++cell) {
            previous_[cell] = static_cast<Cost>(cell);
        }
        return 0;
    }
    const auto begin = kept_.begin() + static_cast<std::ptrdiff_t>(index * beam_.widest());
    std::copy(begin, begin + static_cast<std::ptrdiff_t>(beam_.widest()), previous_.begin());
    return index * stride_;
}

std::int64_t BeamTable::keep(core::Tokens words, std::size_t unchanged) {
    std::copy(words.begin(), words.end(), words_.begin());
    for (std::size_t row = resume(unchanged) + 1; row <= words_.size(); ++row) {
        core::check_interrupt();
        advance(row, words_[row - 1], moves_.data() + row * beam_.widest());
        if (row % stride_ == 0) {
            std::copy_n(
                previous_.begin(), beam_.end(row) - beam_.first(row),
                kept_.begin() + static_cast<std::ptrdiff_t>(row / stride_ * beam_.widest()));
        }
    }
    distance_ = previous_[reference_.size() - beam_.first(words_.size())];
    return distance_;
}

bool BeamTable::parallel_to_kept(std::size_t row, Cost& offset) const {
    const Cost* const kept = kept_.data() + row / stride_ * beam_.widest();
    const std::size_t cells = beam_.end(row) - beam_.first(row);
    offset = previous_[0] - kept[0];
    for (std::size_t cell = 0; cell < cells; ++cell) {
        // Where only one of both can be reached the offset is not small.
        if (previous_[cell] - kept[cell] != offset) return false;
    }
    return offset < unreachable / 2 && offset > -unreachable / 2;
}

std::int64_t BeamTable::shifted(const Shift& shift) {
    constexpr std::size_t comparison_step = 16;  // comparing costs about as much as advancing
    const std::size_t settled = shift.end();
    for (std::size_t row = resume(shift.first()) + 1; row <= words_.size(); ++row) {
        core::check_interrupt();
        std::size_t place = row - 1;
        if (place >= shift.first() && place < settled) {
            const std::size_t behind = shift.end() - shift.middle();
            place = place < shift.first() + behind ? place + (shift.middle() - shift.first())
                                                   : place - behind;
        }
        advance(row, words_[place], nullptr);
        // The same words follow, so rows that run parallel once do so to the end.
        if (row > settled && row % (comparison_step * stride_) == 0) {
            if (Cost offset = 0; parallel_to_kept(row, offset)) return distance_ + offset;
        }
    }
    return previous_[reference_.size() - beam_.first(words_.size())];
}

void BeamTable::trace(std::vector<Edit>& edits) const {
    edits.clear();
    std::size_t row = words_.size(), cell = reference_.size();
    while (row > 0) {
        const Edit move = moves_[row * beam_.widest() + cell - beam_.first(row)];
        edits.push_back(move);
        if (move != Edit::deletion) --row;
        if (move != Edit::insertion) --cell;
    }
    edits.insert(edits.end(), cell, Edit::deletion);
    std::reverse(edits.begin(), edits.end());
}

}  // namespace tertium::metrics::edit
