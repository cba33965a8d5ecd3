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
    path.shifts.clear();
    if (reference.empty()) {
        path.edits.assign(hypothesis.size(), Edit::insertion);
        path.distance = signed_size(hypothesis.size());
        return;
    }
    words_.assign(hypothesis.begin(), hypothesis.end());
    distances_.start(reference, words_.size(), vocabulary, limits_.beam);
    // No order of the words can have fewer edits.
    const std::int64_t floor = signed_size(std::max(hypothesis.size(), reference.size())) -
                               common_words(hypothesis, reference, vocabulary);
    tried_ = 0;
    std::size_t unchanged = 0;
    while (true) {
        path.distance = distances_.keep(words_, unchanged);
        distances_.trace(path.edits);
        if (path.distance <= floor) break;
        align(path.edits);
        Best best;
        if (!best_shift(reference, path.distance, floor, best) || best.gain <= 0) break;
        best.shift.apply(words_);
        unchanged = best.shift.first();
        path.shifts.push_back(best.shift);
    }
    distances_.finish();
}

std::int64_t TerSearch::common_words(Tokens hypothesis, Tokens reference, std::size_t vocabulary) {
    if (counts_.size() < vocabulary + 1) counts_.resize(vocabulary + 1);
    const auto count = [&](Token token) -> std::int32_t& {
        return counts_[static_cast<std::size_t>(token + 1)];  // that of unknown words is 0
    };
    for (const Token token : reference) ++count(token);
    std::int64_t common = 0;
    for (const Token token : hypothesis) {
        const std::int32_t found = count(token) > 0 ? 1 : 0;
        common += found;
        count(token) -= found;
    }
    for (const Token token : reference) count(token) = 0;
    return common;
}

void TerSearch::align(const std::vector<Edit>& edits) {
    after_.clear();
    word_wrong_.clear();
    position_wrong_.clear();
    for (const Edit edit : edits) {
        const std::uint8_t wrong = edit == Edit::match ? 0 : 1;
        if (edit != Edit::deletion) word_wrong_.push_back(wrong);
        if (edit != Edit::insertion) {
            after_.push_back(word_wrong_.size());
            position_wrong_.push_back(wrong);
        }
    }
}

// False when the search has tried enough.
bool TerSearch::best_shift(Tokens reference, std::int64_t distance, std::int64_t floor,
                           Best& best) {
    const auto reach = static_cast<std::size_t>(limits_.shift_distance);
    for (std::size_t start = 0; start < words_.size(); ++start) {
        check_interrupt();
        const std::size_t from = start > reach ? start - reach : 0;
        const std::size_t to = std::min(reference.size(), start + reach + 1);
        if (from >= to) break;
        if (distances_.one_block()) {
            std::uint64_t matches = distances_.positions(start) & ~std::uint64_t{0} << from;
            for (; matches != 0; matches &= matches - 1) {
                const auto match = static_cast<std::size_t>(std::countr_zero(matches));
                if (match >= to) break;
                if (!try_block(reference, start, match, distance, floor, best)) return false;
            }
        } else {
            for (std::size_t match = from; match < to; ++match) {
                if (words_[start] == reference[match] &&
                    !try_block(reference, start, match, distance, floor, best)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Every block that begins at `start` and is the reference's from `match` on. It is worth moving
// when something is wrong with it in both places and it does not stand there already.
bool TerSearch::try_block(Tokens reference, std::size_t start, std::size_t match,
                          std::int64_t distance, std::int64_t floor, Best& best) {
    const std::size_t longest = std::min({static_cast<std::size_t>(limits_.shift_length),
                                          words_.size() - start, reference.size() - match});
    bool word_wrong = false, position_wrong = false;
    for (std::size_t length = 1; length <= longest; ++length) {
        check_interrupt();
        const std::size_t last = length - 1;
        if (words_[start + last] != reference[match + last]) break;
        if (after_[match] > start && after_[match] <= start + length) break;
        word_wrong |= word_wrong_[start + last] != 0;
        position_wrong |= position_wrong_[match + last] != 0;
        if (!word_wrong || !position_wrong) continue;
        // Before the first position, then behind the words aligned with the positions from the
        // one before `match` to the block's last.
        std::size_t target = match == 0 ? 0 : after_[match - 1];
        for (std::size_t offset = 0;; ++offset) {
            ++tried_;
            consider(start, length, target, distance, floor, best);
            std::size_t next = target;
            while (offset < length && (next = after_[match + offset]) == target) ++offset;
            if (offset >= length) break;
            target = next;
        }
        if (tried_ >= limits_.shifts_tried) return false;
    }
    return true;
}

void TerSearch::consider(std::size_t start, std::size_t length, std::size_t target,
                         std::int64_t distance, std::int64_t floor, Best& best) {
    Shift shift{start, length, 0};
    if (target < start) {
        shift.by = -static_cast<std::ptrdiff_t>(start - target);
    } else if (target > start + length) {
        shift.by = static_cast<std::ptrdiff_t>(target - start - length);
    } else {
        shift.by =
            static_cast<std::ptrdiff_t>(std::min(target - start, words_.size() - start - length));
    }
    const bool wins_ties =
        best.gain > 0 &&
        (length > best.shift.length ||
         (length == best.shift.length && start == best.shift.start && target < best.target));
    const std::int64_t needed = best.gain + (wins_ties ? 0 : 1);
    if (needed > distance - floor) return;
    // Moving a block back deletes and inserts it, or the words that it jumped over.
    const auto jumped = static_cast<std::size_t>(shift.by < 0 ? -shift.by : shift.by);
    const std::int64_t most = 2 * signed_size(std::min(length, jumped));
    if (jumped == 0 || (distances_.plain() && needed > most)) return;
    const std::int64_t shifted = distances_.shifted(shift, distance - needed);
    if (distance - shifted >= needed) best = {distance - shifted, shift, target};
}

}  // namespace tertium
