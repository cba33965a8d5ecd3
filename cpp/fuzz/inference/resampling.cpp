#include "inference/resampling.hpp"

#include "fuzz/target.hpp"
#include "inference/random.hpp"

namespace tertium::fuzz {

using namespace inference;

// Sums over random choices are those of a loop over the rows, to the last bit: statistics are
// halves or large whole numbers, of which sums are exact in any order.
FUZZ_TARGET(resampling) {
    const std::size_t columns = 1 + input.below(12);
    const std::uint64_t seed = input.byte();
    const std::size_t again = 1 + input.below(12);
    std::vector<double> once, rows;
    while (!input.empty() && once.size() < 300) {
        const std::uint8_t kind = input.byte();
        once.push_back(kind % 16 == 0  ? input.number() * 1e6
                       : kind % 4 == 0 ? input.number()
                                       : kind);
    }
    once.resize((once.size() / columns + 1) * columns);
    for (std::size_t i = 0; i < again; ++i) rows.insert(rows.end(), once.begin(), once.end());
    const std::size_t segments = rows.size() / columns, trials = 5;
    const PackedRows packed(rows.data(), segments, columns);
    const TrialRange range{seed, 1, 3, trials};
    std::vector<double> drawn(columns * trials), tossed(columns * trials), part(columns * 2);
    resampled_sums(packed, range, drawn.data());
    tossed_sums(packed, range, tossed.data());
    const NumbersBelow places(static_cast<std::uint32_t>(segments));
    for (std::size_t trial = 0; trial < trials; ++trial) {
        std::vector<double> sums(columns);
        TrialRandom random(seed, 1, 3 + trial);
        places.draw(random, segments, [&](std::uint32_t place) {
            for (std::size_t c = 0; c < columns; ++c) sums[c] += rows[place * columns + c];
        });
        std::vector<double> heads(columns);
        TrialRandom coin(seed, 1, 3 + trial);
        std::uint64_t bits = 0;
        for (std::size_t s = 0; s < segments; ++s) {
            if (s % 64 == 0) bits = coin.bits();
            if ((bits >> s % 64 & 1) == 0) continue;
            for (std::size_t c = 0; c < columns; ++c) heads[c] += rows[s * columns + c];
        }
        for (std::size_t c = 0; c < columns; ++c) {
            EXPECT(drawn[c * trials + trial] == sums[c]);
            EXPECT(tossed[c * trials + trial] == heads[c]);
        }
    }
    // Trials are the same in whatever range they are asked for.
    resampled_sums(packed, {seed, 1, 5, 2}, part.data());
    for (std::size_t c = 0; c < columns; ++c) {
        EXPECT(part[2 * c] == drawn[c * trials + 2] && part[2 * c + 1] == drawn[c * trials + 3]);
    }
}

}  // namespace tertium::fuzz
