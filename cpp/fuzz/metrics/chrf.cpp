#include "metrics/ngram/chrf.hpp"

#include <algorithm>
#include <cmath>

#include "decode/mbr/chrf_pairs.hpp"
#include "fuzz/target.hpp"

namespace tertium::fuzz {

using namespace metrics::ngram;

namespace {

struct Texts {
    text::Texts hypotheses, references;
    std::size_t size() const { return hypotheses.size(); }
};

// The kernel for all pairs has the scores of each.
void check_pairs(const Texts& texts, const ChrfOptions& options,
                 const std::vector<double>& scores) {
    std::vector<double> pairs(texts.size() * texts.size());
    decode::mbr::ChrfPairs(texts.hypotheses, texts.references, options).utilities(pairs.data());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        EXPECT(std::abs(pairs[i * texts.size() + i] - scores[i]) < 1e-9);
    }
}

// Exchanging the texts exchanges the counts.
void check_exchange(const Texts& texts, const ChrfOptions& options) {
    ChrfKernel kernel(options), exchanging(options);
    std::vector<double> row(ChrfKernel::columns(options)), exchanged(row.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        kernel(texts.hypotheses[i], {&texts.references}, i, row.data());
        exchanging(texts.references[i], {&texts.hypotheses}, i, exchanged.data());
        for (std::size_t n = 0; n < options.orders(); ++n) {
            EXPECT(row[3 * n + 2] == exchanged[3 * n + 2]);
            // An order that a reference lacks is not counted in the hypothesis either.
            if (row[3 * n + 1] == 0 || exchanged[3 * n + 1] == 0) continue;
            EXPECT(row[3 * n] == exchanged[3 * n + 1] && row[3 * n + 1] == exchanged[3 * n]);
            EXPECT(row[3 * n + 2] <= std::min(row[3 * n], row[3 * n + 1]));
        }
    }
}

// Of several references the best one counts.
void check_several(const Texts& texts, const ChrfOptions& options) {
    text::Texts others;
    for (std::size_t i = texts.size(); i > 0; --i) others.append(texts.references[i - 1]);
    ChrfKernel both(options), one(options), other(options);
    std::vector<double> row(ChrfKernel::columns(options));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto score = [&](ChrfKernel& kernel, const std::vector<const text::Texts*>& columns) {
            kernel(texts.hypotheses[i], columns, i, row.data());
            return chrf_score(row.data(), options);
        };
        const double best = std::max(score(one, {&texts.references}), score(other, {&others}));
        EXPECT(score(both, {&texts.references, &others}) == best);
    }
}

}  // namespace

// A kernel's memory changes nothing, and one of three other things holds.
FUZZ_TARGET(chrf) {
    const std::uint8_t kind = input.byte();
    const bool whitespace = kind % 2 != 0, every_order = input.flag();
    const ChrfOptions options{1 + input.below(12), input.below(3), 2, whitespace, every_order};
    const bool same_reference = input.flag();
    const std::size_t segments = 1 + input.below(4);
    // Most cases are ASCII: for others each kernel makes a table of all characters, which takes
    // longer than the rest.
    std::string bytes(input.bytes());
    for (char& byte : bytes) byte = static_cast<char>(kind / 8 % 4 == 0 ? byte : byte & 0x7F);
    Input cut(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    Texts texts{cut.texts(segments), cut.texts(same_reference ? 1 : segments)};
    while (texts.references.size() < segments) {
        texts.references.append(std::string(texts.references[0]));
    }
    const std::size_t columns = ChrfKernel::columns(options);
    ChrfKernel kernel(options);
    std::vector<double> row(columns), first(columns), scores;
    kernel(texts.hypotheses[0], {&texts.references}, 0, first.data());
    for (std::size_t i = 0; i < segments; ++i) {
        kernel(texts.hypotheses[i], {&texts.references}, i, row.data());
        const double score = chrf_score(row.data(), options);
        EXPECT(score >= 0 && score <= 1 + 1e-12);
        // Texts of blanks have no statistics, and are perfect among pairs.
        const bool nothing = std::ranges::count(row, 0.0) == static_cast<std::ptrdiff_t>(columns);
        scores.push_back(nothing ? 100 : 100 * score);
    }
    kernel(texts.hypotheses[0], {&texts.references}, 0, row.data());
    EXPECT(row == first);
    if (kind / 2 % 3 == 0) return check_pairs(texts, options, scores);
    kind / 2 % 3 == 1 ? check_exchange(texts, options) : check_several(texts, options);
}

}  // namespace tertium::fuzz
