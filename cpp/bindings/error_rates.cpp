#include "metrics/edit/error_rates.hpp"

#include <string>

#include "bindings/convert.hpp"
#include "metrics/edit/edit_distance.hpp"

namespace tertium::bindings {
using namespace metrics::edit;

namespace {

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
        return [chosen, scratch = ErrorRateScratch{}](const Segment& segment, double* row) mutable {
            wer_row(segment, chosen, scratch, row);
        };
    });
}

Rows per_statistics(const Texts& hypotheses, const References& references, bool clip_corpus) {
    const SurplusClip clip = clip_corpus ? SurplusClip::corpus : SurplusClip::segment;
    return segment_rows(hypotheses, references, per_columns(clip), [&] {
        return [clip, scratch = ErrorRateScratch{}](const Segment& segment, double* row) mutable {
            per_row(segment, clip, scratch, row);
        };
    });
}

// The edits of one segment against each of its references.
nb::list edit_alignments(const Texts& hypotheses, const References& references, std::size_t index) {
    const InterruptScope interrupts;
    const OneSegment segment(hypotheses, references, index);
    EditScratch scratch;
    nb::list out;
    for (const Tokens reference : segment->references) {
        std::string letters;
        for (const Edit edit :
             alignment(segment->hypothesis, reference, segment->vocabulary, scratch)) {
            letters.push_back(move_letters[static_cast<std::size_t>(edit)]);
        }
        out.append(letters);
    }
    return out;
}

}  // namespace

void bind_error_rates(nb::module_& module) {
    module.def("wer_statistics", &wer_statistics, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("choice"), "Insertions, deletions, substitutions, length.");
    module.def("per_statistics", &per_statistics, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("clip_corpus"),
               "Errors and length, or matches and both lengths when clipped for the corpus.");
    module.def("edit_alignments", &edit_alignments, nb::arg("hypotheses"), nb::arg("references"),
               nb::arg("index"),
               nb::sig("def edit_alignments(hypotheses: Texts, references: TokenizedReferences, "
                       "index: int) -> list[str]"),
               "Edits of one segment against each reference, a letter of '=SID' a step.");
}

}  // namespace tertium::bindings
