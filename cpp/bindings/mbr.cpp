#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "bindings/convert.hpp"
#include "decode/mbr/bleu_pairs.hpp"
#include "decode/mbr/chrf_pairs.hpp"
#include "decode/mbr/forest_posteriors.hpp"
#include "decode/mbr/linear_bleu.hpp"
#include "decode/mbr/tokens.hpp"
#include "metrics/edit/error_rates.hpp"
#include "metrics/edit/grr.hpp"
#include "metrics/ngram/rouge.hpp"

namespace tertium::bindings {
using namespace metrics::ngram;
using namespace metrics::edit;
using namespace decode::mbr;

namespace {

using Probabilities = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Rows bleu_utilities(const Texts& hypotheses, const Texts& references, const std::string& tokenizer,
                    std::size_t order, const std::vector<double>& weights,
                    const std::string& smoothing, double value, bool effective_order,
                    bool arithmetic, bool strict_brevity) {
    const Tokenization tokenization = tokenization_named(tokenizer);
    const BleuFormula formula{order,         weights,         bleu_smoothing_named(smoothing),
                              value,         effective_order, arithmetic,
                              strict_brevity};
    return make_rows(hypotheses.size(), references.size(), [&](double* scores) {
        BleuPairs(hypotheses, references, tokenization, order).utilities(formula, scores);
    });
}

Rows bleu_against_mean(const Texts& hypotheses, const Texts& references,
                       const Probabilities& probabilities, const std::string& tokenizer,
                       std::size_t order) {
    const Tokenization tokenization = tokenization_named(tokenizer);
    const std::span weights(probabilities.data(), probabilities.shape(0));
    return make_rows(hypotheses.size(), 2 * order + 3, [&](double* rows) {
        BleuPairs(hypotheses, references, tokenization, order).against_mean(weights, rows);
    });
}

Rows chrf_utilities(const Texts& hypotheses, const Texts& references, std::size_t character_order,
                    std::size_t word_order, double beta, bool whitespace, bool every_order) {
    const ChrfOptions options{character_order, word_order, beta, whitespace, every_order};
    return make_rows(hypotheses.size(), references.size(), [&](double* scores) {
        ChrfPairs(hypotheses, references, options).utilities(scores);
    });
}

Rows chrf_against_mean(const Texts& hypotheses, const Texts& references,
                       const Probabilities& probabilities, std::size_t character_order,
                       std::size_t word_order, double beta, bool whitespace, bool every_order) {
    const ChrfOptions options{character_order, word_order, beta, whitespace, every_order};
    const std::span weights(probabilities.data(), probabilities.shape(0));
    return make_rows(hypotheses.size(), ChrfKernel::columns(options), [&](double* rows) {
        ChrfPairs(hypotheses, references, options).against_mean(weights, rows);
    });
}

// Statistics of a kernel(segment, row) for all pairs, (hypotheses · references) × columns.
template <class ReadPairs, class MakeKernel>
Rows pair_rows(const Texts& hypotheses, const Texts& references, std::size_t columns,
               ReadPairs&& read, MakeKernel&& make_kernel) {
    return make_rows(hypotheses.size() * references.size(), columns,
                     [&](double* rows) { for_each_pair(read(), columns, rows, make_kernel); });
}

template <class MakeKernel>
Rows word_rows(const Texts& hypotheses, const Texts& references, const std::string& tokenizer,
               std::size_t columns, MakeKernel&& make_kernel) {
    const Tokenization tokenization = tokenization_named(tokenizer);
    return pair_rows(
        hypotheses, references, columns,
        [&] { return pair_tokens(hypotheses, references, tokenization); }, make_kernel);
}

// With one reference a segment has nothing to choose from.
Rows wer_pairs(const Texts& hypotheses, const Texts& references, const std::string& tokenizer) {
    return word_rows(hypotheses, references, tokenizer, wer_columns, [] {
        return [scratch = ErrorRateScratch{}](const Segment& segment, double* row) mutable {
            wer_row(segment, ReferenceChoice::fewest_edits, scratch, row);
        };
    });
}

Rows per_pairs(const Texts& hypotheses, const Texts& references, const std::string& tokenizer,
               bool clip_corpus) {
    const SurplusClip clip = clip_corpus ? SurplusClip::corpus : SurplusClip::segment;
    return word_rows(hypotheses, references, tokenizer, per_columns(clip), [&] {
        return [clip, scratch = ErrorRateScratch{}](const Segment& segment, double* row) mutable {
            per_row(segment, clip, scratch, row);
        };
    });
}

Rows grr_pairs(const Texts& hypotheses, const Texts& references, const std::string& tokenizer,
               std::int64_t k, double alpha, double beta) {
    const GramWeights weights(k, alpha, beta);
    return word_rows(hypotheses, references, tokenizer, grr_columns, [&] {
        return [&weights, scratch = GrrScratch{}](const Segment& segment, double* row) mutable {
            grr_row(segment, weights, scratch, row);
        };
    });
}

bool blank(const Texts& texts, std::size_t text) {
    return without_trailing_blanks(texts[text]).empty();
}

template <class Measure>
Rows rouge_rows_of(const Texts& hypotheses, const Texts& references, const std::string& text,
                   double alpha, const Measure& measure) {
    const RougeText kind = rouge_text_named(text);
    const RougeScoring scoring{false, alpha};
    return make_rows(hypotheses.size() * references.size(), rouge_columns, [&](double* rows) {
        const PairTokens pairs = pair_rouge_words(hypotheses, references, kind);
        for_each_pair(pairs, rouge_columns, rows, [&] {
            return [&, measure = measure](const Segment& segment, double* row) mutable {
                rouge_row(segment, scoring, measure, row);
            };
        });
        // A pair of empty texts has no statistics at all.
        for (std::size_t h = 0; h < hypotheses.size(); ++h) {
            if (!blank(hypotheses, h)) continue;
            for (std::size_t r = 0; r < references.size(); ++r) {
                if (!blank(references, r)) continue;
                std::fill_n(rows + (h * references.size() + r) * rouge_columns, rouge_columns, 0.0);
            }
        }
    });
}

Rows rouge_n_pairs(const Texts& hypotheses, const Texts& references, const std::string& text,
                   double alpha, std::size_t order) {
    if (order == 0) throw std::invalid_argument("ROUGE-N: order 0, expected at least 1");
    return rouge_rows_of(hypotheses, references, text, alpha, RougeGrams(order));
}

Rows rouge_l_pairs(const Texts& hypotheses, const Texts& references, const std::string& text,
                   double alpha) {
    return rouge_rows_of(hypotheses, references, text, alpha, RougeSubsequence());
}

Rows rouge_w_pairs(const Texts& hypotheses, const Texts& references, const std::string& text,
                   double alpha, double weight, bool once) {
    return rouge_rows_of(hypotheses, references, text, alpha, RougeWeighted(weight, once));
}

Rows rouge_s_pairs(const Texts& hypotheses, const Texts& references, const std::string& text,
                   double alpha, std::optional<std::size_t> skip, bool unigrams) {
    return rouge_rows_of(hypotheses, references, text, alpha,
                         RougeSkipBigrams(skip.value_or(SkipBigrams::no_limit), unigrams));
}

using Numbers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using WordTable = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>>;
using Values = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
using WordTableIn = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using ValuesIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

std::span<const std::int32_t> view(const Numbers& numbers) {
    return {numbers.data(), numbers.shape(0)};
}

// A vector's contents as an array that owns them.
template <class Array, class Number>
Array to_array(std::vector<Number>&& numbers, std::initializer_list<std::size_t> shape) {
    auto* kept = new std::vector<Number>(std::move(numbers));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
    return Array(kept->data(), shape, owner);
}

nb::tuple lattice_posteriors(const Numbers& sources, const Numbers& targets, const Numbers& labels,
                             const ValuesIn& scores, std::size_t nodes, std::size_t order) {
    WeightedGrams found;
    {
        const Unlocked unlocked;
        const WordLattice lattice(view(sources), view(targets), view(labels), nodes);
        found = gram_posteriors(lattice, {scores.data(), scores.shape(0)}, order);
    }
    const std::size_t size = found.size();
    return nb::make_tuple(to_array<WordTable>(std::move(found.words), {size, order}),
                          to_array<Values>(std::move(found.values), {size}));
}

nb::tuple lattice_gain_path(const Numbers& sources, const Numbers& targets, const Numbers& labels,
                            std::size_t nodes, double word_gain,
                            const std::vector<std::pair<WordTableIn, ValuesIn>>& grams) {
    std::vector<WeightedGrams> listed;
    for (const auto& [words, values] : grams) {
        listed.push_back({words.shape(1),
                          {words.data(), words.data() + words.size()},
                          {values.data(), values.data() + values.size()}});
    }
    GainPath path;
    {
        const Unlocked unlocked;
        const WordLattice lattice(view(sources), view(targets), view(labels), nodes);
        path = best_gain_path(lattice, word_gain, listed);
    }
    return nb::make_tuple(path.arcs, path.gain);
}

Values forest_posteriors(const Numbers& heads, const Numbers& symbol_offsets,
                         const Numbers& symbols, const Numbers& tail_offsets, const Numbers& tails,
                         const ValuesIn& scores, std::size_t nodes, const WordTableIn& grams) {
    const std::size_t size = grams.shape(0);
    const std::size_t order = grams.shape(1);
    std::vector<double> found(size);
    {
        const Unlocked unlocked;
        const WordForest forest(view(heads), view(symbol_offsets), view(symbols),
                                view(tail_offsets), view(tails), nodes);
        const std::vector<double> shares = edge_shares(forest, {scores.data(), scores.shape(0)});
        for_each_block(size, 1, [&] {
            return [&](std::size_t begin, std::size_t end) {
                for (std::size_t g = begin; g < end; ++g) {
                    found[g] =
                        gram_probability(forest, shares, Tokens(grams.data() + g * order, order));
                }
            };
        });
    }
    return to_array<Values>(std::move(found), {size});
}

}  // namespace

void bind_mbr(nb::module_& module) {
    const auto hypotheses = nb::arg("hypotheses");
    const auto references = nb::arg("references");
    const auto tokenizer = nb::arg("tokenizer");
    const auto only = nb::kw_only();
    module.def("bleu_utilities", &bleu_utilities, hypotheses, references, only, tokenizer,
               nb::arg("order"), nb::arg("weights"), nb::arg("smoothing"), nb::arg("value"),
               nb::arg("effective_order"), nb::arg("arithmetic"), nb::arg("strict_brevity"),
               "BLEU of every hypothesis (rows) against every reference (columns).");
    module.def("bleu_against_mean", &bleu_against_mean, hypotheses, references,
               nb::arg("probabilities"), only, tokenizer, nb::arg("order"),
               "BLEU's statistics of every hypothesis against the references' mean counts.");
    module.def("chrf_utilities", &chrf_utilities, hypotheses, references, only,
               nb::arg("character_order"), nb::arg("word_order"), nb::arg("beta"),
               nb::arg("whitespace"), nb::arg("every_order"),
               "chrF of every hypothesis (rows) against every reference (columns).");
    module.def("chrf_against_mean", &chrf_against_mean, hypotheses, references,
               nb::arg("probabilities"), only, nb::arg("character_order"), nb::arg("word_order"),
               nb::arg("beta"), nb::arg("whitespace"), nb::arg("every_order"),
               "chrF's statistics of every hypothesis against the references' mean counts.");
    constexpr const char* pairs = "Statistics of all pairs, by hypothesis, then by reference.";
    module.def("wer_pairs", &wer_pairs, hypotheses, references, only, tokenizer, pairs);
    module.def("per_pairs", &per_pairs, hypotheses, references, only, tokenizer,
               nb::arg("clip_corpus"), pairs);
    module.def("grr_pairs", &grr_pairs, hypotheses, references, only, tokenizer, nb::arg("k"),
               nb::arg("alpha"), nb::arg("beta"), pairs);
    module.def("rouge_n_pairs", &rouge_n_pairs, hypotheses, references, only, nb::arg("text"),
               nb::arg("alpha"), nb::arg("order"), pairs);
    module.def("rouge_l_pairs", &rouge_l_pairs, hypotheses, references, only, nb::arg("text"),
               nb::arg("alpha"), pairs);
    module.def("rouge_w_pairs", &rouge_w_pairs, hypotheses, references, only, nb::arg("text"),
               nb::arg("alpha"), nb::arg("weight"), nb::arg("once"), pairs);
    module.def("rouge_s_pairs", &rouge_s_pairs, hypotheses, references, only, nb::arg("text"),
               nb::arg("alpha"), nb::arg("skip").none(), nb::arg("unigrams"), pairs);
    module.def("lattice_posteriors", &lattice_posteriors, nb::arg("sources"), nb::arg("targets"),
               nb::arg("labels"), nb::arg("scores"), nb::kw_only(), nb::arg("nodes"),
               nb::arg("order"),
               nb::sig("def lattice_posteriors(sources: numpy.typing.NDArray[numpy.int32], "
                       "targets: numpy.typing.NDArray[numpy.int32], "
                       "labels: numpy.typing.NDArray[numpy.int32], "
                       "scores: numpy.typing.NDArray[numpy.float64], *, nodes: int, order: int) "
                       "-> tuple[numpy.typing.NDArray[numpy.int32], "
                       "numpy.typing.NDArray[numpy.float64]]"),
               "The n-grams of a lattice, and how probable a path with each of them is.");
    module.def("lattice_gain_path", &lattice_gain_path, nb::arg("sources"), nb::arg("targets"),
               nb::arg("labels"), nb::kw_only(), nb::arg("nodes"), nb::arg("word_gain"),
               nb::arg("grams"),
               nb::sig("def lattice_gain_path(sources: numpy.typing.NDArray[numpy.int32], "
                       "targets: numpy.typing.NDArray[numpy.int32], "
                       "labels: numpy.typing.NDArray[numpy.int32], *, nodes: int, "
                       "word_gain: float, grams: Sequence[tuple["
                       "numpy.typing.NDArray[numpy.int32], numpy.typing.NDArray[numpy.float64]]]) "
                       "-> tuple[list[int], float]"),
               "The path whose words and n-grams gain most, and its gain.");
    module.def("forest_posteriors", &forest_posteriors, nb::arg("heads"), nb::arg("symbol_offsets"),
               nb::arg("symbols"), nb::arg("tail_offsets"), nb::arg("tails"), nb::arg("scores"),
               nb::kw_only(), nb::arg("nodes"), nb::arg("grams"),
               nb::sig("def forest_posteriors(heads: numpy.typing.NDArray[numpy.int32], "
                       "symbol_offsets: numpy.typing.NDArray[numpy.int32], "
                       "symbols: numpy.typing.NDArray[numpy.int32], "
                       "tail_offsets: numpy.typing.NDArray[numpy.int32], "
                       "tails: numpy.typing.NDArray[numpy.int32], "
                       "scores: numpy.typing.NDArray[numpy.float64], *, nodes: int, "
                       "grams: numpy.typing.NDArray[numpy.int32]) "
                       "-> numpy.typing.NDArray[numpy.float64]"),
               "How probable a derivation with each of some n-grams of one order is.");
}

}  // namespace tertium::bindings
