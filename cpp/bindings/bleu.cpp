#include "metrics/ngram/bleu.hpp"

#include "bindings/convert.hpp"

namespace tertium::bindings {
using namespace metrics::ngram;

void bind_bleu(nb::module_& module) {
    module.def(
        "bleu_statistics",
        [](const Texts& hypotheses, const References& references, std::size_t order,
           const std::string& reference_length, bool covered) {
            const BleuKernel kernel(order, reference_length_named(reference_length), covered);
            return segment_rows(hypotheses, references, BleuKernel::columns(order, covered),
                                [&] { return kernel; });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::kw_only(), nb::arg("order"),
        nb::arg("reference_length"), nb::arg("covered"),
        "Matches and totals of each order, hypothesis and reference length, and, if the covered "
        "length is asked for, the smaller one.");
}

}  // namespace tertium::bindings
