#include "metrics/ngram/chrf.hpp"

#include "bindings/convert.hpp"

namespace tertium::bindings {
using namespace metrics::ngram;

namespace {

Rows chrf_statistics(const Texts& hypotheses, const std::vector<const Texts*>& references,
                     std::size_t character_order, std::size_t word_order, double beta,
                     bool whitespace, bool every_order) {
    for (const Texts* column : references) check_equal_sizes(hypotheses, column->size());
    const ChrfOptions options{character_order, word_order, beta, whitespace, every_order};
    const std::size_t columns = ChrfKernel::columns(options);
    return make_rows(hypotheses.size(), columns, [&](double* rows) {
        for_each_block(hypotheses.size(), 128, [&] {
            return [&, kernel = ChrfKernel(options)](std::size_t begin, std::size_t end) mutable {
                for (std::size_t i = begin; i < end; ++i) {
                    kernel(hypotheses[i], references, i, rows + i * columns);
                }
            };
        });
    });
}

}  // namespace

void bind_chrf(nb::module_& module) {
    module.def("chrf_statistics", &chrf_statistics, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("character_order"), nb::arg("word_order"), nb::arg("beta"),
               nb::arg("whitespace"), nb::arg("every_order"),
               "Hypothesis n-grams, reference n-grams and matches of each order.");
}

}  // namespace tertium::bindings
