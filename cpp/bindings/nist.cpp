#include "metrics/ngram/nist.hpp"

#include "bindings/convert.hpp"

namespace tertium::bindings {
using namespace metrics::ngram;

void bind_nist(nb::module_& module) {
    nb::class_<GramInformation>(module, "GramInformation",
                                "How much each n-gram of all references tells, in bits.")
        .def(
            "__init__",
            [](GramInformation* self, const References& references, std::size_t order,
               bool zero_is_no_history) {
                const Unlocked unlocked;
                new (self) GramInformation(references, order, zero_is_no_history);
            },
            nb::arg("references"), nb::arg("order"), nb::kw_only(), nb::arg("zero_is_no_history"));
    module.def(
        "nist_statistics",
        [](const Texts& hypotheses, const References& references,
           const GramInformation& information) {
            return indexed_rows(hypotheses, references, NistKernel::columns(information.order()),
                                [&] { return NistKernel(information, references); });
        },
        nb::arg("hypotheses"), nb::arg("references"), nb::arg("information"),
        "Information matched and n-grams of each order, hypothesis and mean reference length.");
}

}  // namespace tertium::bindings
