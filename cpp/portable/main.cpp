// Statistics of a made-up corpus by every kernel, as digests of their bits: the same lines must
// come out on every processor, with and without vectors, on any number of threads. TERTIUM_THREADS
// says how many.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "audit/text_traits.hpp"
#include "decode/mbr/bleu_pairs.hpp"
#include "decode/mbr/chrf_pairs.hpp"
#include "decode/mbr/ter_pairs.hpp"
#include "inference/resampling.hpp"
#include "metrics/amber/amber.hpp"
#include "metrics/edit/error_rates.hpp"
#include "metrics/edit/grr.hpp"
#include "metrics/edit/ter.hpp"
#include "metrics/ngram/bleu.hpp"
#include "metrics/ngram/chrf.hpp"
#include "metrics/ngram/gtm.hpp"
#include "metrics/ngram/nist.hpp"
#include "metrics/ngram/rouge.hpp"
#include "metrics/order/ribes.hpp"
#include "portable/corpus.hpp"
#include "text/references.hpp"
#include "text/utf8_encoding.hpp"
#include "tune/line_search.hpp"

namespace tertium::portable {
namespace {

using namespace metrics;
using text::References;
using text::tokens::Tokenization;

template <class MakeKernel>
std::vector<double> indexed(const Corpus& corpus, const References& references, std::size_t columns,
                            const MakeKernel& make_kernel) {
    std::vector<double> rows(corpus.hypotheses.size() * columns);
    text::for_each_segment(corpus.hypotheses, references, columns, rows.data(), make_kernel);
    return rows;
}

template <class MakeKernel>
std::vector<double> rows_of(const Corpus& corpus, const References& references, std::size_t columns,
                            const MakeKernel& make_kernel) {
    return indexed(corpus, references, columns, [&] {
        return [kernel = make_kernel()](const core::Segment& segment, std::size_t,
                                        double* row) mutable { kernel(segment, row); };
    });
}

void print_tokens(const Texts& texts) {
    constexpr const char* names[] = {"none", "13a", "intl", "char", "zh", "zh-fixed"};
    for (const char* name : names) {
        const Tokenization kind = text::tokens::tokenization_named(name);
        text::tokens::TokenBuffer buffer;
        Digest digest;
        for (std::size_t i = 0; i < texts.size(); ++i) {
            text::tokens::tokenize(kind, texts[i], buffer);
            for (const std::string_view token : buffer.tokens) {
                digest.add(token.data(), token.size());
                digest.add(" ", 1);
            }
        }
        digest.print(name);
    }
}

void print_encoding() {
    Numbers numbers(3);
    std::vector<std::uint16_t> wide;
    std::vector<std::uint8_t> narrow;
    for (int i = 0; i < 20000; ++i) {
        const std::size_t code = numbers.below(numbers.below(3) == 0 ? 0xD800 : 0x100);
        wide.push_back(static_cast<std::uint16_t>(code));
        narrow.push_back(static_cast<std::uint8_t>(numbers.below(5) == 0 ? 0xE9 : code % 128));
    }
    Digest digest;
    const auto add = [&]<class Character>(const std::vector<Character>& characters) {
        std::vector<char> room(text::utf8_room<Character>(characters.size()));
        const char* const end =
            text::write_utf8(std::span<const Character>(characters), room.data());
        digest.add(room.data(), static_cast<std::size_t>(end - room.data()));
    };
    add(wide);
    add(narrow);
    digest.print("utf-8");
}

void print_metrics(const Corpus& corpus) {
    const References references(corpus.columns, Tokenization::thirteen_a);
    const auto bleu = rows_of(corpus, references, ngram::BleuKernel::columns(4),
                              [] { return ngram::BleuKernel(4, ngram::ReferenceLength::closest); });
    print("bleu", bleu);
    const References asked(corpus.columns, Tokenization::international,
                           References::Preparation::when_asked);
    print("bleu intl", rows_of(corpus, asked, ngram::BleuKernel::columns(6), [] {
              return ngram::BleuKernel(6, ngram::ReferenceLength::average);
          }));
    const ngram::GramInformation information(references, 5, false);
    print("nist", indexed(corpus, references, ngram::NistKernel::columns(5),
                          [&] { return ngram::NistKernel(information, references); }));
    print("gtm", rows_of(corpus, references, ngram::GtmKernel::columns,
                         [] { return ngram::GtmKernel(1.5); }));
    print("ribes", rows_of(corpus, references, order::RibesKernel::columns,
                           [] { return order::RibesKernel(0.25, 0.1); }));
    print("wer", rows_of(corpus, references, edit::wer_columns, [] {
              return [scratch = edit::ErrorRateScratch{}](const core::Segment& segment,
                                                          double* row) mutable {
                  edit::wer_row(segment, edit::ReferenceChoice::best_rate, scratch, row);
              };
          }));
    const edit::GramWeights weights(4, 0.125, 0.5);
    print("grr", rows_of(corpus, references, edit::grr_columns, [&] {
              return [&, scratch = edit::GrrScratch{}](const core::Segment& segment,
                                                       double* row) mutable {
                  edit::grr_row(segment, weights, scratch, row);
              };
          }));
    print("ter", rows_of(corpus, references, edit::ter_columns,
                         [] { return edit::TerSearch(edit::TerLimits{}); }));
    const ngram::RougeReferences rouge(corpus.columns, {ngram::RougeText::unicode, true});
    std::vector<double> rows(corpus.hypotheses.size() * ngram::rouge_columns);
    ngram::rouge_rows(corpus.hypotheses, rouge, {true, 0.5}, ngram::RougeSubsequence(),
                      rows.data());
    print("rouge-l", rows);
    ngram::rouge_rows(corpus.hypotheses, rouge, {false, 0.5}, ngram::RougeSkipBigrams(4, true),
                      rows.data());
    print("rouge-su", rows);
    ngram::rouge_rows(corpus.hypotheses, rouge, {false, 0.5}, ngram::RougeWeighted(1.2, false),
                      rows.data());
    print_digits("rouge-w", rows);

    std::vector<double> sums(ngram::BleuKernel::columns(4) * 50);
    const inference::PackedRows packed(bleu.data(), corpus.hypotheses.size(),
                                       ngram::BleuKernel::columns(4));
    inference::resampled_sums(packed, {7, 0, 0, 50}, sums.data());
    print("bootstrap", sums);
    inference::tossed_sums(packed, {7, 1, 0, 50}, sums.data());
    print("randomization", sums);
}

void print_characters(const Corpus& corpus) {
    const ngram::ChrfOptions options{6, 2, 2, false, false};
    const std::size_t columns = ngram::ChrfKernel::columns(options);
    std::vector<double> rows(corpus.hypotheses.size() * columns);
    core::for_each_block(corpus.hypotheses.size(), 16, [&] {
        return
            [&, kernel = ngram::ChrfKernel(options)](std::size_t begin, std::size_t end) mutable {
                for (std::size_t i = begin; i < end; ++i) {
                    kernel(corpus.hypotheses[i], corpus.columns, i, rows.data() + i * columns);
                }
            };
    });
    print("chrf++", rows);
    std::vector<double> scores;
    for (std::size_t i = 0; i < corpus.hypotheses.size(); ++i) {
        scores.push_back(ngram::chrf_score(rows.data() + i * columns, options));
    }
    print("chrf++ scores", scores);
    audit::TextTraits traits;
    std::vector<double> found(audit::TextTraits::columns * corpus.hypotheses.size());
    for (std::size_t i = 0; i < corpus.hypotheses.size(); ++i) {
        traits(corpus.hypotheses[i], found.data() + i * audit::TextTraits::columns);
    }
    print("traits", found);
}

// Words with single spaces between them, as AMBER's text types have.
void print_amber(const Corpus& corpus) {
    const amber::AmberReferences references(corpus.columns, {4, {}});
    const amber::WordWeights weights(references.tokens());
    const amber::AmberOptions options{4, 4, true, true, false, 0};
    print("amber",
          indexed(corpus, references.tokens(), amber::AmberKernel::columns(options, true), [&] {
              return amber::AmberKernel(options, corpus.hypotheses, references, &weights);
          }));
}

void print_pairs() {
    using namespace decode::mbr;
    const Texts hypotheses = made_up(40, 11), references = made_up(40, 5000);
    std::vector<double> scores(40 * 40);
    BleuPairs(hypotheses, references, Tokenization::thirteen_a, 4)
        .utilities(
            {4, {0.25, 0.25, 0.25, 0.25}, BleuFormula::Smoothing::exp, 0, true, false, false},
            scores.data());
    print("bleu pairs", scores);
    ChrfPairs(hypotheses, references, {6, 0, 2, false, false}).utilities(scores.data());
    print("chrf pairs", scores);
    std::vector<double> totals(40 * 40 * ter_total_columns);
    ter_totals(pair_tokens(hypotheses, references, Tokenization::none), {}, totals.data());
    print("ter pairs", totals);
}

void print_envelopes() {
    Numbers numbers(9);
    std::vector<double> features;
    std::vector<std::int64_t> offsets{0};
    for (int segment = 1; segment <= 50; ++segment) {
        for (int i = 0; i < 100 * 3; ++i) {
            features.push_back((static_cast<double>(numbers.below(20001)) - 10000) / 7);
        }
        offsets.push_back(100 * segment);
    }
    const double point[] = {1, 0.5, 0.3}, direction[] = {0, 1, -0.7};
    const tune::Envelopes found = tune::nbest_envelopes(
        {{features.data(), features.size() / 3, 3}, offsets}, {{point, 1, 3}, {direction, 1, 3}});
    print("envelopes", found.starts);
}

}  // namespace
}  // namespace tertium::portable

int main() {
    using namespace tertium::portable;
    const Corpus corpus(600);
    print_tokens(corpus.hypotheses);
    print_encoding();
    print_metrics(corpus);
    print_characters(corpus);
    print_amber(corpus);
    print_pairs();
    print_envelopes();
    return 0;
}
