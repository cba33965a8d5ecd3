// Exact oracles of a lattice: its `count` best distinct word sequences by the k-gram recognition
// rate, with the model's score as the tie breaker.
//
// First, for every node and state of the automaton, the best weight of going on to the end, from
// the last node to the first (fill_future). Then a best-first search from the start over beginnings
// of word sequences: the weight of the best sequence with a given beginning is known exactly, so
// nothing is looked at that does not belong to an oracle, and no sequence comes up twice, however
// many paths and alignments it has. It is A* with a perfect heuristic, on the determinized lattice.
//
// A beginning is a sequence of words, not a path. It holds the weights of all automaton states
// after these words, and every node that a path with these words can reach, with the best model
// score on the way there (`members`). Extending it by a word reads the word once and moves all
// members. Empty arcs (label < 0) are closed over in `push`; since arcs lead to higher nodes and
// members are ordered by node, one loop is enough, although it inserts into the map it walks.
//
// The path of a sequence is not stored: path_of finds the best one again, for sequences that are
// returned only. Its comparison by == is sound because weights are whole numbers (value.hpp), and a
// path adds up to the same number in any order.
//
// The table of futures is nodes × states and bounded by most_states. References into beginnings_
// end with the next push_back: `open` uses its parent only before it pushes.
#include "decode/oracle/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/interrupt.hpp"
#include "decode/oracle/automaton.hpp"
#include "decode/oracle/numbers.hpp"
#include "decode/oracle/order.hpp"
#include "decode/oracle/value.hpp"

namespace tertium::decode::oracle {
namespace {

constexpr std::size_t most_states = std::size_t{1} << 28;
constexpr std::int32_t end_label = -1;  // the sequence ends here; smaller than any word

template <class Value>
class LatticeSearch {
  public:
    LatticeSearch(const OracleLattice& lattice, const OracleReference& reference,
                  const OracleUnits& units, std::int64_t k)
        : lattice_(lattice),
          units_(units),
          automaton_(reference, units, k),
          words_(reference.numbers(lattice.labels())) {
        if (automaton_.states() > most_states / lattice.nodes()) {
            throw std::length_error(std::to_string(lattice.nodes()) + " nodes with " +
                                    std::to_string(automaton_.states()) +
                                    " states of the metric each, expected at most " +
                                    std::to_string(most_states) + " in all");
        }
        models_.reserve(lattice.scores().size());
        for (const double score : lattice.scores()) {
            models_.push_back(units.template model<Value>(score));
        }
        futures_.assign(lattice.nodes() * automaton_.states(), unreachable_value<Value>());
        for (std::size_t node = lattice.nodes(); node-- > 0;) fill_future(node);
    }

    std::vector<OraclePath> best(std::size_t count) {
        std::vector<OraclePath> found;
        open_root();
        while (found.size() < count && !queue_.empty()) {
            core::check_interrupt();
            const Candidate<Value> top = queue_.top();
            queue_.pop();
            if (top.item == end_label) {
                found.push_back({units_.metric_of(top.bound), path_of(top.parent)});
            } else {
                open(top);
            }
        }
        return found;
    }

  private:
    // Nodes to which a beginning leads, each with the best score of the model on the way.
    using Members = std::map<std::int32_t, Value>;

    // As `sequences_` numbers them, which knows its words.
    struct Beginning {
        std::vector<Value> past;  // weights of the automaton's states
        Members members;
    };

    Value* future(std::size_t node) { return futures_.data() + node * automaton_.states(); }

    void fill_future(std::size_t node) {
        Value* const here = future(node);
        if (node + 1 == lattice_.nodes()) {
            const auto end = automaton_.end();
            std::copy(end.begin(), end.end(), here);
            return;
        }
        const std::size_t width = automaton_.width();
        const std::size_t levels = automaton_.levels();
        plain_.assign(width, unreachable_value<Value>());
        for (std::size_t arc = lattice_.begins()[node]; arc < lattice_.begins()[node + 1]; ++arc) {
            core::check_interrupt();
            const Value* const there = future(index(lattice_.targets()[arc]));
            const Value model = models_[arc];
            if (lattice_.labels()[arc] < 0) {
                for (std::size_t s = 0; s < automaton_.states(); ++s) {
                    raise(here[s], there[s] + model);
                }
                continue;
            }
            const Value inserted = model + automaton_.insertion();
            for (std::size_t i = 0; i + 1 < width; ++i) {
                raise(plain_[i], there[i] + inserted);
                raise(plain_[i], there[i + 1] + model);
            }
            raise(plain_[width - 1], there[width - 1] + inserted);
            for (const std::int32_t place : automaton_.reference().positions(words_[arc])) {
                for (std::size_t run = 0; run < levels; ++run) {
                    const std::size_t next =
                        automaton_.state(index(place) + 1, automaton_.longer(run));
                    raise(here[automaton_.state(index(place), run)],
                          there[next] + model + automaton_.gain(run));
                }
            }
        }
        for (std::size_t i = width; i-- > 0;) {
            Value any = plain_[i];
            if (i + 1 < width) raise(any, here[i + 1] + automaton_.deletion());
            for (std::size_t run = 0; run < levels; ++run) {
                raise(here[automaton_.state(i, run)], any);
            }
        }
    }

