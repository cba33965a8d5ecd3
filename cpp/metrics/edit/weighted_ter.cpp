// The shift search of tercom 0.8.0 and of TERp (Snover et al. 2009), which is tercom's with a cost
// for each kind of edit, and stems, synonyms, phrases and stop words. TercomSearch and TerpKernel
// build the TerPair that says how words relate; this file only sees relations, costs and phrases.
//
// It differs from ter.cpp, which follows sacreBLEU, in everything that decides ties, and none of it
// is free to change:
//  - `distance` fills the table forward, a column for each word: each cell offers its cost to its
//    neighbors, and an offer replaces only what is strictly more expensive. So the order of offers
//    (diagonal, phrase, insertion, deletion) decides between equal paths, and the path decides
//    which shifts are tried.
//  - The beam is one of cost: a cell passes nothing on if it is more than `beam` above the cheapest
//    alignment of two words into its column. Cells between `first` and `last` are all that is
//    visited.
//  - Candidates are tried from the largest to the smallest, and trying stops when a block of that
//    size could not gain enough. The first of equal shifts wins, and the first shift wins even
//    against not moving, if it costs no more.
//
// order_ maps places to words of the pair, which itself never changes. The path is traced in a full
// table (`distance`), O(words · positions), once for each shift that is made; most_cells bounds it.
//
// A candidate only asks for the cost, and mostly to be turned down (`shifted_distance`). Without
// phrases a row follows from the one before, so the rows before the first word that moves are those
// of the present order, which `prepare_rows` keeps as they are before deletions. Behind the last
// word that moves, the cheapest way on (`ways_on_`, filled backwards, without a beam) is a bound
// from below: only where it leaves a gain possible the rest is computed, by the very additions of
// `distance`. The bound adds in another order, so it has to miss by more than rounding. A candidate
// thus takes O(moved words · positions) instead of O(words · positions).
//
// The loop ends because each shift lowers the distance: by its cost at least, and with a shift cost
// of 0, or one so small beside the others that sums round it away, because nothing moves otherwise.
#include "metrics/edit/weighted_ter.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>

#include "core/interrupt.hpp"

