#include "metrics/edit/terp.hpp"

#include <cmath>

#include "fuzz/target.hpp"

namespace tertium::fuzz {
namespace {

using namespace metrics::edit;

TerpLexicon::Words words_of(Input& input, std::size_t vocabulary) {
    TerpLexicon::Words words;
    for (std::size_t i = 0; i < vocabulary; ++i) {
        const std::uint8_t facts = input.byte();
        words.stems.push_back(facts % 4);
        words.stops.push_back(facts / 4 % 8 == 0);
        words.senses.push_back({facts / 32});
    }
    return words;
}

std::vector<core::Token> phrase_of(Input& input, std::size_t vocabulary) {
    std::vector<core::Token> words(1 + input.below(3));
    for (core::Token& word : words) word = static_cast<core::Token>(input.below(vocabulary));
    return words;
}

}  // namespace

// The cost of a path is that of its shifts and steps, and its steps pass all words of both sides.
FUZZ_TARGET(terp) {
    const std::size_t vocabulary = 2 + input.below(10);
    TerCosts costs;
    costs.of = {0, 1, 1, 1, 0.5, 0.5, 0};
    costs.shift = 0.5;
    costs.shift_length = input.below(8);
    costs.shift_distance = input.below(20);
    costs.beam = static_cast<double>(1 + input.below(20));
    TerpLexicon::Words words = words_of(input, vocabulary);
    std::vector<TerpLexicon::Entry> entries;
    for (std::size_t n = input.below(5); n > 0; --n) {
        auto reference = phrase_of(input, vocabulary);
        auto hypothesis = phrase_of(input, vocabulary);
        entries.push_back({std::move(reference), std::move(hypothesis),
                           static_cast<double>(1 + input.byte()) / 256});
    }
    const TerpLexicon lexicon(vocabulary, std::move(words), std::move(entries), costs,
                              {0, -0.1, 0, 0.1, 0});
    const auto hypothesis = input.tokens(vocabulary, 40), reference = input.tokens(vocabulary, 40);
    TerpKernel kernel(lexicon);
    WeightedTerPath path;
    kernel.search(hypothesis, reference, path);
    double cost = costs.shift * static_cast<double>(path.shifts.size());
    std::size_t passed = 0, positions = 0;
    for (const TerStep& step : path.steps) {
        cost += step.cost;
        passed += step.words;
        positions += step.positions;
    }
    for (const Shift& shift : path.shifts) EXPECT(shift.end() <= hypothesis.size());
    EXPECT(passed == hypothesis.size() && positions == reference.size());
    EXPECT(std::abs(cost - path.cost) < 1e-9);
}

}  // namespace tertium::fuzz
