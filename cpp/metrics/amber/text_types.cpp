#include "metrics/amber/text_types.hpp"

#include <algorithm>
#include <functional>

#include "core/hash_table.hpp"
#include "core/parallel.hpp"
#include "text/utf8.hpp"

namespace tertium::metrics::amber {
namespace {

constexpr std::size_t piece_letters = 4;
constexpr std::size_t ending_letters = 2;

void append(std::string& out, std::string_view piece) {
    if (!out.empty()) out.push_back(' ');
    out.append(piece);
}

// Bytes that the first `letters` letters take, all if the word has no more.
std::size_t bytes_of(std::string_view word, std::size_t letters) {
    std::size_t end = 0;
    while (letters > 0 && end < word.size()) {
        ++end;
        while (end < word.size() && text::utf8::is_continuation(word[end])) ++end;
        --letters;
    }
    return end;
}

std::string_view last(std::string_view word, std::size_t letters) {
    std::size_t begin = word.size();
    while (letters > 0 && begin > 0) {
        begin = text::utf8::previous(word, begin);
        --letters;
    }
    return word.substr(begin);
}

}  // namespace

void append_word(TextType type, std::string_view word, const TextTypeOptions& options,
                 std::string& out) {
    switch (type) {
        case TextType::original:
        case TextType::normalised:
            append(out, word);
            break;
        case TextType::first_letters:
            append(out, word.substr(0, bytes_of(word, piece_letters)));
            break;
        case TextType::last_letters:
            append(out, last(word, piece_letters));
            break;
        case TextType::ends: {
            const std::size_t first = bytes_of(word, piece_letters);
            append(out, word.substr(0, first));
            if (first < word.size()) append(out, last(word, ending_letters));
            break;
        }
        case TextType::pieces:
            while (!word.empty()) {
                const std::size_t piece = bytes_of(word, piece_letters);
                append(out, word.substr(0, piece));
                word.remove_prefix(piece);
            }
            break;
        case TextType::affixes: {
            const WordCut cut = options.affixes.cut(word);
            if (cut.root > 0) append(out, word.substr(0, cut.root));
            append(out, word.substr(cut.root, cut.suffix - cut.root));
            if (cut.suffix < word.size()) append(out, word.substr(cut.suffix));
            break;
        }
        case TextType::long_words:
            if (text::utf8::length(word) >= options.short_word) append(out, word);
            break;
    }
}

namespace {

// What the words of one worker become in the text of each type, made once for each distinct word:
// a third of the words of running text is new, of a corpus much less.
class TypedWords {
  public:
    TypedWords(const std::vector<TextType>& types, const TextTypeOptions& options)
        : types_(&types), options_(options) {}

    void append(std::string_view word, std::vector<std::string>& lines) {
        const std::size_t ends = number_of(word) * (types_->size() + 1);
        for (std::size_t t = 0; t < lines.size(); ++t) {
            const std::size_t begin = ends_[ends + t], size = ends_[ends + t + 1] - begin;
            if (size == 0) continue;
            std::string& line = lines[t];
            if (!line.empty()) line.push_back(' ');
            line.append(bytes_, begin, size);
        }
    }

  private:
    static constexpr std::size_t most_bytes = std::size_t{1} << 20;

    static std::uint64_t hash(std::string_view word) {
        return core::mixed(std::hash<std::string_view>{}(word));
    }

    std::size_t number_of(std::string_view word) {
        if (bytes_.size() > most_bytes) {
            index_.clear();
            words_.clear();
            ends_.clear();
            bytes_.clear();
        }
        const auto word_at = [&](std::uint32_t n) {
            return std::string_view(bytes_).substr(words_[n].begin, words_[n].size);
        };
        const std::uint64_t own_hash = hash(word);
        const std::uint32_t number = index_.intern(
            own_hash,
            [&](std::uint32_t n) { return words_[n].hash == own_hash && word_at(n) == word; },
            [&](std::uint32_t n) { return words_[n].hash; });
        if (number == words_.size()) {
            words_.push_back({own_hash, bytes_.size(), word.size()});
            bytes_.append(word);
            for (const TextType type : *types_) {
                ends_.push_back(bytes_.size());
                own_.clear();
                append_word(type, word, options_, own_);
                bytes_.append(own_);
            }
            ends_.push_back(bytes_.size());
        }
        return number;
    }

    struct Word {
        std::uint64_t hash;
        std::size_t begin, size;
    };
    const std::vector<TextType>* types_;
    TextTypeOptions options_;
    core::HashIndex index_;
    std::vector<Word> words_;
    std::vector<std::size_t> ends_;  // by word: where that of each type begins, and the end
    std::string bytes_, own_;
};

}  // namespace

std::vector<text::Texts> texts_of_types(const text::Texts& texts,
                                        text::tokens::Tokenization tokenization,
                                        const std::vector<TextType>& types,
                                        const TextTypeOptions& options) {
    constexpr std::size_t block = 512;
    const std::size_t blocks = (texts.size() + block - 1) / block;
    std::vector<std::vector<text::Texts>> parts(blocks);
    core::for_each_block(texts.size(), block, [&] {
        return [&, buffer = text::tokens::TokenBuffer{}, words = TypedWords(types, options),
                lines = std::vector<std::string>(types.size())](std::size_t begin,
                                                                std::size_t end) mutable {
            std::vector<text::Texts>& part = parts[begin / block];
            part.resize(types.size());
            for (std::size_t i = begin; i < end; ++i) {
                if (texts.missing(i)) {
                    for (text::Texts& text : part) text.append_missing();
                    continue;
                }
                text::tokens::tokenize(tokenization, texts[i], buffer);
                for (std::string& line : lines) line.clear();
                for (const std::string_view word : buffer.tokens) words.append(word, lines);
                for (std::size_t t = 0; t < types.size(); ++t) part[t].append(lines[t]);
            }
        };
    });
    std::vector<text::Texts> whole(types.size());
    for (std::size_t t = 0; t < types.size(); ++t) {
        std::size_t bytes = 0;
        for (const auto& part : parts) bytes += part[t].byte_size();
        whole[t].reserve(texts.size(), bytes);
        for (const auto& part : parts) whole[t].append(part[t], 0, part[t].size());
    }
    return whole;
}

}  // namespace tertium::metrics::amber