namespace tertium::metrics::edit {
namespace {

constexpr double unset = -1;  // costs are never negative
constexpr double unreached = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-9;  // sums of the same costs differ by less, relatively
constexpr std::size_t most_cells = std::size_t{1} << 26;

std::ptrdiff_t place(std::size_t index) {
    return static_cast<std::ptrdiff_t>(index);
}

}  // namespace

WeightedTerSearch::WeightedTerSearch(const TerCosts& costs) : costs_(costs) {
    for (Relation relation = 0; relation < move_of_.size(); ++relation) {
        TerMove best = TerMove::substitution;
        if ((relation & equal_stems) != 0 && costs_[TerMove::stem] < costs_[best]) {
            best = TerMove::stem;
        }
        if ((relation & synonyms) != 0 && costs_[TerMove::synonym] < costs_[best]) {
            best = TerMove::synonym;
        }
        move_of_[relation] = (relation & equal_words) != 0 ? TerMove::match : best;
    }
}

void WeightedTerSearch::check_size(std::size_t words, std::size_t positions) {
    if ((words + 1) > most_cells / (positions + 1)) {
        throw std::invalid_argument("found " + std::to_string(words) + " words against " +
                                    std::to_string(positions) + ", expected at most " +
                                    std::to_string(most_cells) + " pairs");
    }
}

void WeightedTerSearch::search(const TerPair& pair, WeightedTerPath& path) {
    check_size(pair.words, pair.positions);
    path.shifts.clear();
    order_.resize(pair.words);
    for (std::size_t word = 0; word < pair.words; ++word) order_[word] = word;
    double shifts_cost = 0;
    double current = distance(pair);
    trace(pair, path.steps);
    while (pair.words > 0 && pair.positions > 0 && current > 0) {
        align(pair, path.steps);
        gather(pair);
        kept_order_ = order_;
        const bool by_rows = pair.phrases.empty();
        if (by_rows && !candidates_.empty()) {
            prepare_rows(pair);
            prepare_bounds(pair);
        }
        Shift before;  // that was tried last; as it is not to move at all
        double shifted = current;
        // The best so far: at first that nothing moves, at no cost. Among equals the first is
        // kept, but moving at no gain is better than not moving.
        double best = current;
        double best_shift_cost = 0;
        const Candidate* chosen = nullptr;
        for (const Candidate& candidate : candidates_) {
            // A block of this size cannot gain more than twice its words.
            const double gained = current - (best_shift_cost + best);
            const double most = 2 * static_cast<double>(candidate.size);
            if (gained > most || (best_shift_cost != 0 && gained == most)) break;
            if (candidate.shift != before) {
                before = candidate.shift;
                if (by_rows) {
                    shifted = shifted_distance(pair, before, current, best + best_shift_cost);
                } else {
                    before.apply(order_);
                    shifted = distance(pair);
                    order_ = kept_order_;
                }
            }
            const double gain = (best + best_shift_cost) - (shifted + costs_.shift);
            if (gain > 0 || (best_shift_cost == 0 && gain == 0)) {
                best = shifted;
                best_shift_cost = costs_.shift;
                chosen = &candidate;
            }
        }
        if (chosen == nullptr || !(best < current)) break;
        chosen->shift.apply(order_);
        path.shifts.push_back(chosen->shift);
        shifts_cost += costs_.shift;
        current = distance(pair);
        trace(pair, path.steps);
    }
    path.cost = current + shifts_cost;
}

template <class Visit>
void WeightedTerSearch::for_each_phrase(const TerPair& pair, std::size_t word, std::size_t position,
                                        Visit&& visit) const {
    if (pair.phrases.empty() || position >= pair.positions) return;
    for (const TerPhrase& phrase : pair.phrases[position]) {
        if (phrase.words.size() > pair.words - word) continue;
        bool same = true;
        for (std::size_t i = 0; same && i < phrase.words.size(); ++i) {
            same = pair.tokens[order_[word + i]] == phrase.words[i];
        }
        if (same) visit(phrase);
    }
}

// Columns are places of the hypothesis. Every cell hands its cost on to its neighbours; a cell
// that is worse than the beam allows, compared with the best alignment of two words that led
// into its column, does not.
double WeightedTerSearch::distance(const TerPair& pair) {
    const std::size_t height = pair.positions + 1;
    cells_.assign((pair.words + 1) * height, Cell{unset, TerMove::match, 0, 0});
    cells_[0].cost = 0;
    const auto offer = [&](std::size_t word, std::size_t position, double cost, TerMove move,
                           std::size_t words, std::size_t positions) {
        Cell& cell = cells_[word * height + position];
        if (cell.cost >= 0 && !(cost < cell.cost)) return false;
        cell = {cost, move, static_cast<std::uint32_t>(words),
                static_cast<std::uint32_t>(positions)};
        return true;
    };
    constexpr double none = std::numeric_limits<double>::infinity();
    double best_into_next = none;
    std::size_t first_of_next = 0, last_of_next = 0;
    for (std::size_t word = 0; word <= pair.words; ++word) {
        core::check_interrupt();
        const double best = best_into_next;
        const std::size_t first = first_of_next;
        std::size_t last = last_of_next;
        best_into_next = none;
        bool any = false;
        const bool at_end = word == pair.words;
        const Relation* const relations =
            at_end ? nullptr : pair.relations.data() + order_[word] * pair.positions;
        for (std::size_t position = first; position <= pair.positions; ++position) {
            if (!at_end && position > last) break;
            const double cost = cells_[word * height + position].cost;
            if (cost < 0 || (!at_end && cost > best + costs_.beam)) continue;
            if (!any) first_of_next = position;
            any = true;
            if (!at_end && position < pair.positions) {
                const TerMove move = move_of_[relations[position]];
                const double sum = costs_[move] + cost;
                const bool better = offer(word + 1, position + 1, sum, move, 1, 1);
                if (better || move == TerMove::match) {
                    best_into_next = std::min(best_into_next, sum);
                }
            }
            last_of_next = position + 1;
            for_each_phrase(pair, word, position, [&](const TerPhrase& phrase) {
                offer(word + phrase.words.size(), position + phrase.positions, cost + phrase.cost,
                      TerMove::phrase, phrase.words.size(), phrase.positions);
            });
            if (!at_end) {
                offer(word + 1, position, cost + costs_[TerMove::insertion], TerMove::insertion, 1,
                      0);
            }
            if (position < pair.positions &&
                offer(word, position + 1, cost + costs_[TerMove::deletion], TerMove::deletion, 0,
                      1)) {
                last = std::max(last, position + 1);
            }
        }
    }
    return cells_.back().cost;
}

// What `distance` does with one row, but for phrases and moves: deletions within it, then what is
// handed on to the next. Nothing but the deletions waits for the cell before. They go on from cells
// that the beam leaves out, too: what comes of these is left out as well, for costs only grow.
void WeightedTerSearch::push_row(const double* substitutions, std::size_t positions,
                                 const double* own, const RowState& state, double* next,
                                 RowState& next_state) {
    const double insertion = costs_[TerMove::insertion], deletion = costs_[TerMove::deletion];
    const double limit = state.best + costs_.beam;
    double* const costs = full_.data();
    double cost = costs[state.first] = own[state.first];
    std::size_t end = state.first;  // the last position that is looked at
    while (end < positions && (end < state.last || cost <= limit)) {
        cost = std::min(own[end + 1], cost + deletion);
        costs[++end] = cost;
    }
    std::size_t first = state.first;
    while (first < end && costs[first] > limit) ++first;
    for (std::size_t p = first; p <= end; ++p) costs[p] = costs[p] > limit ? unreached : costs[p];
    const std::size_t last = std::min(end + 1, positions);
    double* const sums = sums_.data();
    costs[end + 1] = unreached;
    for (std::size_t p = first; p < last; ++p) sums[p] = substitutions[p] + costs[p];
    std::fill_n(next, first, unreached);
    next[first] = costs[first] + insertion;
    for (std::size_t p = first; p < last; ++p) {
        next[p + 1] = std::min(sums[p], costs[p + 1] + insertion);
    }
    std::fill(next + last + 1, next + positions + 1, unreached);
    double best[4] = {unreached, unreached, unreached, unreached};
    for (std::size_t p = first; p < last; ++p) best[p % 4] = std::min(best[p % 4], sums[p]);
    next_state = {first, last, std::min(std::min(best[0], best[1]), std::min(best[2], best[3]))};
}

double WeightedTerSearch::last_of_row(std::size_t positions, double* own,
                                      const RowState& state) const {
    for (std::size_t position = state.first; position < positions; ++position) {
        if (own[position] == unreached) continue;
        own[position + 1] = std::min(own[position + 1], own[position] + costs_[TerMove::deletion]);
    }
    return own[positions];
}

// The rows of the present order, each before its deletions, and the cheapest ways from there on.
void WeightedTerSearch::prepare_rows(const TerPair& pair) {
    const std::size_t positions = pair.positions, height = positions + 1;
    substitutions_.resize(pair.words * positions);
    std::array<double, 8> cost_of;
    for (std::size_t r = 0; r < cost_of.size(); ++r) cost_of[r] = costs_[move_of_[r]];
    std::transform(pair.relations.begin(), pair.relations.end(), substitutions_.begin(),
                   [&](Relation relation) { return cost_of[relation]; });
    rows_.resize((pair.words + 1) * height);
    ways_on_.resize((pair.words + 1) * height);
    states_.resize(pair.words + 1);
    own_.resize(height);
    full_.resize(height + 1);
    sums_.resize(height);
    next_.resize(height);
    std::fill_n(rows_.begin(), height, unreached);
    rows_[0] = 0;
    states_[0] = {0, 0, unreached};
    for (std::size_t word = 0; word < pair.words; ++word) {
        core::check_interrupt();
        std::copy_n(rows_.begin() + place(word * height), height, own_.begin());
        push_row(substitutions_.data() + order_[word] * positions, positions, own_.data(),
                 states_[word], rows_.data() + (word + 1) * height, states_[word + 1]);
    }
    const double insertion = costs_[TerMove::insertion], deletion = costs_[TerMove::deletion];
    double* way = ways_on_.data() + pair.words * height;
    way[positions] = 0;
    for (std::size_t position = positions; position-- > 0;) {
        way[position] = way[position + 1] + deletion;
    }
    for (std::size_t word = pair.words; word-- > 0;) {
        core::check_interrupt();
        const double* const next = way;
        way -= height;
        const double* const substitutions = substitutions_.data() + order_[word] * positions;
        way[positions] = next[positions] + insertion;
        for (std::size_t position = positions; position-- > 0;) {
            way[position] =
                std::min(std::min(next[position] + insertion, way[position + 1] + deletion),
                         next[position + 1] + substitutions[position]);
        }
    }
}

// For each row, the cheapest way to any position from it, if words in between were all as good as
// words can be: a position costs at least what the best word for it does (`least_`, summed up), and
// words for which there is no position have to be inserted.
void WeightedTerSearch::prepare_bounds(const TerPair& pair) {
    const std::size_t positions = pair.positions, height = positions + 1;
    const double insertion = costs_[TerMove::insertion], deletion = costs_[TerMove::deletion];
    least_.assign(height, deletion);
    for (std::size_t word = 0; word < pair.words; ++word) {
        const double* const substitutions = substitutions_.data() + word * positions;
        for (std::size_t position = 0; position < positions; ++position) {
            least_[position + 1] = std::min(least_[position + 1], substitutions[position]);
        }
    }
    least_[0] = 0;
    std::partial_sum(least_.begin(), least_.end(), least_.begin());
    reach_.resize((pair.words + 1) * height);
    leave_.resize((pair.words + 1) * height);
    for (std::size_t word = 0; word <= pair.words; ++word) {
        const double* const row = rows_.data() + word * height;
        const double* const way = ways_on_.data() + word * height;
        double* const reach = reach_.data() + word * height;
        double* const leave = leave_.data() + word * height;
        double cheapest = unreached;
        for (std::size_t position = height; position-- > 0;) {
            leave[position] = way[position] + least_[position];
            cheapest = std::min(cheapest + insertion, row[position] - least_[position]);
            reach[position] = cheapest;
        }
        for (std::size_t position = 1; position < height; ++position) {
            reach[position] = std::min(reach[position], reach[position - 1]);
        }
    }
}

// A bound from below of the distance after a shift that changes the words of [first, end).
double WeightedTerSearch::bound_of_shift(std::size_t first, std::size_t end,
                                         std::size_t positions) const {
    const std::size_t words = end - first, height = positions + 1;
    const double* const reach = reach_.data() + first * height;
    const double* const leave = leave_.data() + end * height;
    const double insertion = costs_[TerMove::insertion];
    double bound = unreached;
    for (std::size_t position = 0; position < std::min(words, height); ++position) {
        const auto missing = static_cast<double>(words - position);
        bound = std::min(bound, reach[0] + insertion * missing + leave[position]);
    }
    for (std::size_t position = words; position < height; ++position) {
        bound = std::min(bound, reach[position - words] + leave[position]);
    }
    return bound;
}

// The distance after a shift; if that can be no gain over `best`, only a bound from below.
double WeightedTerSearch::shifted_distance(const TerPair& pair, const Shift& shift, double current,
                                           double best) {
    core::check_interrupt();
    const std::size_t first = shift.first(), middle = shift.middle(), end = shift.end();
    if (first == middle || middle == end) return current;
    const std::size_t positions = pair.positions, height = positions + 1;
    const double enough = best - costs_.shift;
    const auto is_too_much = [&](double bound) {
        return bound > enough + rounding * (bound + best + costs_.shift);
    };
    double bound = bound_of_shift(first, end, positions);
    if (is_too_much(bound)) return bound;
    std::copy_n(rows_.begin() + place(first * height), height, own_.begin());
    RowState state = states_[first];
    const auto advance = [&](std::size_t from) {  // the place where the word stood
        RowState next_state;
        push_row(substitutions_.data() + order_[from] * positions, positions, own_.data(), state,
                 next_.data(), next_state);
        own_.swap(next_);
        state = next_state;
    };
    for (std::size_t from = middle; from < end; ++from) advance(from);
    for (std::size_t from = first; from < middle; ++from) advance(from);
    const double* const way = ways_on_.data() + end * height;
    bound = unreached;
    for (std::size_t position = 0; position < height; ++position) {
        bound = std::min(bound, own_[position] + way[position]);
    }
    if (is_too_much(bound)) return bound;
    for (std::size_t from = end; from < pair.words; ++from) advance(from);
    return last_of_row(positions, own_.data(), state);
}

void WeightedTerSearch::trace(const TerPair& pair, std::vector<TerStep>& steps) const {
    steps.clear();
    const std::size_t height = pair.positions + 1;
    std::size_t word = pair.words, position = pair.positions;
    while (word > 0 || position > 0) {
        const Cell& cell = cells_[word * height + position];
        if (cell.words + cell.positions == 0) {
            throw std::logic_error("the beam leaves no path through the table of edits");
        }
        word -= cell.words;
        position -= cell.positions;
        steps.push_back({cell.move, cell.words, cell.positions,
                         cell.cost - cells_[word * height + position].cost});
    }
    std::reverse(steps.begin(), steps.end());
}

void WeightedTerSearch::align(const TerPair& pair, const std::vector<TerStep>& steps) {
    aligned_.clear();
    place_wrong_.assign(pair.words, 0);
    position_wrong_.assign(pair.positions, 0);
    std::size_t word = 0, position = 0;
    for (const TerStep& step : steps) {
        const std::uint8_t wrong = step.move == TerMove::match ? 0 : 1;
        std::fill_n(place_wrong_.begin() + place(word), step.words, wrong);
        std::fill_n(position_wrong_.begin() + place(position), step.positions, wrong);
        // Positions without a word are aligned with the word before them.
        aligned_.insert(aligned_.end(), step.positions,
                        step.words > 0 ? place(word) : place(word) - 1);
        word += step.words;
        position += step.positions;
    }
}

// All shifts worth trying: larger ones first, then from left to right.
void WeightedTerSearch::gather(const TerPair& pair) {
    candidates_.clear();
    if (costs_.shift_length == 0 || costs_.shift_distance == 0) return;
    for (std::size_t match = 0; match < pair.positions; ++match) {
        core::check_interrupt();
        for (std::size_t start = 0; start < pair.words; ++start) {
            extend(pair, start, match, 0, 0);
        }
    }
    const auto key = [](const Candidate& one) {
        return std::tuple(-place(one.size), one.shift.start, one.shift.length, one.behind);
    };
    std::sort(candidates_.begin(), candidates_.end(),
              [&](const Candidate& a, const Candidate& b) { return key(a) < key(b); });
    const auto same = [&](const Candidate& a, const Candidate& b) { return key(a) == key(b); };
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end(), same), candidates_.end());
}

