#include <cmath>
#include <stdexcept>

#include "fuzz/target.hpp"
#include "metrics/amber/amber.hpp"
#include "metrics/ngram/bleu.hpp"
#include "metrics/ngram/nist.hpp"
#include "text/references.hpp"

namespace tertium::fuzz {
namespace {

using namespace metrics;
using text::References;

template <class Kernel>
std::vector<double> rows_of(const text::Texts& hypotheses, const References& references,
                            std::size_t columns, const Kernel& make_kernel) {
    std::vector<double> rows(hypotheses.size() * columns);
    text::for_each_segment(hypotheses, references, columns, rows.data(), make_kernel);
    for (const double value : rows) EXPECT(std::isfinite(value));
    return rows;
}

void check_nist(const text::Texts& hypotheses, const References& references,
                const References& others, std::size_t order) {
    const ngram::GramInformation information(references, order, order % 2 != 0);
    const std::size_t columns = ngram::NistKernel::columns(order);
    const auto rows = rows_of(hypotheses, references, columns,
                              [&] { return ngram::NistKernel(information, references); });
    // The same references, but not those that were counted: the slow way.
    const auto slow = rows_of(hypotheses, others, columns,
                              [&] { return ngram::NistKernel(information, others); });
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT(std::abs(rows[i] - slow[i]) <= 1e-9 * std::max(1.0, std::abs(rows[i])));
    }
}

void check_amber(const text::Texts& hypotheses, const text::Texts& references, bool weighted,
                 std::size_t order) {
    const amber::AmberReferences prepared({&references}, {4, {}});
    const amber::WordWeights weights(prepared.tokens());
    const amber::AmberOptions options{
        order, order + 1, true, true, true, order % 2 == 0 ? amber::SkipMatches::no_limit : order};
    try {
        rows_of(hypotheses, prepared.tokens(), amber::AmberKernel::columns(options, weighted), [&] {
            return amber::AmberKernel(options, hypotheses, prepared, weighted ? &weights : nullptr);
        });
    } catch (const std::invalid_argument&) {
        EXPECT(weighted);  // words with other blanks than spaces between them
    }
}

}  // namespace

// Metrics that see a whole corpus. References give the same numbers prepared at once, when asked
// for, and each time anew.
FUZZ_TARGET(corpus) {
    const auto rules = static_cast<text::tokens::Tokenization::Rules>(input.below(6));
    const std::size_t order = 1 + input.below(4);
    const bool weighted = input.flag();
    const std::size_t which = input.below(3);
    const std::size_t segments = 1 + input.below(5);
    const text::Texts hypotheses = input.texts(segments);
    const text::Texts first = input.texts(segments), second = input.texts(segments);
    const std::vector<const text::Texts*> columns{&first, &second};
    if (which == 0) return check_amber(hypotheses, first, weighted, order);
    const References now(columns, rules),
        asked(columns, rules, References::Preparation::when_asked),
        each(columns, rules, References::Preparation::each_time);
    if (which == 1) return check_nist(hypotheses, now, asked, order);
    const std::size_t width = ngram::BleuKernel::columns(order);
    const auto bleu = [&](const References& references) {
        return rows_of(hypotheses, references, width, [&] {
            return [kernel = ngram::BleuKernel(order, ngram::ReferenceLength::closest)](
                       const core::Segment& segment, std::size_t, double* row) mutable {
                kernel(segment, row);
            };
        });
    };
    const std::vector<double> rows = bleu(now);
    EXPECT(rows == bleu(asked));
    EXPECT(rows == bleu(each));
}

}  // namespace tertium::fuzz
