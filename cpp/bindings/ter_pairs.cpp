#include "decode/mbr/ter_pairs.hpp"

#include <algorithm>
#include <stdexcept>

#include "bindings/convert.hpp"
#include "decode/mbr/ter_intervals.hpp"
#include "decode/mbr/tokens.hpp"
#include "metrics/edit/tercom_search.hpp"

namespace tertium::bindings {
using namespace metrics::edit;
using namespace decode::mbr;

namespace {

using Numbers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::int32_t> view(const Numbers& numbers) {
    return {numbers.data(), numbers.shape(0)};
}

TerLimits limits(std::int64_t shift_length, std::int64_t shift_distance, std::int64_t beam,
                 std::int64_t shifts_tried) {
    if (std::min(shift_length, shift_distance) < 0 || std::min(beam, shifts_tried) < 1) {
        throw std::invalid_argument("TER: found a limit below its smallest value");
    }
    return {shift_length, shift_distance, beam, shifts_tried};
}

PairTokens tokens(const Texts& hypotheses, const Texts& references) {
    return pair_tokens(hypotheses, references, Tokenization::none);
}

Rows ter_pairs(const Texts& hypotheses, const Texts& references, bool original,
               std::int64_t shift_length, std::int64_t shift_distance, std::int64_t beam,
               std::int64_t shifts_tried) {
    const TerLimits chosen = limits(shift_length, shift_distance, beam, shifts_tried);
    const std::size_t pairs = hypotheses.size() * references.size();
    if (original) {
        return make_rows(pairs, ter_columns, [&](double* rows) {
            for_each_pair(tokens(hypotheses, references), ter_columns, rows,
                          [&] { return TercomSearch(chosen); });
        });
    }
    return make_rows(pairs, ter_total_columns, [&](double* rows) {
        ter_totals(tokens(hypotheses, references), chosen, rows);
    });
}

}  // namespace

void bind_ter_pairs(nb::module_& module) {
    const auto hypotheses = nb::arg("hypotheses");
    const auto references = nb::arg("references");
    const auto only = nb::kw_only();
    const auto original = nb::arg("original");
    const auto length = nb::arg("shift_length");
    const auto distance = nb::arg("shift_distance");
    const auto beam = nb::arg("beam");
    const auto tried = nb::arg("shifts_tried");
    module.def("ter_pairs", &ter_pairs, hypotheses, references, only, original, length, distance,
               beam, tried, "Statistics of all pairs, by hypothesis, then by reference.");
    nb::class_<TerIntervals>(module, "TerIntervals",
                             "Between what numbers of edits all pairs lie, and those of some.")
        .def(
            "__init__",
            [](TerIntervals* self, const Texts& hypotheses, const Texts& references, bool original,
               std::int64_t shift_length, std::int64_t shift_distance, std::int64_t beam,
               std::int64_t shifts_tried) {
                const TerLimits chosen = limits(shift_length, shift_distance, beam, shifts_tried);
                const Unlocked unlocked;
                new (self) TerIntervals(tokens(hypotheses, references), chosen, original);
            },
            hypotheses, references, only, original, length, distance, beam, tried)
        .def(
            "bounds",
            [](const TerIntervals& self, const Numbers& hypotheses, std::size_t begin,
               std::size_t end) {
                const std::size_t pairs = hypotheses.shape(0) * (std::max(begin, end) - begin);
                return make_rows(2 * pairs, ter_total_columns, [&](double* rows) {
                    self.bounds(view(hypotheses), begin, end, rows);
                });
            },
            hypotheses, nb::arg("begin"), nb::arg("end"),
            nb::sig("def bounds(self, hypotheses: numpy.typing.NDArray[numpy.int32], begin: int, "
                    "end: int) -> numpy.typing.NDArray[numpy.float64]"),
            "Edits and reference length, at the fewest and then at the most, of some hypotheses "
            "against a range of references.")
        .def(
            "edits",
            [](const TerIntervals& self, const Numbers& hypotheses, const Numbers& references) {
                return make_rows(hypotheses.shape(0), ter_total_columns, [&](double* rows) {
                    self.edits(view(hypotheses), view(references), rows);
                });
            },
            hypotheses, references,
            nb::sig("def edits(self, hypotheses: numpy.typing.NDArray[numpy.int32], "
                    "references: numpy.typing.NDArray[numpy.int32]) "
                    "-> numpy.typing.NDArray[numpy.float64]"),
            "Edits and reference length of pairs.");
}

}  // namespace tertium::bindings
