#include "metrics/edit/terp.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>

#include <string>
#include <tuple>

#include "bindings/convert.hpp"
#include "core/parallel.hpp"
#include "text/interned.hpp"
#include "text/tokens/porter.hpp"

namespace tertium::bindings {
using namespace metrics::edit;

namespace {

// One letter per step, TERp's own but for '=': 'T' equal stems, 'Y' synonyms, 'P' a phrase.
constexpr char move_letters[] = {'=', 'S', 'I', 'D', 'T', 'Y', 'P'};

using Entry = std::tuple<std::vector<Token>, std::vector<Token>, double>;

void check_vocabulary(const Interned& corpus, const TerpLexicon& lexicon) {
    if (corpus.words().size() != lexicon.vocabulary()) {
        throw std::invalid_argument("found a lexicon of " + std::to_string(lexicon.vocabulary()) +
                                    " words, expected " + std::to_string(corpus.words().size()));
    }
}

void make_lexicon(TerpLexicon* self, std::size_t vocabulary, std::vector<Token> stems,
                  std::vector<std::vector<std::int32_t>> senses, const std::vector<bool>& stops,
                  const std::vector<Entry>& entries, const std::array<double, ter_moves>& costs,
                  double shift_cost, double beam, std::size_t shift_length,
                  std::size_t shift_distance, const std::array<double, 5>& phrase_cost) {
    std::vector<TerpLexicon::Entry> phrases;
    for (const auto& [reference, hypothesis, probability] : entries) {
        phrases.push_back({reference, hypothesis, probability});
    }
    const TerCosts chosen{costs, shift_cost, beam, shift_length, shift_distance};
    const auto [constant, logarithm, probability, edits, least] = phrase_cost;
    const Unlocked unlocked;
    new (self)
        TerpLexicon(vocabulary, {std::move(stems), std::move(senses), {stops.begin(), stops.end()}},
                    std::move(phrases), chosen, {constant, logarithm, probability, edits, least});
}

Rows terp_statistics(const Interned& corpus, const TerpLexicon& lexicon) {
    check_vocabulary(corpus, lexicon);
    return make_rows(corpus.size(), terp_columns, [&](double* rows) {
        for_each_block(corpus.size(), 64, [&] {
            return [&, kernel = TerpKernel(lexicon)](std::size_t begin, std::size_t end) mutable {
                for (std::size_t i = begin; i < end; ++i) {
                    kernel.row(corpus, i, rows + i * terp_columns);
                }
            };
        });
    });
}

// The first segments of the only column are hypotheses, the others references: row (h, r) is number
// h · references + r.
Rows terp_pairs(const Interned& corpus, const TerpLexicon& lexicon, std::size_t hypotheses) {
    check_vocabulary(corpus, lexicon);
    if (hypotheses > corpus.size()) {
        throw std::invalid_argument("found " + std::to_string(hypotheses) +
                                    " hypotheses, expected at most " +
                                    std::to_string(corpus.size()));
    }
    const std::size_t references = corpus.size() - hypotheses;
    return make_rows(hypotheses * references, terp_columns, [&](double* rows) {
        for_each_block(hypotheses, 1, [&] {
            return [&, kernel = TerpKernel(lexicon)](std::size_t h, std::size_t) mutable {
                for (std::size_t r = 0; r < references; ++r) {
                    kernel.compare(corpus.tokens(0, h), corpus.tokens(0, hypotheses + r),
                                   rows + (h * references + r) * terp_columns);
                }
            };
        });
    });
}

nb::list terp_paths(const Interned& corpus, const TerpLexicon& lexicon, std::size_t index) {
    const InterruptScope interrupts;
    check_vocabulary(corpus, lexicon);
    check_index(index, corpus.size());
    TerpKernel kernel(lexicon);
    WeightedTerPath path;
    nb::list out;
    for (std::size_t column = 1; column < corpus.columns(); ++column) {
        if (corpus.missing(column, index)) continue;
        kernel.search(corpus.tokens(0, index), corpus.tokens(column, index), path);
        nb::list shifts, steps;
        for (const Shift& shift : path.shifts) {
            shifts.append(nb::make_tuple(shift.start, shift.length, shift.to()));
        }
        for (const TerStep& step : path.steps) {
            const std::string letter(1, move_letters[static_cast<std::size_t>(step.move)]);
            steps.append(nb::make_tuple(letter, step.words, step.positions, step.cost));
        }
        out.append(nb::make_tuple(shifts, steps, path.cost));
    }
    return out;
}

}  // namespace

void bind_terp(nb::module_& module) {
    nb::class_<Interned>(module, "Interned", "Columns of text as ids over one vocabulary.")
        .def(
            "__init__",
            [](Interned* self, const std::vector<const Texts*>& columns) {
                const Unlocked unlocked;
                new (self) Interned(columns);
            },
            nb::arg("columns"))
        .def("__len__", &Interned::size)
        .def(
            "words",
            [](const Interned& corpus) {
                nb::list out;
                for (const std::string_view word : corpus.words()) {
                    out.append(nb::str(word.data(), word.size()));
                }
                return out;
            },
            nb::sig("def words(self) -> list[str]"), "The words, by id.");
    nb::class_<TerpLexicon>(module, "TerpLexicon",
                            "What TER-Plus knows of the words of a corpus, by id.")
        .def("__init__", &make_lexicon, nb::arg("vocabulary"), nb::kw_only(), nb::arg("stems"),
             nb::arg("senses"), nb::arg("stops"), nb::arg("phrases"), nb::arg("costs"),
             nb::arg("shift_cost"), nb::arg("beam"), nb::arg("shift_length"),
             nb::arg("shift_distance"), nb::arg("phrase_cost"));
    module.def(
        "porter_stems",
        [](const std::vector<std::string>& words, bool nltk) {
            std::vector<std::string> stems;
            for (const std::string& word : words) {
                stems.push_back(nltk ? nltk_porter_stem(word) : porter_stem(word));
            }
            return stems;
        },
        nb::arg("words"), nb::kw_only(), nb::arg("nltk") = false,
        "The stem of every word (Porter 1980), also with NLTK's additions; words in lower case.");
    module.def("terp_statistics", &terp_statistics, nb::arg("corpus"), nb::arg("lexicon"),
               "Cost, reference length, insertions, deletions, substitutions, stems, synonyms, "
               "phrases, shifts. The first column is the hypothesis.");
    module.def("terp_pairs", &terp_pairs, nb::arg("corpus"), nb::arg("lexicon"),
               nb::arg("hypotheses"),
               "The same of each of the first segments of one column with each of the others.");
    module.def("terp_paths", &terp_paths, nb::arg("corpus"), nb::arg("lexicon"), nb::arg("index"),
               nb::sig("def terp_paths(corpus: Interned, lexicon: TerpLexicon, index: int) -> "
                       "list[tuple[list[tuple[int, int, int]], "
                       "list[tuple[str, int, int, float]], float]]"),
               "One segment against each reference: shifts (from, length, to), steps (letter of "
               "'=SIDTYP', words, reference words, cost), and the whole cost.");
}

}  // namespace tertium::bindings
