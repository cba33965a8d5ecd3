#include "core/suffix_automaton.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "tests/check.hpp"

namespace tertium::tests {
namespace {

using Text = std::vector<core::Token>;

// How often the `length` tokens before `end` stand in the text, and where the first ends.
std::size_t occurrences(const Text& text, const Text& read, std::size_t end, std::size_t length,
                        std::size_t& last) {
    std::size_t count = 0;
    for (std::size_t begin = 0; begin + length <= text.size(); ++begin) {
        const auto part = read.begin() + static_cast<std::ptrdiff_t>(end - length);
        if (!std::equal(part, part + static_cast<std::ptrdiff_t>(length),
                        text.begin() + static_cast<std::ptrdiff_t>(begin))) {
            continue;
        }
        if (count++ == 0) last = begin + length - 1;
    }
    return count;
}

void compare_with_search(core::SuffixAutomaton& automaton, const Text& text, const Text& read) {
    automaton.build(text);
    core::SuffixAutomaton::Match match;
    for (std::size_t end = 1; end <= read.size(); ++end) {
        match = automaton.advance(match, read[end - 1]);
        std::size_t longest = 0, repeated = 0, last = 0;
        for (std::size_t length = 1; length <= end; ++length) {
            std::size_t place = 0;
            const std::size_t count = occurrences(text, read, end, length, place);
            if (count > 0) {
                longest = length;
                last = place;
            }
            if (count > 1) repeated = length;
        }
        CHECK_EQUAL(match.length, longest);
        CHECK_EQUAL(automaton.repeated(match), repeated);
        if (longest > repeated) CHECK_EQUAL(automaton.end(match), last);
    }
}

}  // namespace

TEST(an_automaton_of_nothing_matches_nothing) {
    core::SuffixAutomaton automaton;
    compare_with_search(automaton, {}, {0, 1, 0});
}

TEST(an_automaton_finds_the_longest_parts_of_its_text) {
    core::SuffixAutomaton automaton;
    compare_with_search(automaton, {0, 1, 0, 1, 1, 0}, {1, 0, 1, 1, 2, 0, 1});
    compare_with_search(automaton, {0, 0, 0, 0}, {0, 0, 0, 0, 0, 0});
    std::mt19937 random(11);
    for (int round = 0; round < 60; ++round) {  // one object for texts of many lengths
        const unsigned tokens = 1 + random() % 4;
        Text text(random() % 30), read(random() % 30);
        for (core::Token& token : text) token = static_cast<core::Token>(random() % tokens);
        for (core::Token& token : read) token = static_cast<core::Token>(random() % (tokens + 1));
        compare_with_search(automaton, text, read);
    }
}

TEST(unknown_words_match_nothing) {
    core::SuffixAutomaton automaton;
    automaton.build(Text{1, 2, 3});
    const auto match = automaton.advance(automaton.advance({}, 1), core::unknown);
    CHECK_EQUAL(match.length, 0u);
    CHECK_EQUAL(automaton.advance(match, 2).length, 1u);
}

}  // namespace tertium::tests
