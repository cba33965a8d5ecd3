#include "decode/mbr/tokens.hpp"

#include <string>

#include "text/string_table.hpp"

namespace tertium {
namespace {

void read(const Texts& texts, Tokenization tokenization, StringTable& words, TokenLists& out) {
    TokenBuffer buffer;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        tokenize(tokenization, texts[i], buffer);
        for (const std::string_view word : buffer.tokens) {
            out.push(static_cast<Token>(words.add(word)));
        }
        out.close();
    }
}

Texts rouge_words(const Texts& texts, RougeText text) {
    Texts out;
    std::string words;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        write_rouge_words(text, texts[i], words);
        out.append(words);
    }
    return out;
}

}  // namespace

PairTokens pair_tokens(const Texts& hypotheses, const Texts& references,
                       Tokenization tokenization) {
    PairTokens out;
    StringTable words;
    read(hypotheses, tokenization, words, out.hypotheses);
    read(references, tokenization, words, out.references);
    out.vocabulary = words.size();
    return out;
}

PairTokens pair_rouge_words(const Texts& hypotheses, const Texts& references, RougeText text) {
    return pair_tokens(rouge_words(hypotheses, text), rouge_words(references, text),
                       Tokenization::none);
}

void ReferenceNumbers::define(Tokens reference) {
    for (const Token word : words_) numbers_[static_cast<std::size_t>(word)] = unknown;
    words_.assign(reference.begin(), reference.end());
    reference_.clear();
    distinct_ = 0;
    for (const Token word : reference) {
        Token& number = numbers_[static_cast<std::size_t>(word)];
        if (number == unknown) number = static_cast<Token>(distinct_++);
        reference_.push_back(number);
    }
}

Tokens ReferenceNumbers::translate(Tokens hypothesis) {
    hypothesis_.resize(hypothesis.size());
    for (std::size_t t = 0; t < hypothesis.size(); ++t) {
        hypothesis_[t] = numbers_[static_cast<std::size_t>(hypothesis[t])];
    }
    return hypothesis_;
}

}  // namespace tertium
