#include "metrics/ngram/gtm.hpp"

#include "bindings/convert.hpp"

namespace tertium::bindings {
using namespace metrics::ngram;

void bind_gtm(nb::module_& module) {
    module.def(
        "gtm_statistics",
        [](const Texts& hypotheses, const References& references, double exponent) {
            return segment_rows(hypotheses, references, GtmKernel::columns,
                                [&] { return GtmKernel(exponent); });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::kw_only(), nb::arg("exponent"),
        "Match size, hypothesis length and mean reference length.");
}

}  // namespace tertium::bindings
