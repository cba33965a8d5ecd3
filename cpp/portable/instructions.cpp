// Runs one kernel on a made-up corpus, for a count of its instructions: tools/instructions.py has
// callgrind count those of `tertium_measured` alone.
//     instructions NAME SEGMENTS
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "decode/mbr/chrf_pairs.hpp"
#include "inference/resampling.hpp"
#include "metrics/amber/amber.hpp"
#include "metrics/edit/error_rates.hpp"
#include "metrics/edit/grr.hpp"
#include "metrics/edit/ter.hpp"
#include "metrics/edit/terp.hpp"
#include "metrics/ngram/bleu.hpp"
#include "metrics/ngram/chrf.hpp"
#include "metrics/ngram/rouge.hpp"
#include "portable/corpus.hpp"
#include "text/interned.hpp"
#include "text/references.hpp"

extern "C" {
// A name that no compiler changes, and a call that none takes apart.
#if defined(__GNUC__)
__attribute__((noinline))
#endif
void tertium_measured(const std::function<void()>& work) {
    work();
}
}

namespace tertium::portable {
namespace {

using namespace metrics;
using text::References;
using text::tokens::Tokenization;
using Measure = std::function<void(const std::function<void()>&)>;

template <class MakeKernel>
void count_rows(const Corpus& corpus, std::size_t columns, const Measure& measure,
                MakeKernel&& make_kernel) {
    const std::vector<const Texts*> first{&corpus.first};
    std::vector<double> rows(corpus.hypotheses.size() * columns);
    measure([&] {
        const References references(first, Tokenization::thirteen_a);
        text::for_each_segment(corpus.hypotheses, references, columns, rows.data(), [&] {
            return [kernel = make_kernel()](const core::Segment& segment, std::size_t,
                                            double* row) mutable { kernel(segment, row); };
        });
    });
}

void tokens(const Corpus& corpus, const Measure& measure) {
    text::tokens::TokenBuffer buffer;
    measure([&] {
        for (std::size_t i = 0; i < corpus.hypotheses.size(); ++i) {
            text::tokens::tokenize(Tokenization::thirteen_a, corpus.hypotheses[i], buffer);
        }
    });
}

void bleu(const Corpus& corpus, const Measure& measure) {
    count_rows(corpus, ngram::BleuKernel::columns(4), measure,
               [] { return ngram::BleuKernel(4, ngram::ReferenceLength::closest); });
}

void ter(const Corpus& corpus, const Measure& measure) {
    count_rows(corpus, edit::ter_columns, measure,
               [] { return edit::TerSearch(edit::TerLimits{}); });
}

void grr(const Corpus& corpus, const Measure& measure) {
    const edit::GramWeights weights(4, 0.125, 0.5);
    count_rows(corpus, edit::grr_columns, measure, [&] {
        return
            [&, scratch = edit::GrrScratch{}](const core::Segment& segment, double* row) mutable {
                edit::grr_row(segment, weights, scratch, row);
            };
    });
}

void chrf(const Corpus& corpus, const Measure& measure) {
    const ngram::ChrfOptions options{6, 2, 2, false, false};
    const std::vector<const Texts*> first{&corpus.first};
    std::vector<double> row(ngram::ChrfKernel::columns(options));
    measure([&] {
        ngram::ChrfKernel kernel(options);
        for (std::size_t i = 0; i < corpus.hypotheses.size(); ++i) {
            kernel(corpus.hypotheses[i], first, i, row.data());
        }
    });
}

void amber(const Corpus& corpus, const Measure& measure) {
    const amber::AmberOptions options{4, 4, true, true, false, 0};
    const std::vector<const Texts*> first{&corpus.first};
    std::vector<double> rows(corpus.hypotheses.size() *
                             amber::AmberKernel::columns(options, false));
    measure([&] {
        const amber::AmberReferences references(first, {4, {}});
        text::for_each_segment(
            corpus.hypotheses, references.tokens(), amber::AmberKernel::columns(options, false),
            rows.data(),
            [&] { return amber::AmberKernel(options, corpus.hypotheses, references, nullptr); });
    });
}

void terp(const Corpus& corpus, const Measure& measure) {
    const text::Interned words({&corpus.hypotheses, &corpus.first});
    const edit::TerCosts costs{{0, 1.6, 0.3, 1.4, 0, 0, 0}, 0.6, 35, 10, 50};
    const edit::TerpLexicon lexicon(words.words().size(), {}, {}, costs, {});
    std::vector<double> row(edit::terp_columns);
    measure([&] {
        edit::TerpKernel kernel(lexicon);
        for (std::size_t i = 0; i < words.size(); ++i) kernel.row(words, i, row.data());
    });
}

void rouge_l(const Corpus& corpus, const Measure& measure) {
    std::vector<double> rows(corpus.hypotheses.size() * ngram::rouge_columns);
    measure([&] {
        const ngram::RougeReferences references({&corpus.first}, {ngram::RougeText::unicode, true});
        ngram::rouge_rows(corpus.hypotheses, references, {true, 0.5}, ngram::RougeSubsequence(),
                          rows.data());
    });
}

void bootstrap(const Corpus& corpus, const Measure& measure) {
    std::vector<double> rows(corpus.hypotheses.size() * 10);
    Numbers numbers(5);
    for (double& number : rows) number = static_cast<double>(numbers.below(50));
    std::vector<double> sums(10 * 200);
    measure([&] {
        const inference::PackedRows packed(rows.data(), corpus.hypotheses.size(), 10);
        inference::resampled_sums(packed, {7, 0, 0, 200}, sums.data());
    });
}

void chrf_pairs(const Corpus& corpus, const Measure& measure) {
    std::vector<double> scores(corpus.hypotheses.size() * corpus.first.size());
    measure([&] {
        decode::mbr::ChrfPairs(corpus.hypotheses, corpus.first, {6, 0, 2, false, false})
            .utilities(scores.data());
    });
}

const std::map<std::string_view, void (*)(const Corpus&, const Measure&)> kernels{
    {"tokens", tokens},
    {"bleu", bleu},
    {"ter", ter},
    {"grr", grr},
    {"chrf", chrf},
    {"terp", terp},
    {"amber", amber},
    {"rouge-l", rouge_l},
    {"bootstrap", bootstrap},
    {"chrf-pairs", chrf_pairs},
};

}  // namespace
}  // namespace tertium::portable

int main(int count, char** arguments) {
    using namespace tertium::portable;
    if (count != 3 || !kernels.contains(arguments[1])) {
        std::fprintf(stderr, "expected a kernel and a number of segments; kernels:");
        for (const auto& [name, kernel] : kernels) {
            std::fprintf(stderr, " %.*s", static_cast<int>(name.size()), name.data());
        }
        std::fprintf(stderr, "\n");
        return 2;
    }
    const Corpus corpus(std::strtoul(arguments[2], nullptr, 10));
    kernels.at(arguments[1])(corpus, tertium_measured);
    return 0;
}
