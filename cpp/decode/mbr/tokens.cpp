#include "decode/mbr/tokens.hpp"

#include <string>

#include "core/interrupt.hpp"
#include "text/string_table.hpp"

namespace tertium::decode::mbr {
namespace {

void read(const text::Texts& texts, text::tokens::Tokenization tokenization,
          text::StringTable& words, TokenLists& out) {
    text::tokens::TokenBuffer buffer;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        core::check_interrupt();
        text::tokens::tokenize(tokenization, texts[i], buffer);
        for (const std::string_view word : buffer.tokens) {
            out.push(static_cast<core::Token>(words.add(word)));
        }
        out.close();
    }
}

text::Texts rouge_words(const text::Texts& texts, metrics::ngram::RougeText text) {
    text::Texts out;
    std::string words;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        metrics::ngram::write_rouge_words(text, texts[i], words);
        out.append(words);
    }
    return out;
}

}  // namespace

PairTokens pair_tokens(const text::Texts& hypotheses, const text::Texts& references,
                       text::tokens::Tokenization tokenization) {
    PairTokens out;
    text::StringTable words;
    read(hypotheses, tokenization, words, out.hypotheses);
    read(references, tokenization, words, out.references);
    out.vocabulary = words.size();
    return out;
}

PairTokens pair_rouge_words(const text::Texts& hypotheses, const text::Texts& references,
                            metrics::ngram::RougeText text) {
    return pair_tokens(rouge_words(hypotheses, text), rouge_words(references, text),
                       text::tokens::Tokenization::none);
}

void ReferenceNumbers::define(core::Tokens reference) {
    for (const core::Token word : words_) numbers_[static_cast<std::size_t>(word)] = core::unknown;
    words_.assign(reference.begin(), reference.end());
    reference_.clear();
    distinct_ = 0;
    for (const core::Token word : reference) {
        core::Token& number = numbers_[static_cast<std::size_t>(word)];
        if (number == core::unknown) number = static_cast<core::Token>(distinct_++);
        reference_.push_back(number);
    }
}

core::Tokens ReferenceNumbers::translate(core::Tokens hypothesis) {
    hypothesis_.resize(hypothesis.size());
    for (std::size_t t = 0; t < hypothesis.size(); ++t) {
        hypothesis_[t] = numbers_[static_cast<std::size_t>(hypothesis[t])];
    }
    return hypothesis_;
}

}  // namespace tertium::decode::mbr
