#include "metrics/amber/amber.hpp"

#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>

#include "bindings/convert.hpp"
#include "metrics/amber/text_types.hpp"

namespace tertium::bindings {
using namespace metrics::amber;

namespace {

TextType text_type(std::size_t number) {
    if (number >= text_types) {
        throw std::invalid_argument("text type " + std::to_string(number) + ", expected 0 to 7");
    }
    return static_cast<TextType>(number);
}

std::vector<Texts> amber_texts(const Texts& texts, const std::string& tokenization,
                               const std::vector<std::size_t>& types, const AffixList& affixes,
                               std::size_t short_word) {
    const Tokenization kind = tokenization_named(tokenization);
    std::vector<TextType> chosen;
    for (const std::size_t number : types) chosen.push_back(text_type(number));
    const Unlocked unlocked;
    return texts_of_types(texts, kind, chosen, {short_word, affixes});
}

AmberOptions options_of(std::size_t order, std::size_t counted,
                        const std::vector<std::string>& strategies,
                        std::optional<std::size_t> skip_limit) {
    const auto has = [&](const char* name) { return std::ranges::count(strategies, name) > 0; };
    return {order,
            counted,
            has("fixed-gap"),
            has("flexible-gap"),
            has("skip"),
            skip_limit.value_or(SkipMatches::no_limit)};
}

Rows amber_statistics(const Texts& hypotheses, const AmberReferences& references, std::size_t order,
                      std::size_t counted, const std::vector<std::string>& strategies,
                      std::optional<std::size_t> skip_limit, const WordWeights* weights) {
    const AmberOptions options = options_of(order, counted, strategies, skip_limit);
    return indexed_rows(hypotheses, references.tokens(),
                        AmberKernel::columns(options, weights != nullptr),
                        [&] { return AmberKernel(options, hypotheses, references, weights); });
}

// Row (h, r) is number h · references + r. A reference's words are numbered once for all
// hypotheses.
Rows amber_pairs(const Texts& hypotheses, const AmberReferences& references, std::size_t order,
                 std::size_t counted, const std::vector<std::string>& strategies,
                 std::optional<std::size_t> skip_limit, const WordWeights* weights) {
    const AmberOptions options = options_of(order, counted, strategies, skip_limit);
    const std::size_t columns = AmberKernel::columns(options, weights != nullptr);
    const std::size_t width = references.tokens().size();
    return make_rows(hypotheses.size() * width, columns, [&](double* rows) {
        for_each_block(width, 1, [&] {
            return [&, interner = Interner(references.tokens()),
                    kernel = AmberKernel(options, hypotheses, references, weights)](
                       std::size_t reference, std::size_t) mutable {
                for (std::size_t h = 0; h < hypotheses.size(); ++h) {
                    kernel.compare(interner.segment(hypotheses[h], reference), h, reference,
                                   rows + (h * width + reference) * columns);
                }
            };
        });
    });
}

}  // namespace

void bind_amber(nb::module_& module) {
    nb::class_<AffixList>(module, "AffixList", "Prefixes, roots and suffixes that split words.")
        .def(nb::init<const std::vector<std::string>&, const std::vector<std::string>&,
                      const std::vector<std::string>&>(),
             nb::arg("prefixes"), nb::arg("roots"), nb::arg("suffixes"));
    nb::class_<AmberReferences>(module, "AmberReferences",
                                "References of one text type, interned, with word lengths.")
        .def(
            "__init__",
            [](AmberReferences* self, const std::vector<const Texts*>& columns,
               std::size_t short_word, const std::optional<std::vector<std::string>>& stop_words) {
                const Unlocked unlocked;
                ShortWords short_words{short_word, {}};
                if (stop_words) short_words.listed.emplace(stop_words->begin(), stop_words->end());
                new (self) AmberReferences(columns, std::move(short_words));
            },
            nb::arg("columns"), nb::arg("short_word"), nb::arg("stop_words").none());
    nb::class_<WordWeights>(module, "WordWeights", "Inverse document frequencies of words.")
        .def(
            "__init__",
            [](WordWeights* self, const AmberReferences& references) {
                const Unlocked unlocked;
                new (self) WordWeights(references.tokens());
            },
            nb::arg("references"));
    module.def("amber_texts", &amber_texts, nb::arg("texts"), nb::arg("tokenization"),
               nb::arg("types"), nb::arg("affixes"), nb::arg("short_word"),
               "The text of each type, its words separated by blanks.");
    module.def("amber_statistics", &amber_statistics, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("order"), nb::arg("counted"), nb::arg("strategies"),
               nb::arg("skip_limit").none(), nb::arg("weights").none(),
               "n-grams, lengths and word order of a text type; see AmberKernel::columns.");
    module.def("amber_pairs", &amber_pairs, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("order"), nb::arg("counted"), nb::arg("strategies"),
               nb::arg("skip_limit").none(), nb::arg("weights").none(),
               "The same of every hypothesis with the references of every segment.");
}

}  // namespace tertium::bindings
