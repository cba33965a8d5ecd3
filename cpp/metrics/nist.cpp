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
    word_count_ = static_cast<Gram>(tokens_.size());
    std::vector<double> counts(word_count_, 0.0);
    for (const Token word : words) counts[static_cast<std::size_t>(word)] += 1;
    word_bits_.resize(word_count_);
    const auto total = static_cast<double>(words.size());
    for (std::size_t w = 0; w < counts.size(); ++w) word_bits_[w] = std::log2(total / counts[w]);
    for_each_block(part_count, 1, [&] {
        return [&](std::size_t number, std::size_t) { count_part(number, words, ends, counts); };
    });
}

void GramInformation::count_part(std::size_t number, const std::vector<Token>& words,
                                 const std::vector<std::size_t>& ends,
                                 const std::vector<double>& word_counts) {
    Part& part = parts_[number];
    std::vector<double> counts;
    std::vector<double> before;  // how often what an n-gram begins with occurs
    std::vector<Start> starts;
    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        for (std::size_t p = begin; p + 1 < end; ++p) {
            if (part_of(words[p]) == number &&
                word_counts[static_cast<std::size_t>(words[p])] > 1) {
                starts.push_back({p, end, static_cast<Gram>(words[p])});
            }
        }
        begin = end;
    }
    part.table.clear(starts.size() + starts.size() / 2);
    for (std::size_t n = 1; n < order_; ++n) {
        for (Start& start : starts) {
            const Gram prefix = start.gram;
            const Gram gram = part.table.intern(prefix, words[start.place + n]);
            if (gram == counts.size()) {
                counts.push_back(0);
                before.push_back(n == 1 ? word_counts[prefix] : counts[prefix - word_count_]);
            }
            counts[gram] += 1;
            start.gram = word_count_ + gram;
        }
        std::erase_if(starts, [&](const Start& start) {
            return counts[start.gram - word_count_] < 2 || start.place + n + 1 == start.end;
        });
    }
    part.bits.resize(counts.size());
    for (std::size_t g = 0; g < counts.size(); ++g) part.bits[g] = std::log2(before[g] / counts[g]);
}

Gram GramInformation::longer(Token first, Gram gram, Token last) const {
    const Gram found = parts_[part_of(first)].table.find(gram, last);
    return found == no_gram ? no_gram : word_count_ + found;
}

double GramInformation::bits(Token first, Gram gram) const {
    if (gram == no_gram) return 0;
    return gram < word_count_ ? word_bits_[gram] : parts_[part_of(first)].bits[gram - word_count_];
}

// Of an n-gram and its beginning only one is looked up anew, since the shorter comes first.
double NistKernel::bits(std::size_t begin, std::size_t end) {
    const Token first = hypothesis_[begin];
    if (first == unknown) return 0;
    Start& start = starts_[begin];
    if (start.length == 0) start = {static_cast<Gram>(first), 1};
    for (; begin + start.length < end && start.gram != no_gram; ++start.length) {
        start.gram = information_->longer(first, start.gram, hypothesis_[begin + start.length]);
    }
    return information_->bits(first, start.gram);
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
