#include "core/lanes.hpp"

#include <algorithm>
#include <cstdint>
#include <random>

#include "tests/check.hpp"

namespace tertium::tests {
namespace {

// Every operation is that of each number by itself, as numbers of this type add up and wrap around.
template <class Number>
void compare_with_loop(unsigned seed) {
    using core::Lanes;
    constexpr std::size_t count = Lanes<Number>::count;
    CHECK_EQUAL(count * sizeof(Number), 16u);
    std::mt19937 random(seed);
    const auto draw = [&] { return static_cast<Number>(random() % 7); };
    for (int round = 0; round < 200; ++round) {
        Number one[count], other[count], sum[count], difference[count], most[count], least[count],
            chosen[count], same[count];
        for (std::size_t i = 0; i < count; ++i) {
            one[i] = draw();
            other[i] = draw();
        }
        const auto left = Lanes<Number>::load(one), right = Lanes<Number>::load(other);
        const Number number = draw();
        (left + right).store(sum);
        (left - right).store(difference);
        larger(left, right).store(most);
        smaller(left, right).store(least);
        where_equal(left, right, left + right, Lanes<Number>::all(number)).store(chosen);
        Lanes<Number>::all(number).store(same);
        for (std::size_t i = 0; i < count; ++i) {
            CHECK(sum[i] == static_cast<Number>(one[i] + other[i]));
            CHECK(difference[i] == static_cast<Number>(one[i] - other[i]));
            CHECK(most[i] == std::max(one[i], other[i]));
            CHECK(least[i] == std::min(one[i], other[i]));
            CHECK(chosen[i] == (one[i] == other[i] ? sum[i] : number));
            CHECK(same[i] == number);
        }
    }
}

}  // namespace

TEST(lanes_are_numbers_side_by_side) {
    compare_with_loop<std::uint8_t>(1);
    compare_with_loop<std::int16_t>(2);
    compare_with_loop<std::int32_t>(3);
    compare_with_loop<std::uint64_t>(4);
    compare_with_loop<double>(5);
}

TEST(lanes_are_read_and_written_at_any_place) {
    std::int16_t numbers[20], out[20] = {};
    for (std::int16_t i = 0; i < 20; ++i) numbers[i] = i;
    for (std::size_t place = 0; place + core::Lanes<std::int16_t>::count <= 20; ++place) {
        core::Lanes<std::int16_t>::load(numbers + place).store(out + place);
    }
    CHECK(std::equal(numbers, numbers + 20, out));
}

}  // namespace tertium::tests
