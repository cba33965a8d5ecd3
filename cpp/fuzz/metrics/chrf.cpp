#include "metrics/ngram/chrf.hpp"

#include <algorithm>
#include <cmath>

#include "decode/mbr/chrf_pairs.hpp"
#include "fuzz/target.hpp"

namespace tertium::fuzz {

using namespace metrics::ngram;

// A kernel's memory changes nothing; exchanging the texts exchanges the counts; the kernel and the
// one for all pairs agree.
FUZZ_TARGET(chrf) {
    const bool whitespace = input.flag(), every_order = input.flag();
    const ChrfOptions options{1 + input.below(12), input.below(3), 2, whitespace, every_order};
    const bool same_reference = input.flag();
    const std::size_t segments = 1 + input.below(4);
    const text::Texts hypotheses = input.texts(segments);
    text::Texts references = input.texts(same_reference ? 1 : segments);
    while (references.size() < segments) references.append(std::string(references[0]));
    const std::size_t columns = ChrfKernel::columns(options);
    ChrfKernel kernel(options), exchanging(options);
    std::vector<double> row(columns), exchanged(columns);
    kernel(hypotheses[0], {&references}, 0, row.data());
    const std::vector<double> first = row;
    std::vector<double> pairs(segments * segments);
    decode::mbr::ChrfPairs(hypotheses, references, options).utilities(pairs.data());
    for (std::size_t i = 0; i < segments; ++i) {
        kernel(hypotheses[i], {&references}, i, row.data());
        exchanging(references[i], {&hypotheses}, i, exchanged.data());
        for (std::size_t n = 0; n < options.orders(); ++n) {
            EXPECT(row[3 * n + 2] == exchanged[3 * n + 2]);
            // An order that a reference lacks is not counted in the hypothesis either.
            if (row[3 * n + 1] == 0 || exchanged[3 * n + 1] == 0) continue;
            EXPECT(row[3 * n] == exchanged[3 * n + 1] && row[3 * n + 1] == exchanged[3 * n]);
            EXPECT(row[3 * n + 2] <= std::min(row[3 * n], row[3 * n + 1]));
        }
        const double score = chrf_score(row.data(), options);
        EXPECT(score >= 0 && score <= 1 + 1e-12);
        // Texts of blanks have no statistics, and are perfect among pairs.
        const bool nothing = std::ranges::count(row, 0.0) == static_cast<std::ptrdiff_t>(columns);
        const double expected = nothing ? 100 : 100 * score;
        EXPECT(std::abs(pairs[i * segments + i] - expected) < 1e-9);
    }
    kernel(hypotheses[0], {&references}, 0, row.data());
    EXPECT(row == first);
}

}  // namespace tertium::fuzz
