#include "metrics/order/ribes.hpp"

#include "bindings/convert.hpp"

namespace tertium::bindings {
using namespace metrics::order;

void bind_ribes(nb::module_& module) {
    module.def(
        "ribes_statistics",
        [](const Texts& hypotheses, const References& references, double alpha, double beta) {
            return segment_rows(hypotheses, references, RibesKernel::columns,
                                [&] { return RibesKernel(alpha, beta); });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::kw_only(), nb::arg("alpha"),
        nb::arg("beta"),
        "Score, rank correlation, precision and brevity penalty of the best reference, and 1.");
}

}  // namespace tertium::bindings
