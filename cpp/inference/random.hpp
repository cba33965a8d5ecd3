// Random numbers of one trial: they depend on the seed, the stream and the trial's number alone,
// so that neither threads nor the order of work can change them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace tertium::inference {

// xoshiro256++ (Blackman & Vigna 2021), started from splitmix64 as its authors advise.
class TrialRandom {
  public:
    TrialRandom(std::uint64_t seed, std::uint64_t stream, std::uint64_t trial) {
        std::uint64_t key = mixed(mixed(mixed(seed + step) + stream + step) + trial);
        for (std::uint64_t& word : state_) word = mixed(key += step);
    }

    std::uint64_t bits() {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

  private:
    static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;

    static std::uint64_t mixed(std::uint64_t word) {
        word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
        word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
        return word ^ (word >> 31);
    }

    std::array<std::uint64_t, 4> state_;
};

// Whole numbers below a bound, all equally likely (Lemire 2019); 64 random bits give two.
class NumbersBelow {
  public:
    // `bound` is at least 1.
    explicit NumbersBelow(std::uint32_t bound) : bound_(bound), biased_((0u - bound) % bound) {}

    // Calls take(number) `count` times.
    template <class Take>
    void draw(TrialRandom& random, std::size_t count, Take&& take) const {
        std::size_t taken = 0;
        while (taken < count) {
            const std::uint64_t bits = random.bits();
            for (const std::uint32_t half :
                 {static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)}) {
                const std::uint64_t product = static_cast<std::uint64_t>(half) * bound_;
                if (static_cast<std::uint32_t>(product) < biased_ || taken == count) continue;
                take(static_cast<std::uint32_t>(product >> 32));
                ++taken;
            }
        }
    }

  private:
    std::uint32_t bound_;
    std::uint32_t biased_;  // this many products would favour some numbers
};

}  // namespace tertium::inference
