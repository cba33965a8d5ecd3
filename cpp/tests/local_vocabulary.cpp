#include "text/local_vocabulary.hpp"

#include <map>
#include <random>
#include <string>
#include <vector>

#include "tests/check.hpp"

namespace tertium::tests {
namespace {

using Words = std::vector<std::string_view>;

// Numbers by the plainest means.
class Expected {
  public:
    core::Token intern(std::string_view word) {
        return numbers_.emplace(word, static_cast<core::Token>(numbers_.size())).first->second;
    }
    core::Token find(std::string_view word) const {
        const auto found = numbers_.find(std::string(word));
        return found == numbers_.end() ? core::unknown : found->second;
    }

  private:
    std::map<std::string, core::Token> numbers_;
};

void check_numbers(const std::string& text, const Words& known, const Words& asked) {
    text::LocalVocabulary vocabulary;
    Expected expected;
    std::vector<core::Token> numbers;
    vocabulary.intern(known, text, numbers);
    CHECK_EQUAL(numbers.size(), known.size());
    for (std::size_t i = 0; i < known.size(); ++i) {
        CHECK_EQUAL(numbers[i], expected.intern(known[i]));
    }
    vocabulary.find(asked, text, numbers);
    CHECK_EQUAL(numbers.size(), asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
        CHECK_EQUAL(numbers[i], expected.find(asked[i]));
    }
}

}  // namespace

TEST(words_of_any_length_are_told_apart) {
    // Few letters, so that many words are equal, or differ in length, in a zero, or in the middle.
    std::mt19937 random(11);
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        std::vector<std::pair<std::size_t, std::size_t>> places;
        const std::size_t count = random() % 40 + (round % 200 == 0 ? 1000 : 0);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t length = 1 + random() % (random() % 3 == 0 ? 70 : 6);
            places.emplace_back(text.size(), length);
            for (std::size_t k = 0; k < length; ++k) text += random() % 60 == 0 ? '\0' : 'a';
            if (random() % 2 == 0) text += ' ';
        }
        Words known, asked;
        for (const auto& [begin, length] : places) {
            Words& words = known.size() < count / 2 ? known : asked;
            words.push_back(std::string_view(text).substr(begin, length));
        }
        check_numbers(text, known, asked);
    }
}

// So many that none can be compared with all before it.
TEST(long_words_with_like_edges_are_found_soon) {
    constexpr std::size_t count = 200'000;
    const std::string edge(20, 'x');
    std::string text;
    std::vector<std::size_t> begins;
    for (std::size_t i = 0; i < count; ++i) {
        begins.push_back(text.size());
        text += edge + std::to_string(1'000'000 + i % (count - 7)) + edge + ' ';
    }
    Words words;
    for (const std::size_t begin : begins) {
        words.push_back(std::string_view(text).substr(begin, 2 * edge.size() + 7));
    }
    check_numbers(text, words, words);
    // Of a vocabulary that is used again, and of words that were kept.
    text::LocalVocabulary vocabulary;
    std::vector<core::Token> numbers;
    for (int round = 0; round < 2; ++round) {
        vocabulary.clear();
        vocabulary.intern(count - 7, [&](std::size_t i) {
            return text::LocalVocabulary::Word(text::tokens::TokenKey(words[i]), words[i].data());
        });
        vocabulary.find(words, text, numbers);
        CHECK_EQUAL(numbers.front(), 0);
        CHECK_EQUAL(numbers.back(), 6);
    }
}

TEST(kept_words_are_found_again) {
    const std::string text =
        "a fifteen_letters sixteen__letters and-one-of-more-than-thirty-two-bytes";
    const Words words = {std::string_view(text).substr(0, 1), std::string_view(text).substr(2, 15),
                         std::string_view(text).substr(18, 16), std::string_view(text).substr(35)};
    text::LocalVocabulary vocabulary;
    vocabulary.intern(words.size(), [&](std::size_t i) {
        return text::LocalVocabulary::Word(text::tokens::TokenKey(words[i]), words[i].data());
    });
    std::vector<core::Token> numbers;
    vocabulary.find(words, text, numbers);
    CHECK_EQUAL(numbers == (std::vector<core::Token>{0, 1, 2, 3}), true);
}

}  // namespace tertium::tests
