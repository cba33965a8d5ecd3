#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fuzz/decode/structures.hpp"
#include "fuzz/target.hpp"
#include "tune/graph_envelopes.hpp"

namespace tertium::fuzz {

// The envelope of a forest is that of the lines of all its derivations; numbers that are no forest
// are refused.
FUZZ_TARGET(graphs) {
    using namespace tune;
    const bool any = input.byte() % 4 == 0;
    const ForestArrays arrays = any ? ForestArrays::any(input) : ForestArrays::ordered(input);
    DerivationGraph graph{arrays.nodes,
                          arrays.heads,
                          arrays.tail_offsets,
                          arrays.tails,
                          arrays.symbol_offsets,
                          arrays.symbols,
                          {},
                          2};
    for (const double score : arrays.scores) {
        graph.features.push_back(score);
        graph.features.push_back(input.number());
    }
    try {
        check(graph);
    } catch (const std::invalid_argument&) {
        EXPECT(any);
        return;
    }
    // Slopes are scores, intercepts the other feature.
    const double point[] = {0, 1}, direction[] = {1, 0};
    const Searches searches{{point, 1, 2}, {direction, 1, 2}};
    std::vector<DerivationGraph> graphs{graph};
    GraphHypotheses hypotheses(std::move(graphs));
    const Envelopes found = hypotheses.envelopes(searches);
    EXPECT(found.starts.size() == found.hypotheses.size() && !found.starts.empty());
    const Envelopes again = hypotheses.envelopes(searches);
    EXPECT(found.starts == again.starts && found.hypotheses == again.hypotheses);

    std::vector<std::vector<ForestArrays::Yield>> slopes, intercepts;
    ForestArrays other = arrays;
    for (std::size_t edge = 0; edge < other.edges(); ++edge) {
        other.scores[edge] = graph.features[2 * edge + 1];
    }
    if (any || !arrays.yields(100, slopes) || !other.yields(100, intercepts)) return;
    // In the middle of each piece, no derivation is better than one with the words said there.
    for (std::size_t i = 0; i < found.starts.size(); ++i) {
        const double from = found.starts[i];
        const double to = i + 1 < found.starts.size() ? found.starts[i + 1] : HUGE_VAL;
        EXPECT(from < to && (i == 0) == (from == -HUGE_VAL));
        const double step = std::isfinite(from) ? (std::isfinite(to) ? (from + to) / 2 : from + 1)
                            : std::isfinite(to) ? to - 1
                                                : 0;
        const auto number = static_cast<std::size_t>(found.hypotheses[i]);
        const auto begin = static_cast<std::size_t>(hypotheses.word_offsets()[number]);
        const auto end = static_cast<std::size_t>(hypotheses.word_offsets()[number + 1]);
        const auto words = hypotheses.words().subspan(begin, end - begin);
        double best = -HUGE_VAL, own = -HUGE_VAL;
        for (std::size_t d = 0; d < slopes.back().size(); ++d) {
            const double score = intercepts.back()[d].score + step * slopes.back()[d].score;
            best = std::max(best, score);
            if (std::ranges::equal(slopes.back()[d].words, words)) own = std::max(own, score);
        }
        EXPECT(own >= best - 1e-9 * std::max(1.0, std::abs(best)));
    }
}

}  // namespace tertium::fuzz
