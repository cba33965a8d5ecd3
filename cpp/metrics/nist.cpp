#include "metrics/nist.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tertium {
namespace {

// The segment's token ids as corpus ids; −1 where a token is unknown to the corpus.
template <class Number>
void corpus_ids(const Vocabulary& vocabulary, std::vector<Token>& ids, Number&& number) {
    ids.resize(vocabulary.keys.size());
    for (std::size_t t = 0; t < ids.size(); ++t) {
        ids[t] = number(vocabulary, static_cast<Token>(t));
    }
}

}  // namespace

GramInformation::GramInformation(const References& references, std::size_t order) : order_(order) {
    if (order == 0) throw std::invalid_argument("NIST order 0, expected at least 1");
    std::vector<Token> ids;
    std::vector<double> counts;
    std::vector<Gram> prefixes;
    double words = 0;
    for (std::size_t i = 0; i < references.size(); ++i) {
        corpus_ids(references.vocabulary(i), ids, [&](const Vocabulary& vocabulary, Token token) {
            return tokens_.intern(vocabulary, token);
        });
        for (const Tokens reference : references.references(i)) {
            words += static_cast<double>(reference.size());
            for (std::size_t p = 0; p < reference.size(); ++p) {
                Gram gram = empty_gram;
                for (std::size_t n = 0; n < order && p + n < reference.size(); ++n) {
                    const Gram prefix = gram;
                    gram = table_.intern(prefix, ids[static_cast<std::size_t>(reference[p + n])]);
                    if (gram == counts.size()) {
                        counts.push_back(0);
                        prefixes.push_back(prefix);
                    }
                    counts[gram] += 1;
                }
            }
        }
    }
    bits_.resize(counts.size());
    for (std::size_t g = 0; g < counts.size(); ++g) {
        const double before = prefixes[g] == empty_gram ? words : counts[prefixes[g]];
        bits_[g] = std::log2(before / counts[g]);
    }
}

void NistKernel::operator()(const Segment& segment, std::size_t index, double* row) {
    const std::size_t order = information_->order();
    const std::size_t length = segment.hypothesis.size();
    corpus_ids(references_->vocabulary(index), corpus_ids_,
               [this](const Vocabulary& vocabulary, Token token) {
                   return information_->tokens().find(vocabulary, token);
               });
    std::fill(row, row + columns(order), 0.0);
    // Clip of every reference n-gram of this segment: its largest count in one reference. The
    // n-grams of a segment are numbered anew, so that counting needs little memory.
    local_.clear(0);
    limits_.clear();
    double reference_words = 0;
    for (const Tokens reference : segment.references) {
        reference_words += static_cast<double>(reference.size());
        counts_.assign(limits_.size(), 0);
        for (std::size_t p = 0; p < reference.size(); ++p) {
            Gram gram = empty_gram;
            for (std::size_t n = 0; n < order && p + n < reference.size(); ++n) {
                gram = local_.intern(gram, reference[p + n]);
                if (gram == limits_.size()) {
                    limits_.push_back(0);
                    counts_.push_back(0);
                }
                limits_[gram] = std::max(limits_[gram], ++counts_[gram]);
            }
        }
    }
    counts_.assign(limits_.size(), 0);
    for (std::size_t p = 0; p < length; ++p) {
        Gram gram = empty_gram;
        Gram weighted = empty_gram;
        for (std::size_t n = 0; n < order && p + n < length; ++n) {
            const Token token = segment.hypothesis[p + n];
            gram = local_.find(gram, token);
            if (gram == no_gram) break;
            weighted = information_->find(weighted, corpus_ids_[static_cast<std::size_t>(token)]);
            if (++counts_[gram] <= limits_[gram] && weighted != no_gram) {
                row[n] += information_->bits(weighted);
            }
        }
    }
    for (std::size_t n = 0; n < order && n < length; ++n) {
        row[order + n] = static_cast<double>(length - n);
    }
    row[2 * order] = static_cast<double>(length);
    row[2 * order + 1] = reference_words / static_cast<double>(segment.references.size());
}

}  // namespace tertium
