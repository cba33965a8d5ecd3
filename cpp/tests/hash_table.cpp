#include "core/hash_table.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/gram_table.hpp"
#include "core/pair_numbers.hpp"
#include "tests/check.hpp"

namespace tertium::tests {
namespace {

struct Spread {
    std::uint64_t operator()(std::uint64_t key) const { return core::mixed(key); }
};
// All keys in one place: every look-up has to walk.
struct Crowded {
    std::uint64_t operator()(std::uint64_t) const { return 7; }
};

// The same calls on the table and on a plain map; `keys` decides how often keys come again.
template <class Hash>
void compare_with_map(unsigned seed, std::uint64_t keys, int rounds, std::size_t expected) {
    std::mt19937 random(seed);
    core::KeyNumbers<std::uint64_t, Hash> table;
    for (int round = 0; round < rounds; ++round) {
        std::map<std::uint64_t, std::uint32_t> plain;
        if (round % 3 == 1) table.clear(expected);
        if (round % 3 != 1) table.clear();
        CHECK_EQUAL(table.size(), 0u);
        for (int step = 0; step < 300; ++step) {
            const std::uint64_t key = random() % keys;
            const auto known = plain.find(key);
            CHECK_EQUAL(table.find(key), known == plain.end() ? core::no_number : known->second);
            if (random() % 2 == 0) continue;
            const auto number = static_cast<std::uint32_t>(plain.size());
            CHECK_EQUAL(table.intern(key), plain.try_emplace(key, number).first->second);
            CHECK_EQUAL(table.size(), plain.size());
        }
    }
}

// Words that lie in a vector, as users of the index keep them.
struct Words {
    std::vector<std::string> words;
    core::HashIndex index;

    static std::uint64_t hash(const std::string& word) { return core::mixed(word.size()); }

