#include <cmath>
#include <set>

#include "fuzz/segment.hpp"
#include "fuzz/target.hpp"
#include "metrics/order/ribes.hpp"
#include "metrics/order/word_order.hpp"

namespace tertium::fuzz {

using namespace metrics::order;

// Words correspond to equal words, pairs are counted one by one; a score is within its bounds, and
// a text that is its reference has the best.
FUZZ_TARGET(order) {
    const FuzzSegment given(input, 3, 400);
    WordOrder order;
    for (std::size_t r = 0; r < given.references(); ++r) {
        const core::Tokens reference = given.reference(r);
        const auto found = order.correspondence(given.hypothesis(), reference, given.vocabulary());
        const std::vector<std::uint32_t> positions(found.begin(), found.end());
        EXPECT(positions.size() <= given.hypothesis().size());
        std::size_t word = 0;
        for (const std::uint32_t position : positions) {
            EXPECT(position < reference.size());
            while (word < given.hypothesis().size() &&
                   given.hypothesis()[word] != reference[position]) {
                ++word;
            }
            EXPECT(word++ < given.hypothesis().size());
        }
        std::uint64_t rising = 0;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            for (std::size_t k = i + 1; k < positions.size(); ++k) {
                rising += positions[i] < positions[k];
            }
        }
        EXPECT(order.increasing_pairs(positions) == rising);
    }
    RibesKernel kernel(0.25, 0.1);
    double row[RibesKernel::columns];
    kernel(given.segment(), row);
    for (const double value : row) EXPECT(value >= 0 && value <= 1 + 1e-12);
}

}  // namespace tertium::fuzz
