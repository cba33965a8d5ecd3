#include "decode/mbr/chrf_pairs.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/parallel.hpp"
#include "decode/mbr/tokens.hpp"
#include "text/string_table.hpp"
#include "text/tokens/chrf_words.hpp"
#include "text/tokens/tokenizers.hpp"
#include "text/utf8.hpp"

namespace tertium::decode::mbr {
namespace {

// The characters of a text, whose numbers are their code points, and its words.
struct Reader {
    const metrics::ngram::ChrfOptions& options;
    text::StringTable vocabulary = {};
    text::tokens::TokenBuffer buffer = {};
    std::vector<core::Token> characters = {}, words = {};

    void read(std::string_view text) {
        characters.clear();
        words.clear();
        text::tokens::tokenize(text::tokens::Tokenization::none, text, buffer);
        if (options.whitespace) read_characters(text);
        for (const std::string_view token : buffer.tokens) {
            if (!options.whitespace) read_characters(token);
            if (options.word_order > 0) read_word(token);
        }
    }

    void read_characters(std::string_view text) {
        for (std::size_t p = 0; p < text.size();) {
            const text::utf8::CodePoint character = text::utf8::decode(text, p);
            characters.push_back(static_cast<core::Token>(character.value));
            p += character.length;
        }
    }

    void read_word(std::string_view token) {
        text::tokens::for_each_chrf_word(token, [&](std::string_view word) {
            words.push_back(static_cast<core::Token>(vocabulary.add(word)));
        });
    }
};

bool is_empty(const GramCounts& characters, const GramCounts& words, std::size_t text) {
    return characters.length(text) == 0 && words.length(text) == 0;
}

}  // namespace

ChrfPairs::ChrfPairs(const text::Texts& hypotheses, const text::Texts& references,
                     const metrics::ngram::ChrfOptions& options)
    : options_(options), characters_(options.character_order), words_(options.word_order) {
    Reader reader{options_};
    for (std::size_t h = 0; h < hypotheses.size(); ++h) {
        reader.read(hypotheses[h]);
        characters_.hypotheses.add(reader.characters, characters_.table);
        words_.hypotheses.add(reader.words, words_.table);
    }
    for (std::size_t r = 0; r < references.size(); ++r) {
        reader.read(references[r]);
        characters_.references.add_known(reader.characters, characters_.table);
        words_.references.add_known(reader.words, words_.table);
    }
}

void ChrfPairs::utilities(double* scores) const {
    const GramMatcher characters(characters_.hypotheses, characters_.table.size());
    const GramMatcher words(words_.hypotheses, words_.table.size());
    const std::size_t stride = characters.stride();
    constexpr std::size_t block = 8;  // neighbours that share a cache line of the result
    core::for_each_block(references(), block, [&] {
        return [&, scratch = GramMatcher::Scratch{},
                matches = std::vector<std::uint32_t>(options_.orders() * stride),
                row = std::vector<double>(metrics::ngram::ChrfKernel::columns(options_))](
                   std::size_t begin, std::size_t end) mutable {
            for (std::size_t r = begin; r < end; ++r) {
                std::uint32_t* of_words = matches.data() + options_.character_order * stride;
                characters.count(characters_.references, r, matches.data(), scratch);
                words.count(words_.references, r, of_words, scratch);
                const auto fill = [&](const Side& side, std::size_t h, const std::uint32_t* matched,
                                      double* out) {
                    for (std::size_t n = 0; n < side.references.orders(); ++n, out += 3) {
                        const std::size_t total = side.references.total(r, n);
                        // As in sacreBLEU: an order that the reference lacks counts not.
                        out[0] = total > 0 ? static_cast<double>(side.hypotheses.total(h, n)) : 0;
                        out[1] = static_cast<double>(total);
                        out[2] = matched[n * stride + h];
                    }
                };
                for (std::size_t h = 0; h < hypotheses(); ++h) {
                    fill(characters_, h, matches.data(), row.data());
                    fill(words_, h, of_words, row.data() + 3 * options_.character_order);
                    const bool nothing = is_empty(characters_.hypotheses, words_.hypotheses, h) &&
                                         is_empty(characters_.references, words_.references, r);
                    scores[h * references() + r] =
                        nothing ? 100 : 100 * metrics::ngram::chrf_score(row.data(), options_);
                }
            }
        };
    });
}

void ChrfPairs::against_mean(std::span<const double> weights, double* rows) const {
    if (weights.size() != references()) {
        throw std::invalid_argument("chrF: found " + std::to_string(weights.size()) +
                                    " probabilities, expected one for each reference");
    }
    const auto fill = [&](const Side& side, double* out) {
        const std::size_t orders = side.references.orders();
        const std::vector<double> means = mean_counts(side.references, weights, side.table.size());
        std::vector<double> totals(orders, 0.0), matches(orders);
        for (std::size_t r = 0; r < references(); ++r) {
            for (std::size_t n = 0; n < orders; ++n) {
                totals[n] += weights[r] * static_cast<double>(side.references.total(r, n));
            }
        }
        for (std::size_t h = 0; h < hypotheses();
             ++h, out += metrics::ngram::ChrfKernel::columns(options_)) {
            match_mean(side.hypotheses, h, means, matches.data());
            for (std::size_t n = 0; n < orders; ++n) {
                const auto total = static_cast<double>(side.hypotheses.total(h, n));
                out[3 * n] = totals[n] > 0 ? total : 0;
                out[3 * n + 1] = totals[n];
                out[3 * n + 2] = matches[n];
            }
        }
    };
    fill(characters_, rows);
    fill(words_, rows + 3 * options_.character_order);
    for (std::size_t h = 0; h < hypotheses();
         ++h, rows += metrics::ngram::ChrfKernel::columns(options_)) {
        const bool text = !is_empty(characters_.hypotheses, words_.hypotheses, h);
        rows[3 * options_.orders()] = text && rows[1] == 0 ? 1.0 : 0.0;
    }
}

}  // namespace tertium::decode::mbr
