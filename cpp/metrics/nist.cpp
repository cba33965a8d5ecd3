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

// Where an n-gram begins in the pooled references, where its reference ends, its number.
struct Start {
    std::size_t place, end;
    Gram gram;
};

}  // namespace

GramInformation::GramInformation(const References& references, std::size_t order)
    : order_(order), parts_(part_count) {
    if (order == 0) throw std::invalid_argument("NIST order 0, expected at least 1");
    std::vector<Token> words;
    std::vector<std::size_t> ends;
    std::vector<Token> ids;
    references.prepare();
    for (std::size_t i = 0; i < references.size(); ++i) {
        corpus_ids(references.vocabulary(i), ids, [&](const Vocabulary& vocabulary, Token token) {
            return tokens_.intern(vocabulary, token);
        });
        for (const Tokens reference : references.references(i)) {
            for (const Token token : reference) {
                words.push_back(ids[static_cast<std::size_t>(token)]);
            }
            ends.push_back(words.size());
        }
    }
    const auto total = static_cast<double>(words.size());
    for_each_block(part_count, 1, [&] {
        return [&](std::size_t number, std::size_t) {
            Part& part = parts_[number];
            std::vector<double> counts;
            std::vector<Gram> prefixes;
            std::vector<Start> starts;
            std::size_t begin = 0;
            for (const std::size_t end : ends) {
                for (std::size_t p = begin; p < end; ++p) {
                    if (part_of(words[p]) == number) starts.push_back({p, end, empty_gram});
                }
                begin = end;
            }
            part.table.clear(2 * starts.size());
            for (std::size_t n = 0; n < order; ++n) {
                for (Start& start : starts) {
                    const Gram prefix = start.gram;
                    start.gram = part.table.intern(prefix, words[start.place + n]);
                    if (start.gram == counts.size()) {
                        counts.push_back(0);
                        prefixes.push_back(prefix);
                    }
                    counts[start.gram] += 1;
                }
                std::erase_if(starts, [&](const Start& start) {
                    return counts[start.gram] < 2 || start.place + n + 1 == start.end;
                });
            }
            part.bits.resize(counts.size());
            for (std::size_t g = 0; g < counts.size(); ++g) {
                const double before = prefixes[g] == empty_gram ? total : counts[prefixes[g]];
                part.bits[g] = std::log2(before / counts[g]);
            }
        };
    });
}

// Of an n-gram and its beginning only one is looked up anew, since the shorter comes first.
double NistKernel::bits(std::size_t begin, std::size_t end) {
    if (hypothesis_[begin] == unknown) return 0;
    const GramInformation::Part& part = information_->part(hypothesis_[begin]);
    Start& start = starts_[begin];
    for (; begin + start.length < end && start.gram != no_gram; ++start.length) {
        start.gram = part.table.find(start.gram, hypothesis_[begin + start.length]);
    }
    return start.gram == no_gram ? 0 : part.bits[start.gram];
}

void NistKernel::operator()(const Segment& segment, std::size_t index, double* row) {
    const std::size_t order = information_->order();
    const std::size_t length = segment.hypothesis.size();
    corpus_ids(references_->vocabulary(index), corpus_ids_,
               [this](const Vocabulary& vocabulary, Token token) {
                   return information_->tokens().find(vocabulary, token);
               });
    hypothesis_.resize(length);
    for (std::size_t p = 0; p < length; ++p) {
        const Token token = segment.hypothesis[p];
        hypothesis_[p] = token == unknown ? unknown : corpus_ids_[static_cast<std::size_t>(token)];
    }
    starts_.assign(length, Start{});
    std::fill(row, row + columns(order), 0.0);
    matcher_.find(segment, order, [&](std::size_t end, std::size_t n) {
        row[n - 1] += bits(end + 1 - n, end + 1);
    });
    for (std::size_t n = 0; n < order && n < length; ++n) {
        row[order + n] = static_cast<double>(length - n);
    }
    double reference_words = 0;
    for (const Tokens reference : segment.references) {
        reference_words += static_cast<double>(reference.size());
    }
    row[2 * order] = static_cast<double>(length);
    row[2 * order + 1] = reference_words / static_cast<double>(segment.references.size());
}

}  // namespace tertium
