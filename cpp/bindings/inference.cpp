#include "bindings/convert.hpp"
#include "inference/resampling.hpp"

namespace tertium::bindings {
using namespace inference;

namespace {

using RowsArgument = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <auto sums>
Rows sums_of_trials(const PackedRows& rows, std::uint64_t seed, std::uint64_t stream,
                    std::uint64_t first, std::size_t trials) {
    return make_rows(rows.columns(), trials, [&](double* result) {
        sums(rows, TrialRange{seed, stream, first, trials}, result);
    });
}

}  // namespace

void bind_inference(nb::module_& module) {
    nb::class_<PackedRows>(module, "PackedRows",
                           "Rows of statistics, laid out for adding up random choices of them.")
        .def(
            "__init__",
            [](PackedRows* self, const RowsArgument& rows) {
                const Unlocked unlocked;
                new (self) PackedRows(rows.data(), rows.shape(0), rows.shape(1));
            },
            nb::arg("rows"))
        .def("resampled_sums", &sums_of_trials<resampled_sums>, nb::kw_only(), nb::arg("seed"),
             nb::arg("stream"), nb::arg("first"), nb::arg("trials"),
             "For each column and trial the sum of as many rows as there are, drawn with "
             "replacement.")
        .def("tossed_sums", &sums_of_trials<tossed_sums>, nb::kw_only(), nb::arg("seed"),
             nb::arg("stream"), nb::arg("first"), nb::arg("trials"),
             "For each column and trial the sum of the rows whose coin showed heads.");
}

}  // namespace tertium::bindings
