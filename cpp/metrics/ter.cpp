#include "metrics/ter.hpp"

#include <algorithm>
#include <bit>

#include "interrupt.hpp"

namespace tertium {
namespace {

std::int64_t signed_size(std::size_t size) {
    return static_cast<std::int64_t>(size);
}

}  // namespace

double mean_length(const Segment& segment) {
    std::size_t sum = 0;
    for (const Tokens reference : segment.references) sum += reference.size();
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

void TerSearch::operator()(const Segment& segment, double* row) {
    bool first = true;
    for (const Tokens reference : segment.references) {
        search(segment.hypothesis, reference, segment.vocabulary, path_);
        if (first || path_.total() < best_path_.total()) std::swap(path_, best_path_);
        first = false;
    }
    ter_row(best_path_, mean_length(segment), row);
}

void TerSearch::search(Tokens hypothesis, Tokens reference, std::size_t vocabulary, TerPath& path) {
    set_reference(reference, vocabulary);
    path.distance = find_shifts(hypothesis);
    path.shifts = shifts_;
    if (reference.empty()) {
        path.edits.assign(hypothesis.size(), Edit::insertion);
    } else {
        distances_.trace(path.edits);
    }
}

void TerSearch::set_reference(Tokens reference, std::size_t vocabulary) {
    reference_ = reference;
    vocabulary_ = vocabulary;
    if (!reference.empty()) distances_.set_reference(reference, vocabulary);
}

std::int64_t TerSearch::total(Tokens hypothesis) {
    const std::int64_t distance = find_shifts(hypothesis);
    return distance + signed_size(shifts_.size());
}

// The distance that is left after the shifts.
std::int64_t TerSearch::find_shifts(Tokens hypothesis) {
    shifts_.clear();
    if (reference_.empty()) return signed_size(hypothesis.size());
    words_.assign(hypothesis.begin(), hypothesis.end());
    distances_.start(words_.size());
    floor_ = signed_size(std::max(hypothesis.size(), reference_.size())) - common_words(hypothesis);
    tried_ = 0;
    std::size_t unchanged = 0;
    while (true) {
        distance_ = distances_.keep(words_, unchanged);
        if (distance_ <= floor_) break;
        align();
        if (!best_shift() || best_.gain <= 0) break;
        best_.shift.apply(words_);
        unchanged = best_.shift.first();
        shifts_.push_back(best_.shift);
    }
    return distance_;
}

std::int64_t TerSearch::common_words(Tokens hypothesis) {
    if (distances_.one_block()) return distances_.common_words(hypothesis);
    if (counts_.size() < vocabulary_ + 1) counts_.resize(vocabulary_ + 1);
    const auto count = [&](Token token) -> std::int32_t& {
        return counts_[static_cast<std::size_t>(token + 1)];  // that of unknown words is 0
    };
    for (const Token token : reference_) ++count(token);
    std::int64_t common = 0;
    for (const Token token : hypothesis) {
        const std::int32_t found = count(token) > 0 ? 1 : 0;
        common += found;
        count(token) -= found;
    }
    for (const Token token : reference_) count(token) = 0;
    return common;
}

void TerSearch::align() {
    after_.resize(reference_.size());
    position_wrong_.resize(reference_.size());
    word_wrong_.resize(words_.size());
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
    const auto reach = static_cast<std::size_t>(limits_.shift_distance);
    for (std::size_t start = 0; start < words_.size(); ++start) {
        check_interrupt();
        const std::size_t from = start > reach ? start - reach : 0;
        const std::size_t to = std::min(reference_.size(), start + reach + 1);
        if (from >= to) break;
        if (distances_.one_block()) {
            std::uint64_t matches = distances_.positions(start) & ~std::uint64_t{0} << from;
            for (; matches != 0; matches &= matches - 1) {
                const auto match = static_cast<std::size_t>(std::countr_zero(matches));
                if (match >= to) break;
                if (!try_block(start, match)) return false;
            }
        } else {
            for (std::size_t match = from; match < to; ++match) {
                if (words_[start] == reference_[match] && !try_block(start, match)) return false;
            }
        }
    }
    decide();
    return true;
}

// Every block that begins at `start` and is the reference's from `match` on. It is worth moving
// when something is wrong with it in both places and it does not stand there already.
bool TerSearch::try_block(std::size_t start, std::size_t match) {
    const std::size_t longest = std::min({static_cast<std::size_t>(limits_.shift_length),
                                          words_.size() - start, reference_.size() - match});
    bool word_wrong = false, position_wrong = false;
    for (std::size_t length = 1; length <= longest; ++length) {
        check_interrupt();
        const std::size_t last = length - 1;
        if (words_[start + last] != reference_[match + last]) break;
        if (after_[match] > start && after_[match] <= start + length) break;
        word_wrong |= word_wrong_[start + last] != 0;
        position_wrong |= position_wrong_[match + last] != 0;
        if (!word_wrong || !position_wrong) continue;
        // Before the first position, then behind the words aligned with the positions from the
        // one before `match` to the block's last.
        std::size_t target = match == 0 ? 0 : after_[match - 1];
        for (std::size_t offset = 0;; ++offset) {
            ++tried_;
            consider(start, length, target);
            std::size_t next = target;
            while (offset < length && (next = after_[match + offset]) == target) ++offset;
            if (offset >= length) break;
            target = next;
        }
        if (tried_ >= limits_.shifts_tried) return false;
    }
    return true;
}

void TerSearch::consider(std::size_t start, std::size_t length, std::size_t target) {
    Shift shift{start, length, 0};
    if (target < start) {
        shift.by = -static_cast<std::ptrdiff_t>(start - target);
    } else if (target > start + length) {
        shift.by = static_cast<std::ptrdiff_t>(target - start - length);
    } else {
        shift.by =
            static_cast<std::ptrdiff_t>(std::min(target - start, words_.size() - start - length));
    }
    const Candidate candidate{shift, target};
    const std::int64_t needed = needed_gain(candidate);
    if (needed > distance_ - floor_) return;
    // Moving a block back deletes and inserts it, or the words that it jumped over.
    const auto jumped = static_cast<std::size_t>(shift.by < 0 ? -shift.by : shift.by);
    const std::int64_t most = 2 * signed_size(std::min(length, jumped));
    if (jumped == 0 || (distances_.plain() && needed > most)) return;
    if (!distances_.one_block()) {
        take(candidate, needed, distances_.shifted(shift, distance_ - needed));
        return;
    }
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
    if (waiting_count_ == 0) return;
    std::array<Shift, ShiftDistance::batch> shifts;
    std::array<std::int64_t, ShiftDistance::batch> plain;
    for (std::size_t i = 0; i < waiting_count_; ++i) shifts[i] = waiting_[i].shift;
    distances_.plain_shifted(std::span(shifts).first(waiting_count_), plain.data());
    for (std::size_t i = 0; i < waiting_count_; ++i) {
        const std::int64_t needed = needed_gain(waiting_[i]);
        take(waiting_[i], needed, distances_.shifted(shifts[i], distance_ - needed, plain[i]));
    }
    waiting_count_ = 0;
}

void TerSearch::take(const Candidate& candidate, std::int64_t needed, std::int64_t distance) {
    const std::int64_t gain = distance_ - distance;
    if (gain >= needed) best_ = {gain, candidate.shift, candidate.target};
}

}  // namespace tertium
