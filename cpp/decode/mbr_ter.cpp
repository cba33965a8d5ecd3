#include "decode/mbr_ter.hpp"

#include "parallel.hpp"

namespace tertium {

void ter_totals(const PairTokens& pairs, const TerLimits& limits, double* rows) {
    const std::size_t references = pairs.references.size();
    for_each_block(references, 1, [&] {
        return [&, search = TerSearch(limits), numbers = ReferenceNumbers(pairs.vocabulary)](
                   std::size_t begin, std::size_t end) mutable {
            for (std::size_t r = begin; r < end; ++r) {
                numbers.define(pairs.references[r]);
                search.set_reference(numbers.reference(), numbers.size());
                for (std::size_t h = 0; h < pairs.hypotheses.size(); ++h) {
                    const std::int64_t edits = search.total(numbers.translate(pairs.hypotheses[h]));
                    double* const row = rows + (h * references + r) * ter_total_columns;
                    row[0] = static_cast<double>(edits);
                    row[1] = static_cast<double>(numbers.reference().size());
                }
            }
        };
    });
}

}  // namespace tertium
