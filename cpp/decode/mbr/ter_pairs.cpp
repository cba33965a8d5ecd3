#include "decode/mbr/ter_pairs.hpp"

#include "core/parallel.hpp"

namespace tertium::decode::mbr {

void ter_totals(const PairTokens& pairs, const metrics::edit::TerLimits& limits, double* rows) {
    const std::size_t references = pairs.references.size();
    const std::size_t block = 1 + ter_pairs_at_once / (1 + pairs.hypotheses.size());
    core::for_each_block(references, block, [&] {
        return [&, search = metrics::edit::TerSearch(limits)](std::size_t begin,
                                                              std::size_t end) mutable {
            for (std::size_t r = begin; r < end; ++r) {
                const core::Tokens reference = pairs.references[r];
                search.set_reference(reference, pairs.vocabulary);
                for (std::size_t h = 0; h < pairs.hypotheses.size(); ++h) {
                    double* const row = rows + (h * references + r) * ter_total_columns;
                    row[0] = static_cast<double>(search.total(pairs.hypotheses[h]));
                    row[1] = static_cast<double>(reference.size());
                }
            }
        };
    });
}

}  // namespace tertium::decode::mbr
