// The greedy search for shifts of TER (Snover et al. 2006), with the choices, limits and ties of
// sacreBLEU 2.6.0: the number of edits has to be the same for every segment, not only close.
//
// A round (best_shift) looks at the current alignment of words and reference positions. A block of
// words may move if it equals the reference from some `match` on, if something is wrong with it in
// both places, and if it is not aligned there already; its targets are the gaps behind the words
// that are aligned with the positions match − 1 … match + length − 1. The shift that lowers the
// edit distance most is made, and the search ends when none lowers it.
//
// Nearly all time goes into distances after shifts, so most candidates never get one:
//  - floor_ = max(|h|, |r|) − common words: no order of the words has fewer edits. The search ends
//    there, and a candidate that would need more to win is skipped.
//  - A shift changes the plain distance by at most 2 · min(words moved, words jumped over).
//  - Candidates wait until there are ShiftLanes::most of them; their distances without the beam,
//    which are lower bounds, are computed side by side, and only what can still win is measured in
//    the beam.
//
// What a change must keep: `tried_` counts every candidate, skipped or not, since the original
// stops after 1000; the round in which it does is thrown away. `needed_gain` settles ties by
// length, then target, and leaves "the earliest block" to the order of enumeration: starts must
// ascend, and waiting candidates must be decided in their order. References of up to 64 words take
// the path with bits (try_matches), longer ones the one with arrays (try_block); both must find the
// same candidates.
#include "metrics/edit/ter.hpp"

#include <algorithm>
#include <bit>

#include "core/interrupt.hpp"