    void open_root() {
        Beginning root{automaton_.start(), {}};
        root.members.emplace(0, OracleAutomaton<Value>::zero());
        push(std::move(root), 0);
    }

    // What a candidate stood for, and all that can follow it.
    void open(const Candidate<Value>& candidate) {
        const Beginning& parent = beginnings_[index(candidate.parent)];
        Beginning next{automaton_.nowhere(), {}};
        bool first = true;
        for (const auto& [node, model] : parent.members) {
            for (std::size_t arc = lattice_.begins()[index(node)];
                 arc < lattice_.begins()[index(node) + 1]; ++arc) {
                if (lattice_.labels()[arc] != candidate.item) continue;
                if (first) {
                    automaton_.read(parent.past.data(), words_[arc], next.past.data(), scratch_);
                    first = false;
                }
                add_member(next.members, lattice_.targets()[arc], model + models_[arc]);
            }
        }
        push(std::move(next), sequences_.add(candidate.parent, candidate.item));
    }

    static void add_member(Members& members, std::int32_t node, Value model) {
        const auto [place, fresh] = members.emplace(node, model);
        if (!fresh) raise(place->second, model);
    }

    void push(Beginning beginning, std::int32_t number) {
        // Empty words lead on to later nodes, which the loop comes to.
        for (auto& [node, model] : beginning.members) {
            for (std::size_t arc = lattice_.begins()[index(node)];
                 arc < lattice_.begins()[index(node) + 1]; ++arc) {
                if (lattice_.labels()[arc] < 0) {
                    add_member(beginning.members, lattice_.targets()[arc], model + models_[arc]);
                }
            }
        }
        beginnings_.push_back(std::move(beginning));
        const Beginning& here = beginnings_.back();

        const auto last = static_cast<std::int32_t>(lattice_.nodes() - 1);
        if (const auto end = here.members.find(last); end != here.members.end()) {
            const Value bound =
                automaton_.meet(here.past.data(), future(lattice_.nodes() - 1)) + end->second;
            queue_.push({bound, number, end_label});
        }
        steps_.clear();
        for (const auto& [node, model] : here.members) {
            for (std::size_t arc = lattice_.begins()[index(node)];
                 arc < lattice_.begins()[index(node) + 1]; ++arc) {
                if (lattice_.labels()[arc] >= 0) {
                    steps_.push_back({lattice_.labels()[arc], words_[arc], lattice_.targets()[arc],
                                      model + models_[arc]});
                }
            }
        }
        std::stable_sort(steps_.begin(), steps_.end(), [](const Step& one, const Step& other) {
            return one.label < other.label;
        });
        after_.resize(automaton_.states());
        for (std::size_t step = 0; step < steps_.size();) {
            const std::int32_t label = steps_[step].label;
            automaton_.read(here.past.data(), steps_[step].word, after_.data(), scratch_);
            Value bound = unreachable_value<Value>();
            for (; step < steps_.size() && steps_[step].label == label; ++step) {
                const Value met =
                    automaton_.meet(after_.data(), future(index(steps_[step].target)));
                if (is_reachable(met)) raise(bound, met + steps_[step].model);
            }
            if (is_reachable(bound)) queue_.push({bound, number, label});
        }
    }

    // The best path that reads the words of a beginning and ends there.
    std::vector<std::int32_t> path_of(std::int32_t last) const {
        std::vector<const Members*> chain;
        std::vector<std::int32_t> said;
        for (std::int32_t place = last; place > 0; place = sequences_.parent(place)) {
            chain.push_back(&beginnings_[index(place)].members);
            said.push_back(sequences_.item(place));
        }
        chain.push_back(&beginnings_.front().members);
        std::reverse(chain.begin(), chain.end());
        std::reverse(said.begin(), said.end());
        std::vector<Members> futures(chain.size());  // the model's score of going on to the end
        const auto onward = [&](std::size_t length, std::size_t arc) -> std::optional<Value> {
            const std::int32_t label = lattice_.labels()[arc];
            const std::size_t after = label < 0 ? length : length + 1;
            if (after >= chain.size() || (label >= 0 && said[length] != label)) return {};
            const auto found = futures[after].find(lattice_.targets()[arc]);
            if (found == futures[after].end()) return {};
            return models_[arc] + found->second;
        };
        futures.back().emplace(static_cast<std::int32_t>(lattice_.nodes() - 1),
                               OracleAutomaton<Value>::zero());
        for (std::size_t length = chain.size(); length-- > 0;) {
            const Members& members = *chain[length];
            for (auto member = members.rbegin(); member != members.rend(); ++member) {
                for_each_arc(member->first, [&](std::size_t arc) {
                    if (const auto value = onward(length, arc)) {
                        add_member(futures[length], member->first, *value);
                    }
                    return true;
                });
            }
        }
        std::vector<std::int32_t> arcs;
        std::int32_t node = 0;
        std::size_t length = 0;
        while (index(node) + 1 < lattice_.nodes()) {
            const Value value = futures[length].at(node);
            for_each_arc(node, [&](std::size_t arc) {
                const auto next = onward(length, arc);
                if (!next || !(*next == value)) return true;
                arcs.push_back(static_cast<std::int32_t>(arc));
                return false;
            });
            length += lattice_.labels()[index(arcs.back())] < 0 ? 0u : 1u;
            node = lattice_.targets()[index(arcs.back())];
        }
        return arcs;
    }

