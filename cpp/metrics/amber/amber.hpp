// The additive statistics of one run of AMBER (Chen and Kuhn 2011), on text of one type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/amber/gapped_matches.hpp"
#include "metrics/amber/mask_matches.hpp"
#include "metrics/amber/segment_grams.hpp"
#include "metrics/amber/skip_matches.hpp"
#include "metrics/amber/word_weights.hpp"
#include "metrics/order/word_order.hpp"
#include "text/references.hpp"
#include "text/texts.hpp"

namespace tertium::metrics::amber {

// Of words separated by single blanks; letters are code points.
struct WordLengths {
    double characters = 0;
    double short_words = 0;
};

// The words that SWDP counts: those of a list if there is one, else those with few letters.
struct ShortWords {
    std::size_t fewer_than;  // letters
    std::optional<std::set<std::string, std::less<>>> listed;

    bool contains(std::string_view word) const;
};

WordLengths word_lengths(std::string_view text, const ShortWords& short_words);

// References as texts of one type (see amber_text.hpp), interned, with the lengths of words.
class AmberReferences {
  public:
    AmberReferences(const std::vector<const text::Texts*>& columns, ShortWords short_words);

    const ShortWords& short_words() const { return short_words_; }
    const text::References& tokens() const { return tokens_; }
    // One for each of the segment's references.
    std::span<const WordLengths> lengths(std::size_t segment) const;

  private:
    ShortWords short_words_;
    text::References tokens_;
    std::vector<WordLengths> lengths_;
    std::vector<std::size_t> ends_;
};

struct AmberOptions {
    std::size_t order;    // longest n-gram with a gap
    std::size_t counted;  // longest n-gram without
    bool fixed_gap, flexible_gap, skip;
    std::size_t skip_limit;
};

class AmberKernel {
  public:
    // `weights` may be null; all arguments have to outlive the kernel.
    AmberKernel(const AmberOptions& options, const text::Texts& hypotheses,
                const AmberReferences& references, const WordWeights* weights);

    // With K = counted, N = order: n-grams matched, of the hypothesis, of the references, and
    // whether any matched, 1 … K each; for each strategy with gaps, n-grams matched and of the
    // hypothesis, 2 … N each; words of hypothesis, reference, the smaller and the larger of the
    // two; characters likewise; differences of short and of long words; what is lost of
    // Spearman's and of Kendall's correlation; 1. With weights, the sums of the weights of
    // n-grams follow: matched, hypothesis, references, then the strategies with gaps.
    static std::size_t columns(const AmberOptions& options, bool weighted);

    void operator()(const core::Segment& segment, std::size_t index, double* row) {
        compare(segment, index, index, row);
    }
    // The same of a hypothesis and the references of another segment, to which `segment` belongs.
    void compare(const core::Segment& segment, std::size_t hypothesis, std::size_t references,
                 double* row);

  private:
    void weigh(const core::Segment& segment, std::size_t hypothesis, std::size_t references);
    void count_grams(const core::Segment& segment);
    double* write_grams(double* out, double GramSum::* part) const;
    double* write_gaps(double* out, double GramSum::* part) const;
    double* write_lengths(const core::Segment& segment, std::size_t hypothesis,
                          std::size_t references, std::size_t nearest, double* out) const;
    double* write_order(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                        double* out);

    AmberOptions options_;
    const text::Texts* hypotheses_;
    const AmberReferences* references_;
    const WordWeights* weights_;
    SegmentWeights segment_weights_;
    SegmentGrams grams_;
    MaskMatches masks_;
    FixedGaps fixed_;
    FlexibleGaps flexible_;
    SkipMatches skip_;
    GramSums plain_;
    std::vector<GramSum> reference_;
    std::vector<GramSums> gaps_;
    order::WordOrder order_;
    std::vector<std::uint32_t> positions_, ranks_;
};

}  // namespace tertium::metrics::amber