// Blocks that begin at `start`, stand for the reference from `match` on, and are longer than
// `words` and `positions`: word by word, or by a phrase followed by at least one word.
void WeightedTerSearch::extend(const TerPair& pair, std::size_t start, std::size_t match,
                               std::size_t words, std::size_t positions) {
    for (; words < costs_.shift_length; ++words, ++positions) {
        const std::size_t last = start + words, match_last = match + positions;
        if (last >= pair.words || match_last >= pair.positions) return;
        for_each_phrase(pair, last, match_last, [&](const TerPhrase& phrase) {
            extend(pair, start, match, words + phrase.words.size(), positions + phrase.positions);
        });
        if (pair.relation(order_[last], match_last) == 0) return;
        if (worth_moving(pair, start, last + 1, match, match_last + 1)) {
            add_targets(start, match, last + 1, match_last + 1);
        }
    }
}

// Something is wrong with the block in both places, it holds more than words that carry no
// meaning, and it does not stand where it belongs already.
bool WeightedTerSearch::worth_moving(const TerPair& pair, std::size_t start, std::size_t end,
                                     std::size_t match, std::size_t match_end) const {
    const auto any = [](const std::vector<std::uint8_t>& flags, std::size_t from, std::size_t to) {
        return std::find(flags.begin() + place(from), flags.begin() + place(to), 1) !=
               flags.begin() + place(to);
    };
    if (!any(place_wrong_, start, end) || !any(position_wrong_, match, match_end)) return false;
    const std::ptrdiff_t aligned = aligned_[match];
    if (aligned >= place(start) && aligned < place(end)) return false;
    const auto reach = place(costs_.shift_distance);
    if (aligned - place(start) > reach || place(start) - aligned > reach) return false;
    const auto all_stop = [](const std::vector<std::uint8_t>& stops, auto&& at, std::size_t from,
                             std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            if (stops.empty() || stops[at(i)] == 0) return false;
        }
        return true;
    };
    return !all_stop(
               pair.word_stops, [&](std::size_t i) { return order_[i]; }, start, end) &&
           !all_stop(pair.position_stops, [](std::size_t i) { return i; }, match, match_end);
}

// The block may come to stand behind the word aligned with the position before its match, or
// with any position of its match.
void WeightedTerSearch::add_targets(std::size_t start, std::size_t match, std::size_t end,
                                    std::size_t match_end) {
    const std::size_t words = end - start;
    const std::size_t longest =
        std::min(std::max(words, match_end - match), costs_.shift_length + 1);
    const auto add = [&](std::ptrdiff_t behind) {
        std::ptrdiff_t by = behind - place(start);
        if (behind < place(start)) {
            by += 1;
        } else if (behind >= place(end)) {
            by -= place(words) - 1;
        } else {
            by = std::min(by, place(order_.size() - end));
        }
        candidates_.push_back({{start, words, by}, behind, longest});
    };
    if (match == 0) add(-1);
    for (std::size_t target = match == 0 ? 0 : match - 1; target < match + words; ++target) {
        if (target >= aligned_.size()) break;
        const std::ptrdiff_t behind = aligned_[target];
        if (behind == place(start)) continue;
        if (target != match && behind == aligned_[match]) continue;
        add(behind);
    }
}

}  // namespace tertium::metrics::edit
