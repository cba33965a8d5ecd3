// Inside weights of a forest intersected with the automaton of the k-gram recognition rate (Chiang
// et al. 2008; automaton.hpp): for each node X, the best weight of deriving X while the automaton
// goes from state p to state q. A full matrix per node, (positions · k)² values, would be far too
// large. Four facts keep it sparse:
//
//  1. Deletions are implied. A path at (i, 0) can go to (i + 1, 0) for the price of a deletion, so
//     an item (j, 0) is stored only if it beats the deletions from the last stored one
//     (take_items).
//  2. A run is dominated where even all that it can still add (most_by_run_) does not lift it above
//     (i, 0), or where a longer run at the same position weighs as much.
//  3. A row that starts with a run, (i, m) with m > 0, holds only what begins with a match;
//     everything else is in the row of (i, 0). It is filled only where a run can arrive and the
//     node's first word can match (entered_, continues_, found bottom-up and top-down before the
//     rows).
//  4. Hyperedges of a node share suffixes of their bodies. A body is multiplied from its start to
//     its end, and bodies meet in the suffix they share (SuffixTrees): one frame of weights per
//     suffix length is enough, because all children of a suffix come right before it in reverse
//     order.
//
// Every function here relies on: wherever (i, m) has weight w, (i, 0) has w or more, stored or
// implied by 1 (read_word raises shorter runs for this). Items of a row ascend by position, with
// (i, 0) first; read_word walks them once along the ascending reference positions of the word. A
// frame is empty again, weights and marks, once its items are taken.
//
// Weights are whole numbers (value.hpp), so that equal derivations compare equal however they were
// added up; do not bring in anything that rounds. `prune` is the one place that gives up exactness.
// most_items bounds the memory.
#include "decode/oracle/matrices.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <stdexcept>
#include <string>

#include "core/interrupt.hpp"
#include "decode/oracle/numbers.hpp"