    std::uint32_t find(const std::string& word) const {
        return index.find(hash(word), [&](std::uint32_t n) { return words[n] == word; });
    }
    std::uint32_t intern(const std::string& word) {
        const std::uint32_t number = index.intern(
            hash(word), [&](std::uint32_t n) { return words[n] == word; },
            [&](std::uint32_t n) { return hash(words[n]); });
        if (number == words.size()) words.push_back(word);
        return number;
    }
};

}  // namespace

TEST(an_empty_table_finds_nothing) {
    const core::KeyNumbers<std::uint64_t, Spread> table;
    CHECK_EQUAL(table.size(), 0u);
    CHECK_EQUAL(table.find(0), core::no_number);
    CHECK_EQUAL(core::HashIndex().find(5, [](std::uint32_t) { return true; }), core::no_number);
}

TEST(a_table_is_a_map_that_numbers) {
    compare_with_map<Spread>(1, 10, 20, 10);
    compare_with_map<Spread>(2, 1000, 20, 0);
    compare_with_map<Spread>(3, std::uint64_t{1} << 60, 20, 400);
    compare_with_map<Crowded>(4, 50, 10, 3);
}

TEST(keys_that_look_like_free_slots_are_keys) {
    core::KeyNumbers<std::uint64_t, Spread> table;
    const std::uint64_t largest = ~std::uint64_t{0};
    CHECK_EQUAL(table.find(0), core::no_number);
    CHECK_EQUAL(table.intern(0), 0u);
    CHECK_EQUAL(table.find(largest), core::no_number);
    CHECK_EQUAL(table.intern(largest), 1u);
    CHECK_EQUAL(table.find(0), 0u);
    CHECK_EQUAL(table.find(largest), 1u);
}

TEST(clearing_forgets_at_every_size) {
    core::KeyNumbers<std::uint64_t, Spread> table;
    for (const std::size_t things : {3u, 1000u, 2u, 40u, 0u, 1000u, 5u}) {
        table.clear(things);
        for (std::uint64_t key = 0; key < 1000; ++key)
            CHECK_EQUAL(table.find(key), core::no_number);
        // More than expected is no mistake.
        for (std::uint64_t key = 0; key < 2 * things; ++key) CHECK_EQUAL(table.intern(key), key);
        for (std::uint64_t key = 0; key < 2 * things; ++key) CHECK_EQUAL(table.find(key), key);
    }
}

TEST(a_table_can_be_cleared_for_ever) {
    struct Aged : core::KeyNumbers<std::uint64_t, Spread> {
        // As after so many things as have `marks` marks.
        void age(core::Mark marks) {
            first_ = next_ = marks;
            clear();
        }
        core::Mark first() const { return first_; }
    };
    Aged table;
    table.clear(100);
    table.age(core::no_number - 300);
    core::Mark last = table.first();
    bool restarted = false;
    for (std::uint64_t round = 0; round < 20; ++round) {
        for (std::uint64_t key = 0; key < 50; ++key) {
            CHECK_EQUAL(table.find(key), core::no_number);
            CHECK_EQUAL(table.intern(key), key);
        }
        table.clear(round % 2 == 0 ? 100 : 60);
        restarted = restarted || table.first() < last;
        last = table.first();
    }
    CHECK(restarted);
}

TEST(a_table_that_is_old_can_grow) {
    struct Aged : core::KeyNumbers<std::uint64_t, Spread> {
        void age() {
            first_ = next_ = core::no_number - 20;
            clear();
        }
    };
    Aged table;
    table.clear(7);
    table.age();
    for (std::uint64_t key = 0; key < 1000; ++key) CHECK_EQUAL(table.intern(key), key);
    for (std::uint64_t key = 0; key < 1000; ++key) CHECK_EQUAL(table.find(key), key);
}

TEST(an_index_numbers_things_that_lie_elsewhere) {
    Words table;
    for (int round = 0; round < 3; ++round) {
        for (std::uint32_t n = 0; n < 500; ++n) {
            const std::string word = std::to_string(n * 37 + static_cast<std::uint32_t>(round));
            CHECK_EQUAL(table.find(word), core::no_number);
            CHECK_EQUAL(table.intern(word), n);
            CHECK_EQUAL(table.intern(word), n);
        }
        for (std::uint32_t n = 0; n < 500; ++n) CHECK_EQUAL(table.find(table.words[n]), n);
        CHECK_EQUAL(table.index.size(), 500u);
        table.index.clear();
        table.words.clear();
    }
}

TEST(slots_of_an_index_can_be_written_to_files) {
    Words table;
    for (int n = 0; n < 100; ++n) table.intern("word " + std::to_string(n));
    const std::vector<core::Mark>& slots = table.index.slots();
    CHECK_EQUAL(slots.size(), 256u);
    std::set<core::Mark> found(slots.begin(), slots.end());
    CHECK_EQUAL(found.size(), 101u);  // and 0, which is free
    CHECK_EQUAL(*found.rbegin(), 100u);
    const std::string word = "word 42";
    const std::size_t place =
        core::probe(slots.data(), slots.size() - 1, 1, Words::hash(word),
                    [&](core::Mark mark) { return table.words[mark - 1] == word; });
    CHECK_EQUAL(slots[place], 43u);
}

TEST(slots_are_half_empty_at_least) {
    CHECK_EQUAL(core::slots_for(0), 2u);
    CHECK_EQUAL(core::slots_for(1), 4u);
    CHECK_EQUAL(core::slots_for(7), 16u);
    CHECK_EQUAL(core::slots_for(8), 32u);
}

TEST(n_grams_are_equal_where_their_words_are) {
    core::GramTable table;
    const auto number = [&](std::vector<core::Token> words) {
        core::Gram gram = core::empty_gram;
        for (const core::Token word : words) gram = table.intern(gram, word);
        return gram;
    };
    const core::Gram one = number({1, 2, 3});
    CHECK_EQUAL(number({1, 2, 3}), one);
    CHECK(number({1, 3, 2}) != one);
    CHECK(number({2, 3}) != number({3}));
    CHECK_EQUAL(table.find(core::no_gram, 1), core::no_gram);
    CHECK_EQUAL(table.find(core::empty_gram, core::unknown), core::no_gram);
    CHECK_EQUAL(table.find(number({1, 2}), 3), one);
    table.clear(2);
    CHECK_EQUAL(table.find(core::empty_gram, 1), core::no_gram);
}

TEST(pairs_have_numbers_whether_few_or_many) {
    for (const std::size_t expected : {10u, 100000u}) {
        core::PairNumbers numbers;
        numbers.clear(50, expected);
        std::map<std::pair<core::Gram, core::Gram>, core::Gram> plain;
        std::mt19937 random(5);
        for (int step = 0; step < 2000; ++step) {
            const core::Gram first = static_cast<core::Gram>(random() % 50);
            const core::Gram second = static_cast<core::Gram>(random() % 50);
            const auto known = plain.find({first, second});
            CHECK_EQUAL(numbers.find(first, second),
                        known == plain.end() ? core::no_gram : known->second);
            const auto next = static_cast<core::Gram>(plain.size());
            CHECK_EQUAL(numbers.intern(first, second),
                        plain.try_emplace({first, second}, next).first->second);
        }
        CHECK_EQUAL(numbers.find(core::no_gram, 1), core::no_gram);
        CHECK_EQUAL(numbers.find(1, core::no_gram), core::no_gram);
    }
}

}  // namespace tertium::tests
