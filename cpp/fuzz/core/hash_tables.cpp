#include <map>
#include <utility>

#include "core/pair_numbers.hpp"
#include "fuzz/target.hpp"

namespace tertium::fuzz {
namespace {

// Few places, so that keys meet.
struct Crowding {
    std::uint64_t operator()(std::uint64_t key) const { return key % 5; }
};

}  // namespace

// Every table is a plain map that numbers in the order of arrival, whatever is asked in what order.
FUZZ_TARGET(hash_tables) {
    core::KeyNumbers<std::uint64_t, Crowding> numbers;
    std::map<std::uint64_t, std::uint32_t> plain;
    core::PairNumbers pairs;
    std::map<std::pair<core::Gram, core::Gram>, core::Gram> plain_pairs;
    pairs.clear(16, input.flag() ? 1000 : 4);
    while (!input.empty()) {
        const std::uint8_t what = input.byte();
        const std::uint64_t key = input.byte();
        const auto first = static_cast<core::Gram>(key % 16), second = static_cast<core::Gram>(key);
        const auto known = plain.find(key);
        const auto known_pair = plain_pairs.find({first, second});
        EXPECT(numbers.find(key) == (known == plain.end() ? core::no_number : known->second));
        EXPECT(pairs.find(first, second) ==
               (known_pair == plain_pairs.end() ? core::no_gram : known_pair->second));
        if (what < 8) {
            what % 2 != 0 ? numbers.clear(key) : numbers.clear();
            plain.clear();
        } else if (what < 160) {
            const auto next = static_cast<std::uint32_t>(plain.size());
            EXPECT(numbers.intern(key) == plain.try_emplace(key, next).first->second);
        } else if (what < 250) {
            const auto next = static_cast<core::Gram>(plain_pairs.size());
            EXPECT(pairs.intern(first, second) ==
                   plain_pairs.try_emplace({first, second}, next).first->second);
        } else {
            pairs.clear(16, what % 2 != 0 ? 1000 : 4);
            plain_pairs.clear();
        }
        EXPECT(numbers.size() == plain.size());
    }
}

}  // namespace tertium::fuzz
