// What METEOR knows of single words: synonym sets, function words, abbreviations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/meteor/sections.hpp"
#include "text/string_table.hpp"

namespace tertium::metrics::meteor {

class MeteorLexicon {
  public:
    // Reads a table that `build` made; the bytes must outlive the lexicon.
    explicit MeteorLexicon(Bytes table);

    // The texts are the files in Meteor's jar: words and synset numbers on alternate lines; base
    // forms and inflected forms on alternate lines; one function word a line; one abbreviation a
    // line, perhaps followed by #NUMERIC_ONLY#. `checksum` is kept as it is.
    static std::string build(std::string_view synsets, std::string_view exceptions,
                             std::string_view function_words, std::string_view abbreviations,
                             std::string_view checksum);

    std::string_view checksum() const { return checksum_; }

    // The synonym sets of a word and of its base forms, ascending, each once.
    void synsets(std::string_view word, std::vector<std::uint32_t>& out) const;
    bool is_function_word(std::string_view lowercased) const;

    enum class Abbreviation { none, always, before_number };
    Abbreviation abbreviation(std::string_view word) const;

  private:
    std::uint32_t base_form(std::string_view word) const;
    std::uint8_t flags(std::string_view word) const;

    std::string_view checksum_;
    text::StringTableView words_;
    std::span<const std::uint32_t> synset_begins_, synsets_;
    std::span<const std::uint32_t> base_begins_, bases_;
    std::span<const std::uint8_t> flags_;
};

// Splits where java.util.StringTokenizer does: at space, tab, newline, return and form feed.
template <class Take>
void for_each_word(std::string_view text, Take&& take) {
    constexpr std::string_view blanks = " \t\n\r\f";
    std::size_t begin = text.find_first_not_of(blanks);
    while (begin != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(blanks, begin), text.size());
        take(text.substr(begin, end - begin));
        begin = text.find_first_not_of(blanks, end);
    }
}

// Calls take(line) for every line, without its line feed and a carriage return before it.
template <class Take>
void for_each_line(std::string_view text, Take&& take) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        take(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

}  // namespace tertium::metrics::meteor