namespace tertium::metrics::edit {
namespace {

std::int64_t signed_size(std::size_t size) {
    return static_cast<std::int64_t>(size);
}

}  // namespace

double mean_length(const core::Segment& segment) {
    std::size_t sum = 0;
    for (const core::Tokens reference : segment.references) sum += reference.size();
    return static_cast<double>(sum) / static_cast<double>(segment.references.size());
}

void ter_row(const TerPath& path, double mean_length, double* row) {
    std::int64_t counts[4] = {};
    for (const Edit edit : path.edits) ++counts[static_cast<std::size_t>(edit)];
    row[0] = static_cast<double>(path.total());
    row[1] = mean_length;
    row[2] = static_cast<double>(counts[static_cast<std::size_t>(Edit::insertion)]);
    row[3] = static_cast<double>(counts[static_cast<std::size_t>(Edit::deletion)]);
    row[4] = static_cast<double>(counts[static_cast<std::size_t>(Edit::substitution)]);
    row[5] = static_cast<double>(path.shifts.size());
}

void TerSearch::operator()(const core::Segment& segment, double* row) {
    bool first = true;
    for (const core::Tokens reference : segment.references) {
        search(segment.hypothesis, reference, segment.vocabulary, path_);
        if (first || path_.total() < best_path_.total()) std::swap(path_, best_path_);
        first = false;
    }
    ter_row(best_path_, mean_length(segment), row);
}

void TerSearch::search(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                       TerPath& path) {
    set_reference(reference, vocabulary);
    path.distance = find_shifts(hypothesis);
    path.shifts = shifts_;
    if (reference.empty()) {
        path.edits.assign(hypothesis.size(), Edit::insertion);
    } else {
        distances_.trace(path.edits);
    }
}

void TerSearch::set_reference(core::Tokens reference, std::size_t vocabulary) {
    reference_ = reference;
    vocabulary_ = vocabulary;
    if (!reference.empty()) distances_.set_reference(reference, vocabulary);
}

std::int64_t TerSearch::total(core::Tokens hypothesis) {
    const std::int64_t distance = find_shifts(hypothesis);
    return distance + signed_size(shifts_.size());
}

// The distance that is left after the shifts.
std::int64_t TerSearch::find_shifts(core::Tokens hypothesis) {
    shifts_.clear();
    if (reference_.empty()) return signed_size(hypothesis.size());
    distance_ = distances_.start(hypothesis);
    floor_ = signed_size(std::max(hypothesis.size(), reference_.size())) - common_words(hypothesis);
    tried_ = 0;
    while (distance_ > floor_) {
        align();
        if (!best_shift() || best_.gain <= 0) break;
        distance_ = distances_.apply(best_.shift);
        shifts_.push_back(best_.shift);
    }
    return distance_;
}

std::int64_t TerSearch::common_words(core::Tokens hypothesis) {
    if (distances_.one_block()) return distances_.common_words();
    if (counts_.size() < vocabulary_ + 1) counts_.resize(vocabulary_ + 1);
    const auto count = [&](core::Token token) -> std::int32_t& {
        return counts_[static_cast<std::size_t>(token + 1)];  // that of unknown words is 0
    };
    for (const core::Token token : reference_) ++count(token);
    std::int64_t common = 0;
    for (const core::Token token : hypothesis) {
        const std::int32_t found = count(token) > 0 ? 1 : 0;
        common += found;
        count(token) -= found;
    }
    for (const core::Token token : reference_) count(token) = 0;
    return common;
}

void TerSearch::align() {
    const std::size_t words = distances_.words().size();
    after_.resize(reference_.size());
    word_wrong_.resize(words);
    if (distances_.one_block()) {
        behind_.assign(words + 1, 0);
        wrong_positions_ = 0;
        distances_.walk_back([&](Edit edit, std::size_t words, std::size_t positions) {
            const std::uint8_t wrong = edit == Edit::match ? 0 : 1;
            if (edit != Edit::deletion) word_wrong_[words - 1] = wrong;
            if (edit != Edit::insertion) {
                after_[positions - 1] = words;
                behind_[words] |= std::uint64_t{1} << (positions - 1);
                wrong_positions_ |= std::uint64_t{wrong} << (positions - 1);
            }
        });
        return;
    }
    position_wrong_.resize(reference_.size());
    distances_.walk_back([&](Edit edit, std::size_t words, std::size_t positions) {
        const std::uint8_t wrong = edit == Edit::match ? 0 : 1;
        if (edit != Edit::deletion) word_wrong_[words - 1] = wrong;
        if (edit != Edit::insertion) {
            after_[positions - 1] = words;
            position_wrong_[positions - 1] = wrong;
        }
    });
}

// False when the search has tried enough.
bool TerSearch::best_shift() {
    best_ = Best{};
    waiting_count_ = 0;
    if (limits_.shift_length == 0) return true;
    const auto reach = static_cast<std::size_t>(limits_.shift_distance);
    for (std::size_t start = 0; start < distances_.words_before_ending(); ++start) {
        core::check_interrupt();
        const std::size_t from = start > reach ? start - reach : 0;
        const std::size_t to = std::min(reference_.size(), start + reach + 1);
        if (from >= to) break;
        if (distances_.one_block()) {
            const std::uint64_t near = ~std::uint64_t{0} << from & ~std::uint64_t{0} >> (64 - to);
            const std::uint64_t elsewhere =
                distances_.positions(start) & near & ~behind_[start + 1];
            if (elsewhere != 0) try_matches(start, elsewhere);
        } else {
            distances_.for_each_match(start, from, to,
                                      [&](std::size_t match) { try_block(start, match); });
        }
        if (tried_ >= limits_.shifts_tried) return false;
    }
    decide();
    return true;
}

// Every block that begins at `start` and is the reference's from one of the matches on. It is
// worth moving when something is wrong with it in both places and it does not stand there already.
void TerSearch::try_matches(std::size_t start, std::uint64_t matches) {
    const std::size_t longest =
        std::min(static_cast<std::size_t>(limits_.shift_length), word_wrong_.size() - start);
    bool word_wrong = false;
    std::uint64_t wrong_from = 0;  // where something is wrong in the block's positions
    for (std::size_t last = 0;;) {
        word_wrong |= word_wrong_[start + last] != 0;
        wrong_from |= wrong_positions_ >> last;
        for (std::uint64_t left = word_wrong ? matches & wrong_from : 0; left != 0;
             left &= left - 1) {
            try_targets(start, last + 1, static_cast<std::size_t>(std::countr_zero(left)));
        }
        if (++last == longest) break;
        matches &= distances_.positions(start + last) >> last & ~behind_[start + last + 1];
        if (matches == 0) break;
    }
}

// The same for one match of a longer reference.
void TerSearch::try_block(std::size_t start, std::size_t match) {
    const core::Tokens words = distances_.words();
    const std::size_t longest = std::min({static_cast<std::size_t>(limits_.shift_length),
                                          words.size() - start, reference_.size() - match});
    bool word_wrong = false, position_wrong = false;
    for (std::size_t length = 1; length <= longest; ++length) {
        core::check_interrupt();
        const std::size_t last = length - 1;
        if (words[start + last] != reference_[match + last]) break;
        if (after_[match] > start && after_[match] <= start + length) break;
        word_wrong |= word_wrong_[start + last] != 0;
        position_wrong |= position_wrong_[match + last] != 0;
        if (!word_wrong || !position_wrong) continue;
        try_targets(start, length, match);
        if (tried_ >= limits_.shifts_tried) return;
    }
}

// Before the first position, then behind the words aligned with the positions from the one before
// `match` to the block's last.
void TerSearch::try_targets(std::size_t start, std::size_t length, std::size_t match) {
    std::size_t target = match == 0 ? 0 : after_[match - 1];
    for (std::size_t offset = 0;; ++offset) {
        ++tried_;
        consider(start, length, target);
        std::size_t next = target;
        while (offset < length && (next = after_[match + offset]) == target) ++offset;
        if (offset >= length) break;
        target = next;
    }
}

void TerSearch::consider(std::size_t start, std::size_t length, std::size_t target) {
    Shift shift{start, length, 0};
    if (target < start) {
        shift.by = -static_cast<std::ptrdiff_t>(start - target);
    } else if (target > start + length) {
        shift.by = static_cast<std::ptrdiff_t>(target - start - length);
    } else {
        shift.by = static_cast<std::ptrdiff_t>(
            std::min(target - start, word_wrong_.size() - start - length));
    }
    const Candidate candidate{shift, target};
    const std::int64_t needed = needed_gain(candidate);
    if (needed > distance_ - floor_) return;
    // Moving a block back deletes and inserts it, or the words that it jumped over.
    const auto jumped = static_cast<std::size_t>(shift.by < 0 ? -shift.by : shift.by);
    const std::int64_t most = 2 * signed_size(std::min(length, jumped));
    if (jumped == 0 || (distances_.plain() && needed > most)) return;
    waiting_[waiting_count_++] = candidate;
    if (waiting_count_ == waiting_.size()) decide();
}

// What a candidate must gain to be better than the best so far: of equal ones the longest wins,
// then the earliest block, then the earliest target.
std::int64_t TerSearch::needed_gain(const Candidate& candidate) const {
    const Shift &shift = candidate.shift, &best = best_.shift;
    const bool wins_ties =
        best_.gain > 0 &&
        (shift.length > best.length || (shift.length == best.length && shift.start == best.start &&
                                        candidate.target < best_.target));
    return best_.gain + (wins_ties ? 0 : 1);
}

void TerSearch::decide() {
    std::array<Shift, ShiftLanes::most> shifts;
    std::array<std::int64_t, ShiftLanes::most> bounds;
    for (std::size_t i = 0; i < waiting_count_; ++i) shifts[i] = waiting_[i].shift;
    distances_.bounds_shifted(std::span(shifts).first(waiting_count_), bounds.data());
    for (std::size_t i = 0; i < waiting_count_; ++i) {
        const std::int64_t needed = needed_gain(waiting_[i]);
        const std::int64_t gain =
            distance_ - distances_.shifted(shifts[i], distance_ - needed, bounds[i]);
        if (gain >= needed) best_ = {gain, waiting_[i].shift, waiting_[i].target};
    }
    waiting_count_ = 0;
}

}  // namespace tertium::metrics::edit