namespace tertium::decode::oracle {
namespace {

constexpr std::size_t most_items = std::size_t{1} << 28;

void mark(std::vector<std::uint64_t>& marks, std::size_t position) {
    marks[position / 64] |= std::uint64_t{1} << position % 64;
}

}  // namespace

template <class Value>
ForestMatrices<Value>::ForestMatrices(const OracleForest& forest,
                                      const OracleAutomaton<Value>& automaton,
                                      const OracleUnits& units, const ForestPruning& pruning)
    : forest_(forest),
      automaton_(automaton),
      pruning_(pruning),
      suffixes_(forest, automaton.reference()),
      suffix_models_(suffixes_.size(), unreachable_value<Value>()),
      demand_(forest.nodes(), Demand::nothing),
      entered_(forest.nodes() * automaton.width()),
      continues_(forest.nodes() * automaton.width()),
      ends_(forest.nodes() * automaton.width()),
      nullable_(forest.nodes()),
      rows_(forest.nodes()),
      blocks_((automaton.width() + 63) / 64),
      frames_(suffixes_.deepest() + 1),
      items_(automaton.states()) {
    for (const double score : forest.scores()) {
        models_.push_back(units.template model<Value>(score));
    }
    for (std::size_t place = 0; place < suffixes_.size(); ++place) {
        for (const std::int32_t edge : suffixes_.edges(suffixes_[place])) {
            raise(suffix_models_[place], models_[index(edge)]);
        }
    }
    for (Frame& frame : frames_) {
        frame.weights = automaton_.nowhere();
        frame.marks.resize(blocks_);
        frame.run_marks.resize(blocks_);
    }
    deletions_.push_back(OracleAutomaton<Value>::zero());
    for (std::size_t i = 1; i < automaton_.width(); ++i) {
        deletions_.push_back(deletions_.back() + automaton_.deletion());
    }
    // After a run of m words, n more matches are worth m of the longest n-grams more at most.
    for (std::size_t run = 0; run < automaton_.levels(); ++run) {
        double more = 0;
        for (std::size_t next = 1; next < automaton_.levels(); ++next) {
            more += static_cast<double>(std::min(run + next, automaton_.levels()) - next);
        }
        most_by_run_.push_back(units.template matches<Value>(static_cast<std::size_t>(more)));
    }
    find_borders();
    find_demand();
    std::size_t items = 0;
    for (std::size_t node = 0; node < forest.nodes(); ++node) {
        core::check_interrupt();
        if (demand_[node] == Demand::nothing) continue;
        fill(node);
        items += rows_[node].items.size();
        if (items > most_items) {
            throw std::length_error(
                "the forest has more than " + std::to_string(most_items) +
                " items (node, state, state), expected fewer: a smaller forest or reference");
        }
    }
}

// Bottom-up: with which matches a node can begin and end.
template <class Value>
void ForestMatrices<Value>::find_borders() {
    const std::size_t width = automaton_.width();
    for (std::size_t node = 0; node < forest_.nodes(); ++node) {
        core::check_interrupt();
        const auto add = [&](std::vector<std::uint8_t>& flags, std::int32_t symbol,
                             std::size_t shift) {
            if (symbol >= -1) {
                for (const std::int32_t place : automaton_.reference().positions(symbol)) {
                    flag(flags, node, index(place) + shift) = 1;
                }
                return false;
            }
            const std::size_t tail = index(-2 - symbol);
            for (std::size_t i = 0; i < width; ++i) flag(flags, node, i) |= flag(flags, tail, i);
            return nullable_[tail] != 0;
        };
        bool nullable = false;
        for (std::size_t edge = forest_.begins()[node]; edge < forest_.begins()[node + 1]; ++edge) {
            const auto body = suffixes_.body(edge);
            nullable |= std::all_of(body.begin(), body.end(),
                                    [&](auto symbol) { return add(continues_, symbol, 0); });
            static_cast<void>(std::all_of(body.rbegin(), body.rend(),
                                          [&](auto symbol) { return add(ends_, symbol, 1); }));
        }
        nullable_[node] = nullable ? 1 : 0;
        if (nullable) {
            for (std::size_t i = 0; i < width; ++i) {
                flag(continues_, node, i) = 1;
                flag(ends_, node, i) = 1;
            }
        }
    }
}

// Top-down: an insertion leaves the automaton where it is and deletions take it anywhere to the
// right, so a node is asked for from the start only, or, after any word, from everywhere.
template <class Value>
void ForestMatrices<Value>::find_demand() {
    const std::size_t width = automaton_.width();
    demand_.back() = Demand::start;
    std::vector<std::uint8_t> runs(width);
    for (std::size_t node = forest_.nodes(); node-- > 0;) {
        if (demand_[node] == Demand::nothing) continue;
        for (std::size_t edge = forest_.begins()[node]; edge < forest_.begins()[node + 1]; ++edge) {
            Demand demand = demand_[node];
            for (std::size_t i = 0; i < width; ++i) runs[i] = flag(entered_, node, i);
            for (const std::int32_t symbol : suffixes_.body(edge)) {
                bool keeps = false;
                if (symbol < -1) {
                    const std::size_t tail = index(-2 - symbol);
                    demand_[tail] = std::max(demand_[tail], demand);
                    for (std::size_t i = 0; i < width; ++i) flag(entered_, tail, i) |= runs[i];
                    keeps = nullable_[tail] != 0;
                    for (std::size_t i = 0; i < width; ++i) {
                        runs[i] =
                            static_cast<std::uint8_t>((keeps ? runs[i] : 0) | flag(ends_, tail, i));
                    }
                } else {
                    std::fill(runs.begin(), runs.end(), std::uint8_t{0});
                    for (const std::int32_t place : automaton_.reference().positions(symbol)) {
                        runs[index(place) + 1] = 1;
                    }
                }
                demand = Demand::everything;
            }
        }
    }
}

template <class Value>
void ForestMatrices<Value>::fill(std::size_t node) {
    NodeRows& rows = rows_[node];
    rows.rows.resize(automaton_.states());
    const std::size_t positions = demand_[node] == Demand::start ? 1 : automaton_.width();
    for (std::size_t i = 0; i < positions; ++i) {
        fill_row(node, i, 0);
        if (!flag(entered_, node, i) || !flag(continues_, node, i)) continue;
        for (std::size_t run = 1; run < automaton_.levels() && run <= i; ++run) {
            fill_row(node, i, run);
        }
    }
    rows.items.shrink_to_fit();
}

template <class Value>
void ForestMatrices<Value>::fill_row(std::size_t node, std::size_t position, std::size_t run) {
    // Children come before parents, and all below a suffix right before it: one frame is enough
    // for all suffixes of a length.
    count_ = 0;
    for (std::size_t place = suffixes_.end(node); place-- > suffixes_.begin(node);) {
        const auto& suffix = suffixes_[place];
        const Value model = suffix_models_[place];
        const bool begins =
            suffix.first_edge < suffix.end_edge && (run == 0 || continues(suffix, position));
        const std::size_t start = slot(position, run);
        if (suffix.longest) {
            if (!begins) continue;
            items_.front() = {static_cast<std::int32_t>(start), static_cast<std::int32_t>(position),
                              model};
            count_ = 1;
        } else {
            Frame& frame = frames_[index(suffix.depth)];
            if (begins) {
                raise(frame.weights[start], model);
                mark(run > 0 ? frame.run_marks : frame.marks, position);
            }
            take_items(frame);
        }
        if (suffix.depth == 0) break;
        Frame& after = frames_[index(suffix.depth) - 1];
        if (suffix.is_node()) {
            read_node(suffix.node(), after);
        } else {
            read_word(suffix.symbol, after);
        }
    }
    if (pruning_.band || pruning_.beam) prune(node, position);
    add_row(rows_[node], slot(position, run));
}

// Whether a body that begins with the suffix can lengthen a run that is there.
template <class Value>
bool ForestMatrices<Value>::continues(const SuffixTrees::Suffix& suffix,
                                      std::size_t position) const {
    if (suffix.depth == 0) return true;  // an empty body leaves the run as it is
    if (suffix.is_node()) return continues_[suffix.node() * automaton_.width() + position] != 0;
    const auto places = automaton_.reference().positions(suffix.symbol);
    return std::binary_search(places.begin(), places.end(), static_cast<std::int32_t>(position));
}

template <class Value>
void ForestMatrices<Value>::add_row(NodeRows& rows, std::size_t slot) const {
    Row& row = rows.rows[slot];
    row.begin = static_cast<std::uint32_t>(rows.items.size());
    rows.items.insert(rows.items.end(), items().begin(), items().end());
    row.end = static_cast<std::uint32_t>(rows.items.size());
    for (const Item& item : items()) {
        auto& marks = run_of(item) > 0 ? row.run_marks : row.marks;
        marks |= std::uint64_t{1} << item.position % 64;
    }
}

// Something is left of every row, and every run that is left can be forgotten, so that there is a
// derivation wherever there is one without pruning. A band may drop the item (i, 0) that implied
// (j, 0) by deletions and keep a run at j; alone, the run would go on by a match only and could end
// nowhere. (j, 0) is stored then with what was implied. A beam cannot do this: (i, 0) weighs no
// less than the run.
template <class Value>
void ForestMatrices<Value>::prune(std::size_t node, std::size_t position) {
    const auto worse = [](const Item& one, const Item& other) { return other.weight > one.weight; };
    if (count_ == 0) return;
    std::vector<Item> kept;
    const Item best = *std::max_element(items().begin(), items().end(), worse);
    if (pruning_.band) {
        const auto band = static_cast<double>(*pruning_.band);
        const Item* plain = nullptr;  // the last without a run, which implies the most
        const Item* left = nullptr;   // the last of them that is kept, or stands in another's place
        for (const Item& item : items()) {
            const auto passed = static_cast<double>(index(item.position) - position);
            const bool near = passed >= forest_.shortest()[node] - band &&
                              passed <= forest_.longest()[node] + band;
            if (run_of(item) == 0) {
                plain = &item;
                if (near) left = &item;
            } else if (near && plain != nullptr && left != plain) {
                const auto first = item.slot - static_cast<std::int32_t>(run_of(item));
                const std::size_t deleted = index(item.position) - index(plain->position);
                kept.push_back({first, item.position, plain->weight + deletions_[deleted]});
                left = plain;  // what follows is implied as before
            }
            if (near) kept.push_back(item);
        }
    } else {
        kept.assign(items().begin(), items().end());
    }
    if (pruning_.beam && *pruning_.beam < kept.size()) {
        std::vector<Item> ranked = kept;
        const auto last = ranked.begin() + static_cast<std::ptrdiff_t>(*pruning_.beam - 1);
        std::nth_element(ranked.begin(), last, ranked.end(),
                         [&](const Item& one, const Item& other) { return worse(other, one); });
        std::erase_if(kept, [&](const Item& item) { return worse(item, *last); });
    }
    if (kept.empty()) kept.push_back(best);
    std::copy(kept.begin(), kept.end(), items_.begin());
    count_ = kept.size();
}

// The items of a frame that are not implied by deletions, nor, for a run, by all that a run can
// still add; the frame is empty afterwards.
template <class Value>
void ForestMatrices<Value>::take_items(Frame& frame) {
    const std::size_t levels = automaton_.levels();
    const Value nowhere = unreachable_value<Value>();
    Value implied = nowhere;
    std::size_t before = 0;
    Item* end = items_.data();
    for (std::size_t block = 0; block < blocks_; ++block) {
        const std::uint64_t runs = frame.run_marks[block];
        for (std::uint64_t left = frame.marks[block] | runs; left != 0; left &= left - 1) {
            const auto bit = static_cast<std::size_t>(std::countr_zero(left));
            const std::size_t i = block * 64 + bit;
            const auto position = static_cast<std::int32_t>(i);
            const auto first = static_cast<std::int32_t>(i * levels);
            Value* const here = frame.weights.data() + first;
            implied = implied + deletions_[i - before];
            before = i;
            if (here[0] > implied) {
                implied = here[0];
                *end++ = {first, position, implied};
            }
            here[0] = nowhere;
            if ((runs >> bit & 1) == 0) continue;
            Value longer = nowhere;
            for (std::size_t run = levels - 1; run > 0; --run) {
                const Value weight = here[run];
                here[run] = nowhere;
                if (!(weight > longer)) continue;  // a longer run is worth as much
                longer = weight;
                if (weight + most_by_run_[run] > implied) {
                    *end++ = {first + static_cast<std::int32_t>(run), position, weight};
                }
            }
        }
        frame.marks[block] = 0;
        frame.run_marks[block] = 0;
    }
    count_ = static_cast<std::size_t>(end - items_.data());
}

template <class Value>
void ForestMatrices<Value>::read_node(std::size_t node, Frame& after) const {
    const NodeRows& rows = rows_[node];
    if (rows.rows.empty()) return;
    Value* const weights = after.weights.data();
    for (const Item& item : items()) {
        const Row& row = rows.rows[index(item.slot)];
        const Item* const end = rows.items.data() + row.end;
        for (const Item* next = rows.items.data() + row.begin; next != end; ++next) {
            raise(weights[next->slot], item.weight + next->weight);
        }
        if (blocks_ == 1) {
            after.marks.front() |= row.marks;
            after.run_marks.front() |= row.run_marks;
            continue;
        }
        for (const Item* next = rows.items.data() + row.begin; next != end; ++next) {
            mark(run_of(*next) > 0 ? after.run_marks : after.marks, index(next->position));
        }
    }
}

template <class Value>
void ForestMatrices<Value>::read_word(std::int32_t word, Frame& after) const {
    const std::size_t last = automaton_.width() - 1;
    const std::size_t levels = automaton_.levels();
    Value* const weights = after.weights.data();
    for (const Item& item : items()) {
        if (run_of(item) > 0) continue;
        const std::size_t i = index(item.position);
        raise(weights[item.slot], item.weight + automaton_.insertion());
        mark(after.marks, i);
        if (i == last) continue;
        raise(weights[index(item.slot) + levels], item.weight);
        mark(after.marks, i + 1);
    }
    // Of items with no run the last one before a place implies the most there.
    const Item* item = items_.data();
    const Item* const end = item + count_;
    const Item* plain = nullptr;
    for (const std::int32_t place : automaton_.reference().positions(word)) {
        for (; item != end && item->position < place; ++item) {
            if (run_of(*item) == 0) plain = item;
        }
        const std::size_t i = index(place);
        Value* const there = weights + slot(i + 1, 0);
        bool matched = false;
        for (; item != end && item->position == place; ++item) {
            const std::size_t run = run_of(*item);
            if (run == 0) {
                plain = item;
            } else {
                raise(there[automaton_.longer(run)], item->weight + automaton_.gain(run));
                matched = true;
            }
        }
        if (plain != nullptr) {
            raise(there[automaton_.longer(0)],
                  plain->weight + deletions_[i - index(plain->position)] + automaton_.gain(0));
            matched = true;
        }
        if (!matched) continue;
        // A run may be forgotten, so shorter ones weigh at least as much.
        for (std::size_t run = levels - 1; run > 0; --run) raise(there[run - 1], there[run]);
        mark(after.marks, i + 1);
        if (levels > 1) mark(after.run_marks, i + 1);
    }
}

template <class Value>
void ForestMatrices<Value>::unread(std::int32_t symbol, const Value* after, Value* before) const {
    if (symbol >= -1) {
        automaton_.unread(after, symbol, before);
        return;
    }
    const NodeRows& rows = rows_[index(-2 - symbol)];
    for (std::size_t i = 0; i < automaton_.width(); ++i) {
        Value best = unreachable_value<Value>();
        for (std::size_t run = 0; run < automaton_.levels(); ++run) {
            if (!rows.rows.empty()) {
                const Row row = rows.rows[slot(i, run)];
                for (std::size_t place = row.begin; place < row.end; ++place) {
                    const Item& item = rows.items[place];
                    raise(best, item.weight +
                                    after[automaton_.state(index(item.position), run_of(item))]);
                }
            }
            before[automaton_.state(i, run)] = best;
        }
    }
}

template class ForestMatrices<PackedValue>;
template class ForestMatrices<PairValue>;

}  // namespace tertium::decode::oracle
