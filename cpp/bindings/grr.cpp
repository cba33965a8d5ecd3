#include "metrics/edit/grr.hpp"

#include <string>

#include "bindings/convert.hpp"

namespace tertium::bindings {
using namespace metrics::edit;

namespace {

Rows grr_statistics(const Texts& hypotheses, const References& references, std::int64_t k,
                    double alpha, double beta) {
    const GramWeights weights(k, alpha, beta);
    return segment_rows(hypotheses, references, grr_columns, [&] {
        return [&weights, scratch = GrrScratch{}](const Segment& segment, double* row) mutable {
            grr_row(segment, weights, scratch, row);
        };
    });
}

// The automaton's best path of one segment against each of its references.
nb::list grr_paths(const Texts& hypotheses, const References& references, std::size_t index,
                   std::int64_t k, double alpha, double beta) {
    const InterruptScope interrupts;
    const GramWeights weights(k, alpha, beta);
    const OneSegment segment(hypotheses, references, index);
    nb::list out;
    for (const Tokens reference : segment->references) {
        nb::list steps;
        for (const GrrStep& step : grr_path(segment->hypothesis, reference, weights)) {
            const std::string letter(1, move_letters[static_cast<std::size_t>(step.move)]);
            steps.append(
                nb::make_tuple(letter, step.hypothesis, step.reference, step.run, step.weight));
        }
        out.append(steps);
    }
    return out;
}

}  // namespace

void bind_grr(nb::module_& module) {
    module.def("grr_statistics", &grr_statistics, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("k"), nb::arg("alpha"), nb::arg("beta"),
               "Weighted numerator and weight.");
    module.def(
        "grr_paths", &grr_paths, nb::arg("hypotheses"), nb::arg("references"), nb::arg("index"),
        nb::kw_only(), nb::arg("k"), nb::arg("alpha"), nb::arg("beta"),
        nb::sig("def grr_paths(hypotheses: Texts, references: TokenizedReferences, index: int, *, "
                "k: int, alpha: float, beta: float) "
                "-> list[list[tuple[str, int, int, int, float]]]"),
        "Best path of one segment: move, hypothesis place, reference place, run, weight.");
}

}  // namespace tertium::bindings
