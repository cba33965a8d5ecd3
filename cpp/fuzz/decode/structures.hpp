// Lattices and forests: some in the form that the core asks for, some of any numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fuzz/input.hpp"

namespace tertium::fuzz {

using Numbers = std::vector<std::int32_t>;

struct LatticeArrays {
    std::size_t nodes = 0;
    Numbers sources, targets, labels;
    std::vector<double> scores;

    // Nodes in topological order, arcs by source; every node but the last leads to the next.
    static LatticeArrays ordered(Input& input, std::size_t most_nodes = 6) {
        LatticeArrays made;
        made.nodes = 2 + input.below(most_nodes - 1);
        for (std::size_t node = 0; node + 1 < made.nodes; ++node) {
            const std::size_t arcs = 1 + input.below(3);
            for (std::size_t arc = 0; arc < arcs; ++arc) {
                const std::size_t step = arc == 0 ? 0 : input.below(made.nodes - node - 1);
                made.add(node, node + 1 + step, input);
            }
        }
        return made;
    }
    static LatticeArrays any(Input& input) {
        LatticeArrays made;
        made.nodes = input.below(8);
        while (!input.empty() && made.labels.size() < 40) {
            const std::uint8_t ends = input.byte();
            made.sources.push_back(ends % 16 - 4);
            made.targets.push_back(ends / 16 - 4);
            made.labels.push_back(static_cast<std::int32_t>(input.below(6)) - 1);
            made.scores.push_back(input.number());
        }
        return made;
    }

    // Calls take(arcs) for each path; false if there are more than `most`.
    bool for_each_path(std::size_t most, const std::function<void(const Numbers&)>& take) const {
        std::size_t found = 0;
        Numbers path;
        const std::function<bool(std::int32_t)> walk = [&](std::int32_t node) {
            if (node + 1 == static_cast<std::int32_t>(nodes)) {
                if (++found > most) return false;
                take(path);
                return true;
            }
            for (std::size_t arc = 0; arc < sources.size(); ++arc) {
                if (sources[arc] != node) continue;
                path.push_back(static_cast<std::int32_t>(arc));
                if (!walk(targets[arc])) return false;
                path.pop_back();
            }
            return true;
        };
        return walk(0);
    }
    Numbers words(const Numbers& path) const {
        Numbers out;
        for (const std::int32_t arc : path) {
            if (labels[static_cast<std::size_t>(arc)] >= 0) {
                out.push_back(labels[static_cast<std::size_t>(arc)]);
            }
        }
        return out;
    }

  private:
    void add(std::size_t source, std::size_t target, Input& input) {
        sources.push_back(static_cast<std::int32_t>(source));
        targets.push_back(static_cast<std::int32_t>(target));
        labels.push_back(static_cast<std::int32_t>(input.below(6)) - 1);
        scores.push_back(input.number());
    }
};

struct ForestArrays {
    std::size_t nodes = 0;
    Numbers heads, symbol_offsets{0}, symbols, tail_offsets{0}, tails;
    std::vector<double> scores;

    std::size_t edges() const { return heads.size(); }

    // Tails before heads, hyperedges by head; up to two tails.
    static ForestArrays ordered(Input& input, std::size_t most_nodes = 4) {
        ForestArrays made;
        made.nodes = 1 + input.below(most_nodes);
        for (std::size_t head = 0; head < made.nodes; ++head) {
            const std::size_t edges = 1 + input.below(2);
            for (std::size_t edge = 0; edge < edges; ++edge) {
                std::size_t tails = head == 0 ? 0 : input.below(3);
                made.heads.push_back(static_cast<std::int32_t>(head));
                for (std::size_t t = 0; t < tails; ++t) {
                    if (input.flag()) made.add_word(input);
                    made.symbols.push_back(-1 - static_cast<std::int32_t>(t));
                    made.tails.push_back(static_cast<std::int32_t>(input.below(head)));
                }
                if (tails == 0 || input.flag()) made.add_word(input);
                made.close(input);
            }
        }
        return made;
    }
    static ForestArrays any(Input& input) {
        ForestArrays made;
        made.nodes = input.below(6);
        const auto small = [&] { return static_cast<std::int32_t>(input.below(9)) - 3; };
        for (std::size_t edges = input.below(8); edges > 0; --edges) {
            made.heads.push_back(small());
            for (std::size_t n = input.below(4); n > 0; --n) made.symbols.push_back(small());
            for (std::size_t n = input.below(3); n > 0; --n) made.tails.push_back(small());
            made.close(input);
        }
        if (input.byte() % 8 == 0) made.symbol_offsets.push_back(small());
        if (input.byte() % 8 == 0) made.tail_offsets.back() = small();
        if (input.byte() % 8 == 0) made.symbol_offsets.back() = small();
        return made;
    }

    // The words of every derivation of a node, each with its score; false if there are too many.
    struct Yield {
        Numbers words;
        double score;
    };
    bool yields(std::size_t most, std::vector<std::vector<Yield>>& by_node) const {
        by_node.assign(nodes, {});
        for (std::size_t edge = 0; edge < edges(); ++edge) {
            std::vector<Yield> some{{{}, scores[edge]}};
            const auto first_tail = static_cast<std::size_t>(tail_offsets[edge]);
            for (auto s = static_cast<std::size_t>(symbol_offsets[edge]);
                 s < static_cast<std::size_t>(symbol_offsets[edge + 1]); ++s) {
                if (symbols[s] >= 0) {
                    for (Yield& one : some) one.words.push_back(symbols[s]);
                    continue;
                }
                const auto tail = static_cast<std::size_t>(-1 - symbols[s]) + first_tail;
                std::vector<Yield> longer;
                for (const Yield& one : some) {
                    for (const Yield& next : by_node[static_cast<std::size_t>(tails[tail])]) {
                        longer.push_back(one);
                        longer.back().words.insert(longer.back().words.end(), next.words.begin(),
                                                   next.words.end());
                        longer.back().score += next.score;
                        if (longer.size() > most) return false;
                    }
                }
                some = std::move(longer);
            }
            auto& all = by_node[static_cast<std::size_t>(heads[edge])];
            all.insert(all.end(), some.begin(), some.end());
        }
        return true;
    }

  private:
    void add_word(Input& input) { symbols.push_back(static_cast<std::int32_t>(input.below(5))); }
    void close(Input& input) {
        symbol_offsets.push_back(static_cast<std::int32_t>(symbols.size()));
        tail_offsets.push_back(static_cast<std::int32_t>(tails.size()));
        scores.push_back(input.number() / 8);
    }
};

}  // namespace tertium::fuzz
