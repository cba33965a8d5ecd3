#include "metrics/ngram/rouge.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "bindings/convert.hpp"

namespace tertium::bindings {
using namespace metrics::ngram;

namespace {

template <class Measure>
Rows statistics(const Texts& hypotheses, const RougeReferences& references,
                const RougeScoring& scoring, const Measure& measure) {
    check_sizes(hypotheses, references.words());
    return make_rows(hypotheses.size(), rouge_columns, [&](double* rows) {
        rouge_rows(hypotheses, references, scoring, measure, rows);
    });
}

Rows rouge_n(const Texts& hypotheses, const RougeReferences& references, bool best, double alpha,
             std::size_t order) {
    if (order == 0) throw std::invalid_argument("ROUGE-N: order 0, expected at least 1");
    return statistics(hypotheses, references, {best, alpha}, RougeGrams(order));
}

Rows rouge_l(const Texts& hypotheses, const RougeReferences& references, bool best, double alpha) {
    return statistics(hypotheses, references, {best, alpha}, RougeSubsequence());
}

Rows rouge_w(const Texts& hypotheses, const RougeReferences& references, bool best, double alpha,
             double weight, bool once) {
    return statistics(hypotheses, references, {best, alpha}, RougeWeighted(weight, once));
}

Rows rouge_s(const Texts& hypotheses, const RougeReferences& references, bool best, double alpha,
             std::optional<std::size_t> skip, bool unigrams) {
    return statistics(hypotheses, references, {best, alpha},
                      RougeSkipBigrams(skip.value_or(SkipBigrams::no_limit), unigrams));
}

}  // namespace

void bind_rouge(nb::module_& module) {
    nb::class_<RougeReferences>(module, "RougeReferences",
                                "References in the words of ROUGE, to be used for many systems.")
        .def(
            "__init__",
            [](RougeReferences* self, const std::vector<const Texts*>& columns,
               const std::string& text) {
                const RougeText kind = rouge_text_named(text);
                const Unlocked unlocked;
                new (self) RougeReferences(columns, kind);
            },
            nb::arg("columns"), nb::arg("text"))
        .def("__len__", &RougeReferences::size);
    constexpr const char* columns = "Precision, recall, F and 1.";
    module.def("rouge_n_statistics", &rouge_n, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("best"), nb::arg("alpha"), nb::arg("order"), columns);
    module.def("rouge_l_statistics", &rouge_l, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("best"), nb::arg("alpha"), columns);
    module.def("rouge_w_statistics", &rouge_w, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("best"), nb::arg("alpha"), nb::arg("weight"), nb::arg("once"),
               columns);
    module.def("rouge_s_statistics", &rouge_s, nb::arg("hypotheses"), nb::arg("references"),
               nb::kw_only(), nb::arg("best"), nb::arg("alpha"), nb::arg("skip").none(),
               nb::arg("unigrams"), columns);
}

}  // namespace tertium::bindings
