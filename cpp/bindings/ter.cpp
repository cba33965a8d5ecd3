#include "metrics/edit/ter.hpp"

#include <string>

#include "bindings/convert.hpp"
#include "metrics/edit/tercom_search.hpp"
#include "text/tokens/tercom_tokens.hpp"

namespace tertium::bindings {
using namespace metrics::edit;

namespace {

// One letter per step: '=' match, 'S' substitution, 'I' insertion, 'D' deletion.
constexpr char edit_letters[] = {'=', 'S', 'I', 'D'};

std::int64_t at_least(std::int64_t least, std::int64_t value, const char* name) {
    if (value >= least) return value;
    throw std::invalid_argument(std::string(name) + ": found " + std::to_string(value) +
                                ", expected at least " + std::to_string(least));
}

TerLimits limits(std::int64_t shift_length, std::int64_t shift_distance, std::int64_t beam,
                 std::int64_t shifts_tried) {
    return {at_least(0, shift_length, "shift_length"),
            at_least(0, shift_distance, "shift_distance"), at_least(1, beam, "beam"),
            at_least(1, shifts_tried, "shifts_tried")};
}

Rows ter_statistics(const Texts& hypotheses, const References& references, bool original,
                    std::int64_t shift_length, std::int64_t shift_distance, std::int64_t beam,
                    std::int64_t shifts_tried) {
    const TerLimits chosen = limits(shift_length, shift_distance, beam, shifts_tried);
    if (original) {
        return segment_rows(hypotheses, references, ter_columns,
                            [&] { return TercomSearch(chosen); });
    }
    return segment_rows(hypotheses, references, ter_columns, [&] { return TerSearch(chosen); });
}

nb::tuple path_tuple(const TerPath& path) {
    nb::list shifts;
    for (const Shift& shift : path.shifts) {
        shifts.append(nb::make_tuple(shift.start, shift.length, shift.to()));
    }
    std::string letters;
    for (const Edit edit : path.edits) {
        letters.push_back(edit_letters[static_cast<std::size_t>(edit)]);
    }
    return nb::make_tuple(shifts, letters);
}

// How one segment becomes each of its references.
nb::list ter_paths(const Texts& hypotheses, const References& references, std::size_t index,
                   bool original, std::int64_t shift_length, std::int64_t shift_distance,
                   std::int64_t beam, std::int64_t shifts_tried) {
    const InterruptScope interrupts;
    const TerLimits chosen = limits(shift_length, shift_distance, beam, shifts_tried);
    const OneSegment segment(hypotheses, references, index);
    nb::list out;
    TerPath path;
    for (const Tokens reference : segment->references) {
        if (original) {
            TercomSearch(chosen).search(segment->hypothesis, reference, path);
        } else {
            TerSearch(chosen).search(segment->hypothesis, reference, segment->vocabulary, path);
        }
        out.append(path_tuple(path));
    }
    return out;
}

}  // namespace

void bind_ter(nb::module_& module) {
    module.def("ter_statistics", &ter_statistics, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("original"), nb::arg("shift_length"),
               nb::arg("shift_distance"), nb::arg("beam"), nb::arg("shifts_tried"),
               "Edits, reference length, insertions, deletions, substitutions, shifts; as "
               "sacreBLEU searches them, or as tercom (the original) does.");
    module.def(
        "ter_paths", &ter_paths, nb::arg("hypotheses"), nb::arg("references"), nb::arg("index"),
        nb::kw_only(), nb::arg("original"), nb::arg("shift_length"), nb::arg("shift_distance"),
        nb::arg("beam"), nb::arg("shifts_tried"),
        nb::sig("def ter_paths(hypotheses: Texts, references: TokenizedReferences, index: int, *, "
                "original: bool, shift_length: int, shift_distance: int, beam: int, "
                "shifts_tried: int) -> list[tuple[list[tuple[int, int, int]], str]]"),
        "One segment against each reference: shifts (from, length, to), and after them a "
        "letter of '=SID' a step.");
    module.def(
        "tercom_texts",
        [](const Texts& texts, bool normalized, bool punctuation, bool asian, bool original) {
            const Unlocked unlocked;
            return tercom_texts(texts, {normalized, punctuation, asian, original});
        },
        nb::arg("texts"), nb::kw_only(), nb::arg("normalized"), nb::arg("punctuation"),
        nb::arg("asian"), nb::arg("original"),
        "The words of every segment as sacreBLEU or tercom (the original) cuts them, joined.");
}

}  // namespace tertium::bindings
