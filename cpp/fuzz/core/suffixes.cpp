#include <algorithm>
#include <span>

#include "core/suffix_automaton.hpp"
#include "fuzz/target.hpp"

namespace tertium::fuzz {
namespace {

using Text = std::vector<core::Token>;

std::size_t occurrences(const Text& text, std::span<const core::Token> part) {
    std::size_t count = 0;
    for (auto found = text.begin();; ++found, ++count) {
        found = std::search(found, text.end(), part.begin(), part.end());
        if (found == text.end()) return count;
    }
}

}  // namespace

// What an automaton says of each place read is what a search through the text finds.
FUZZ_TARGET(suffixes) {
    core::SuffixAutomaton automaton;
    for (int round = 0; round < 2; ++round) {  // the second text has to forget the first
        const std::size_t vocabulary = 1 + input.below(6);
        const Text text = input.tokens(vocabulary, 48), read = input.tokens(vocabulary + 1, 48);
        automaton.build(text);
        core::SuffixAutomaton::Match match;
        for (std::size_t end = 1; end <= read.size(); ++end) {
            match = automaton.advance(match, read[end - 1]);
            const auto last = [&](std::size_t length) {
                return std::span(read).subspan(end - length, length);
            };
            EXPECT(match.length <= end);
            EXPECT(match.length == 0 || occurrences(text, last(match.length)) > 0);
            EXPECT(match.length == end || occurrences(text, last(match.length + 1)) == 0);
            const std::size_t repeated = automaton.repeated(match);
            EXPECT(repeated == 0 || occurrences(text, last(repeated)) > 1);
            if (repeated == match.length) continue;
            EXPECT(occurrences(text, last(repeated + 1)) == 1);
            EXPECT(std::equal(last(match.length).rbegin(), last(match.length).rend(),
                              text.rend() - automaton.end(match) - 1));
        }
    }
}

}  // namespace tertium::fuzz
