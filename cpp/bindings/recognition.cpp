#include <string>

#include "bindings/convert.hpp"
#include "metrics/edit/edit_distance.hpp"
#include "metrics/edit/error_rates.hpp"
#include "metrics/edit/grr.hpp"

namespace tertium::bindings {
namespace {

// One letter per step: '=' match, 'S' substitution, 'I' insertion, 'D' deletion.
constexpr char move_letters[] = {'=', 'S', 'I', 'D'};

ReferenceChoice choice_named(const std::string& name) {
    if (name == "fewest-edits") return ReferenceChoice::fewest_edits;
    if (name == "best-rate") return ReferenceChoice::best_rate;
    throw std::invalid_argument("unknown reference choice '" + name +
                                "', expected fewest-edits or best-rate");
}

Rows wer_statistics(const Texts& hypotheses, const References& references,
                    const std::string& choice) {
    const ReferenceChoice chosen = choice_named(choice);
    return segment_rows(hypotheses, references, wer_columns, [&] {
        return
            [chosen, scratch = RecognitionScratch{}](const Segment& segment, double* row) mutable {
                wer_row(segment, chosen, scratch, row);
            };
    });
}

Rows per_statistics(const Texts& hypotheses, const References& references, bool clip_corpus) {
    const SurplusClip clip = clip_corpus ? SurplusClip::corpus : SurplusClip::segment;
    return segment_rows(hypotheses, references, per_columns(clip), [&] {
        return [clip, scratch = RecognitionScratch{}](const Segment& segment, double* row) mutable {
            per_row(segment, clip, scratch, row);
        };
    });
}

Rows grr_statistics(const Texts& hypotheses, const References& references, std::int64_t k,
                    double alpha, double beta) {
    const GramWeights weights(k, alpha, beta);
    return segment_rows(hypotheses, references, grr_columns, [&] {
        return [&weights, scratch = GrrScratch{}](const Segment& segment, double* row) mutable {
            grr_row(segment, weights, scratch, row);
        };
    });
}

// The edits of one segment against each of its references.
nb::list edit_alignments(const Texts& hypotheses, const References& references, std::size_t index) {
    const InterruptScope interrupts;
    check_sizes(hypotheses, references);
    if (index >= hypotheses.size()) throw nb::index_error("segment index out of range");
    Interner interner(references);
    const Segment segment = interner.segment(hypotheses[index], index);
    EditScratch scratch;
    nb::list out;
    for (const Tokens reference : segment.references) {
        std::string letters;
        for (const Edit edit :
             alignment(segment.hypothesis, reference, segment.vocabulary, scratch)) {
            letters.push_back(move_letters[static_cast<std::size_t>(edit)]);
        }
        out.append(letters);
    }
    return out;
}

// The automaton's best path of one segment against each of its references.
nb::list grr_paths(const Texts& hypotheses, const References& references, std::size_t index,
                   std::int64_t k, double alpha, double beta) {
    const InterruptScope interrupts;
    check_sizes(hypotheses, references);
    if (index >= hypotheses.size()) throw nb::index_error("segment index out of range");
    const GramWeights weights(k, alpha, beta);
    Interner interner(references);
    const Segment segment = interner.segment(hypotheses[index], index);
    nb::list out;
    for (const Tokens reference : segment.references) {
        nb::list steps;
        for (const GrrStep& step : grr_path(segment.hypothesis, reference, weights)) {
            const std::string letter(1, move_letters[static_cast<std::size_t>(step.move)]);
            steps.append(
                nb::make_tuple(letter, step.hypothesis, step.reference, step.run, step.weight));
        }
        out.append(steps);
    }
    return out;
}

}  // namespace

void bind_recognition(nb::module_& module) {
    module.def("wer_statistics", &wer_statistics, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("choice"), "Insertions, deletions, substitutions, length.");
    module.def("per_statistics", &per_statistics, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("clip_corpus"),
               "Errors and length, or matches and both lengths when clipped for the corpus.");
    module.def("grr_statistics", &grr_statistics, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("k"), nb::arg("alpha"), nb::arg("beta"),
               "Weighted numerator and weight.");
    module.def("edit_alignments", &edit_alignments, nb::arg("hypotheses"), nb::arg("references"),
               nb::arg("index"),
               nb::sig("def edit_alignments(hypotheses: Texts, references: References, "
                       "index: int) -> list[str]"),
               "Edits of one segment against each reference, a letter of '=SID' a step.");
    module.def("grr_paths", &grr_paths, nb::arg("hypotheses"), nb::arg("references"),
               nb::arg("index"), nb::kw_only(), nb::arg("k"), nb::arg("alpha"), nb::arg("beta"),
               nb::sig("def grr_paths(hypotheses: Texts, references: References, index: int, *, "
                       "k: int, alpha: float, beta: float) "
                       "-> list[list[tuple[str, int, int, int, float]]]"),
               "Best path of one segment: move, hypothesis place, reference place, run, weight.");
}

}  // namespace tertium::bindings
