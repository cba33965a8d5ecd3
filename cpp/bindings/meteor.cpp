#include "metrics/meteor/meteor.hpp"

#include <nanobind/stl/shared_ptr.h>

#include <memory>
#include <optional>
#include <string>

#include "bindings/convert.hpp"
#include "decode/mbr/meteor_pairs.hpp"
#include "metrics/meteor/normalizer.hpp"

namespace tertium::bindings {
using namespace metrics::meteor;
using namespace decode::mbr;

namespace {

using TableArray = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A table together with the array (mostly a mapped file) that it reads.
template <class Table>
struct Mapped {
    explicit Mapped(TableArray array)
        : memory(std::move(array)),
          table(std::as_bytes(std::span(memory.data(), memory.shape(0)))) {}
    TableArray memory;
    Table table;
};
using Lexicon = Mapped<MeteorLexicon>;
using Phrases = Mapped<MeteorPhrases>;

std::string_view view(const nb::bytes& data) {
    return {data.c_str(), data.size()};
}

nb::bytes to_bytes(const std::string& text) {
    return nb::bytes(text.data(), text.size());
}

Apostrophes apostrophes_named(const std::string& name) {
    if (name == "before") return Apostrophes::before;
    if (name == "behind") return Apostrophes::behind;
    if (name == "alone") return Apostrophes::alone;
    throw std::invalid_argument("apostrophes: found '" + name +
                                "', expected before, behind or alone");
}

constexpr const char* stage_names[] = {"exact", "stem", "synonym", "paraphrase"};

Stage stage_named(const std::string& name) {
    for (std::size_t s = 0; s < std::size(stage_names); ++s) {
        if (name == stage_names[s]) return static_cast<Stage>(s);
    }
    throw std::invalid_argument("stage: found '" + name +
                                "', expected exact, stem, synonym or paraphrase");
}

Texts normalize(const Texts& texts, const std::string& apostrophes, bool keep_punctuation,
                const Lexicon* lexicon) {
    const MeteorNormalizer prototype(apostrophes_named(apostrophes), keep_punctuation,
                                     lexicon ? &lexicon->table : nullptr);
    const Unlocked unlocked;
    constexpr std::size_t block = 256;
    std::vector<Texts> parts((texts.size() + block - 1) / block);
    for_each_block(texts.size(), block, [&] {
        return [&, normalizer = prototype](std::size_t begin, std::size_t end) mutable {
            Texts& part = parts[begin / block];
            for (std::size_t i = begin; i < end; ++i) {
                if (texts.missing(i)) {
                    part.append_missing();
                } else {
                    part.append(normalizer(texts[i]));
                }
            }
        };
    });
    Texts out;
    out.reserve(texts.size(), texts.byte_size());
    for (const Texts& part : parts) out.append(part, 0, part.size());
    return out;
}

MeteorParameters parameters_of(const std::vector<std::string>& stages,
                               const std::vector<double>& weights, double alpha, double beta,
                               double gamma, double delta, std::size_t beam, bool by_stage) {
    MeteorParameters parameters{alpha, beta, gamma, delta, {}, weights, beam, by_stage};
    for (const std::string& name : stages) parameters.stages.push_back(stage_named(name));
    return parameters;
}

Rows statistics(const MeteorWords& hypotheses, const MeteorWords& references,
                const std::vector<std::string>& stages, const std::vector<double>& weights,
                double alpha, double beta, double gamma, double delta, std::size_t beam,
                bool by_stage, const Phrases* phrases) {
    if (!hypotheses.continues(references) || hypotheses.columns() != 1) {
        throw std::invalid_argument(
            "hypotheses: expected one column whose base the references are");
    }
    if (hypotheses.size() != references.size()) {
        throw std::invalid_argument("hypotheses: " + std::to_string(hypotheses.size()) +
                                    " segments, expected " + std::to_string(references.size()) +
                                    " (references)");
    }
    const MeteorParameters parameters =
        parameters_of(stages, weights, alpha, beta, gamma, delta, beam, by_stage);
    const MeteorKernel prototype(parameters, phrases ? &phrases->table : nullptr);
    const std::size_t columns = MeteorKernel::columns(stages.size());
    return make_rows(hypotheses.size(), columns, [&](double* rows) {
        for_each_block(hypotheses.size(), 16, [&] {
            return [&, kernel = prototype](std::size_t begin, std::size_t end) mutable {
                for (std::size_t i = begin; i < end; ++i) {
                    kernel(hypotheses, references, i, rows + i * columns);
                }
            };
        });
    });
}

// Every hypothesis against every reference.
Rows pairs(const MeteorWords& hypotheses, const MeteorWords& references,
           const std::vector<std::string>& stages, const std::vector<double>& weights, double alpha,
           double beta, double gamma, double delta, std::size_t beam, const Phrases* phrases) {
    if (!hypotheses.continues(references) || hypotheses.columns() != 1 ||
        references.columns() != 1) {
        throw std::invalid_argument(
            "hypotheses: expected one column whose base the references are, one column too");
    }
    const MeteorParameters parameters =
        parameters_of(stages, weights, alpha, beta, gamma, delta, beam, false);
    const MeteorPhrases* table = phrases ? &phrases->table : nullptr;
    const MeteorKernel checked(parameters, table);
    return make_rows(
        hypotheses.size() * references.size(), MeteorKernel::columns(stages.size()),
        [&](double* rows) { MeteorPairs(hypotheses, references, parameters, table).rows(rows); });
}

// The alignment of one segment with each of its references: chunks, and for every match its
// stage, place and length in the hypothesis, place and length in the reference.
nb::list alignments(const MeteorWords& hypotheses, const MeteorWords& references,
                    std::size_t segment, const std::vector<std::string>& stages, std::size_t beam,
                    bool by_stage, const Phrases* phrases) {
    const InterruptScope interrupts;
    if (!hypotheses.continues(references) || hypotheses.columns() != 1 ||
        segment >= std::min(hypotheses.size(), references.size())) {
        throw std::invalid_argument(
            "hypotheses: expected one column whose base the references are, and a segment of it");
    }
    std::vector<Stage> wanted;
    for (const std::string& name : stages) wanted.push_back(stage_named(name));
    AnyAligner aligner(match_stages(wanted, phrases ? &phrases->table : nullptr), beam, by_stage);
    nb::list out;
    for (std::size_t r = 0; r < references.columns(); ++r) {
        if (references.missing(r, segment)) continue;
        nb::list matches;
        for (const Match& match : aligner.align(hypotheses, hypotheses.words(0, segment),
                                                references.words(r, segment))) {
            matches.append(nb::make_tuple(stage_names[static_cast<std::size_t>(match.stage)],
                                          match.hypothesis_start, match.hypothesis_length,
                                          match.start, match.length));
        }
        out.append(nb::make_tuple(aligner.chunks(), matches));
    }
    return out;
}

void bind_tables(nb::module_& module) {
    nb::class_<Lexicon>(module, "MeteorLexicon",
                        "Synonyms, function words and abbreviations, read where they lie.")
        .def(nb::init<TableArray>(), nb::arg("table"),
             nb::sig("def __init__(self, table: numpy.typing.NDArray[numpy.uint8]) -> None"))
        .def_prop_ro("checksum",
                     [](const Lexicon& self) { return std::string(self.table.checksum()); })
        .def(
            "synsets",
            [](const Lexicon& self, const std::string& word) {
                std::vector<std::uint32_t> found;
                self.table.synsets(word, found);
                return found;
            },
            nb::arg("word"), "The synonym sets of a word and of its base forms.");
    nb::class_<Phrases>(module, "MeteorPhrases", "Paraphrases, read where they lie.")
        .def(nb::init<TableArray>(), nb::arg("table"),
             nb::sig("def __init__(self, table: numpy.typing.NDArray[numpy.uint8]) -> None"))
        .def_prop_ro("checksum",
                     [](const Phrases& self) { return std::string(self.table.checksum()); })
        .def_prop_ro("entries", [](const Phrases& self) { return self.table.entries(); });
    module.def(
        "build_meteor_lexicon",
        [](const nb::bytes& synsets, const nb::bytes& exceptions, const nb::bytes& function_words,
           const nb::bytes& abbreviations, const std::string& checksum) {
            return to_bytes(MeteorLexicon::build(view(synsets), view(exceptions),
                                                 view(function_words), view(abbreviations),
                                                 checksum));
        },
        nb::kw_only(), nb::arg("synsets"), nb::arg("exceptions"), nb::arg("function_words"),
        nb::arg("abbreviations"), nb::arg("checksum"), "The bytes of a table for MeteorLexicon.");
    nb::class_<PhraseTableBuilder>(module, "PhraseTableBuilder",
                                   "Makes a table for MeteorPhrases from text in pieces.")
        .def(nb::init<>())
        .def(
            "feed",
            [](PhraseTableBuilder& self, const nb::bytes& piece) {
                const std::string_view text = view(piece);
                const Unlocked unlocked;
                self.feed(text);
            },
            nb::arg("piece"))
        .def(
            "finish",
            [](PhraseTableBuilder& self, const std::string& checksum) {
                std::string table;
                {
                    const Unlocked unlocked;
                    table = self.finish(checksum);
                }
                return to_bytes(table);
            },
            nb::arg("checksum"));
}

}  // namespace

void bind_meteor(nb::module_& module) {
    bind_tables(module);
    module.def("meteor_normalize", &normalize, nb::arg("texts"), nb::kw_only(),
               nb::arg("apostrophes"), nb::arg("keep_punctuation"), nb::arg("lexicon").none(),
               "Every segment tokenised as by Meteor's -norm, case kept.");
    nb::class_<MeteorWords>(module, "MeteorWords",
                            "Columns of text as numbered words; hypotheses build on references.")
        .def(
            "__init__",
            [](MeteorWords* self, const std::vector<const Texts*>& columns,
               std::shared_ptr<MeteorWords> base) {
                const Unlocked unlocked;
                new (self) MeteorWords(columns, std::move(base));
            },
            nb::arg("columns"), nb::arg("base").none())
        .def("fresh_words", &MeteorWords::fresh_words, "The words that the base does not have.")
        .def(
            "learn",
            [](MeteorWords& self, const Texts& lowercased, const Texts* stems,
               const Lexicon* lexicon, bool synonyms, const Phrases* phrases) {
                const Unlocked unlocked;
                self.learn(lowercased, stems, lexicon ? &lexicon->table : nullptr, synonyms,
                           phrases ? &phrases->table : nullptr);
            },
            nb::kw_only(), nb::arg("lowercased"), nb::arg("stems").none(),
            nb::arg("lexicon").none(), nb::arg("synonyms"), nb::arg("phrases").none(),
            "Look the fresh words up, once for the whole corpus.");
    module.def("meteor_statistics", &statistics, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("stages"), nb::arg("weights"), nb::arg("alpha"),
               nb::arg("beta"), nb::arg("gamma"), nb::arg("delta"), nb::arg("beam"),
               nb::arg("by_stage"), nb::arg("phrases").none(),
               "Lengths, function words, chunks, and for every stage the matched words.");
    module.def("meteor_pairs", &pairs, nb::arg("hypotheses"), nb::arg("references"), nb::kw_only(),
               nb::arg("stages"), nb::arg("weights"), nb::arg("alpha"), nb::arg("beta"),
               nb::arg("gamma"), nb::arg("delta"), nb::arg("beam"), nb::arg("phrases").none(),
               "The statistics of every hypothesis against every reference.");
    module.def("meteor_alignments", &alignments, nb::arg("hypotheses"), nb::arg("references"),
               nb::arg("segment"), nb::kw_only(), nb::arg("stages"), nb::arg("beam"),
               nb::arg("by_stage"), nb::arg("phrases").none(),
               nb::sig("def meteor_alignments(hypotheses: MeteorWords, references: MeteorWords, "
                       "segment: int, *, stages: Sequence[str], beam: int, by_stage: bool, "
                       "phrases: MeteorPhrases | None) "
                       "-> list[tuple[int, list[tuple[str, int, int, int, int]]]]"),
               "Chunks and matches of one segment against each of its references.");
}

}  // namespace tertium::bindings
