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

using Rows = std::vector<std::vector<double>>;

// The kernel for all pairs has the scores of each.
void check_pairs(const Texts& texts, const ChrfOptions& options, const Rows& rows) {
    std::vector<double> pairs(texts.size() * texts.size());
    decode::mbr::ChrfPairs(texts.hypotheses, texts.references, options).utilities(pairs.data());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        // Texts of blanks have no statistics, and are perfect among pairs.
        const bool nothing = std::ranges::all_of(rows[i], [](double one) { return one == 0; });
        const double expected = nothing ? 1 : chrf_score(rows[i].data(), options);
        EXPECT(std::abs(pairs[i * texts.size() + i] - 100 * expected) < 1e-9);
    }
}

// Exchanging the texts exchanges the counts.
void check_exchange(const Texts& texts, const ChrfOptions& options, const Rows& rows) {
    ChrfKernel exchanging(options);
    std::vector<double> exchanged(ChrfKernel::columns(options));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::vector<double>& row = rows[i];
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
void check_several(const Texts& texts, const ChrfOptions& options, const Rows& rows) {
    text::Texts others;
    for (std::size_t i = texts.size(); i > 0; --i) others.append(texts.references[i - 1]);
    ChrfKernel both(options), other(options);
    std::vector<double> row(ChrfKernel::columns(options));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        other(texts.hypotheses[i], {&others}, i, row.data());
        const double best =
            std::max(chrf_score(rows[i].data(), options), chrf_score(row.data(), options));
        both(texts.hypotheses[i], {&texts.references, &others}, i, row.data());
        EXPECT(chrf_score(row.data(), options) == best);
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
    ChrfKernel kernel(options);
    Rows rows(segments + 1, std::vector<double>(ChrfKernel::columns(options)));
    for (std::size_t i = 0; i <= segments; ++i) {  // and the first again
        const std::size_t segment = i % segments;
        kernel(texts.hypotheses[segment], {&texts.references}, segment, rows[i].data());
        const double score = chrf_score(rows[i].data(), options);
        EXPECT(score >= 0 && score <= 1 + 1e-12);
    }
    EXPECT(rows.front() == rows.back());
    if (kind / 2 % 3 == 0) return check_pairs(texts, options, rows);
    kind / 2 % 3 == 1 ? check_exchange(texts, options, rows) : check_several(texts, options, rows);
}

}  // namespace tertium::fuzz