    // Until the function says no.
    template <class Function>
    void for_each_arc(std::int32_t node, Function&& function) const {
        for (std::size_t arc = lattice_.begins()[index(node)];
             arc < lattice_.begins()[index(node) + 1]; ++arc) {
            if (!function(arc)) return;
        }
    }

    struct Step {
        std::int32_t label;
        std::int32_t word;
        std::int32_t target;
        Value model;
    };

    const OracleLattice& lattice_;
    const OracleUnits& units_;
    OracleAutomaton<Value> automaton_;
    std::vector<std::int32_t> words_;
    std::vector<Value> models_;
    std::vector<Value> futures_;
    std::vector<Value> plain_;
    std::vector<Value> scratch_;
    std::vector<Value> after_;
    std::vector<Step> steps_;
    SharedSequences sequences_;
    std::vector<Beginning> beginnings_;
    CandidateQueue<Value> queue_{Worse<Value>{&sequences_}};
};

}  // namespace

OracleLattice::OracleLattice(std::size_t nodes, std::vector<std::int32_t> sources,
                             std::vector<std::int32_t> targets, std::vector<std::int32_t> labels,
                             std::vector<double> scores)
    : begins_(nodes + 1),
      sources_(std::move(sources)),
      targets_(std::move(targets)),
      labels_(std::move(labels)),
      scores_(std::move(scores)) {
    const std::size_t arcs = sources_.size();
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max();
    if (nodes < 1 || nodes > most || arcs > most) {
        throw std::invalid_argument(std::to_string(nodes) + " nodes, expected at least one");
    }
    if (targets_.size() != arcs || labels_.size() != arcs || scores_.size() != arcs) {
        throw std::invalid_argument("sources, targets, labels and scores of unequal length");
    }
    std::vector<double> words(nodes);
    std::vector<double> score(nodes);
    for (std::size_t arc = 0; arc < arcs; ++arc) {
        const std::int32_t source = sources_[arc];
        const std::int32_t target = targets_[arc];
        if (source < 0 || target <= source || index(target) >= nodes ||
            (arc > 0 && source < sources_[arc - 1])) {
            throw std::invalid_argument("arc " + std::to_string(arc) + " from node " +
                                        std::to_string(source) + " to " + std::to_string(target) +
                                        ", expected arcs sorted by source that go forward");
        }
        if (!std::isfinite(scores_[arc])) {
            throw std::invalid_argument("arc " + std::to_string(arc) +
                                        " has a score that is not finite");
        }
        ++begins_[index(source) + 1];
        double& most_words = words[index(target)];
        double& most_score = score[index(target)];
        most_words = std::max(most_words, words[index(source)] + (labels_[arc] < 0 ? 0 : 1));
        most_score = std::max(most_score, score[index(source)] + std::abs(scores_[arc]));
    }
    for (std::size_t node = 0; node < nodes; ++node) begins_[node + 1] += begins_[node];
    most_words_ = *std::max_element(words.begin(), words.end());
    most_score_ = *std::max_element(score.begin(), score.end());
}

std::vector<OraclePath> OracleLattice::best(core::Tokens words,
                                            const metrics::edit::GramWeights& weights,
                                            std::size_t count, double mix) const {
    const OracleReference reference(words);
    const OracleUnits units(weights, words.size(), most_words_, most_score_, mix);
    if (units.packed()) {
        return LatticeSearch<PackedValue>(*this, reference, units, weights.k()).best(count);
    }
    return LatticeSearch<PairValue>(*this, reference, units, weights.k()).best(count);
}

std::vector<double> OracleLattice::merits() const {
    constexpr double none = -std::numeric_limits<double>::infinity();
    std::vector<double> past(nodes(), none);
    std::vector<double> future(nodes(), none);
    past.front() = 0;
    future.back() = 0;
    for (std::size_t arc = 0; arc < sources_.size(); ++arc) {
        raise(past[index(targets_[arc])], past[index(sources_[arc])] + scores_[arc]);
    }
    std::vector<double> result(sources_.size());
    for (std::size_t arc = sources_.size(); arc-- > 0;) {
        const double onward = scores_[arc] + future[index(targets_[arc])];
        raise(future[index(sources_[arc])], onward);
        result[arc] = past[index(sources_[arc])] + onward;
    }
    return result;
}

}  // namespace tertium::decode::oracle
