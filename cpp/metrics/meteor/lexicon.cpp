#include "metrics/meteor/lexicon.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "text/utf8.hpp"

namespace tertium::metrics::meteor {
namespace {

constexpr std::uint8_t function_word = 1;
constexpr std::uint8_t abbreviated = 2;
constexpr std::uint8_t abbreviated_before_number = 4;

// WordNet's rules of detachment, in the order in which Meteor tries them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> detachments = {{
    {"s", ""},      {"ses", "s"},   {"xes", "x"}, {"zes", "z"}, {"ches", "ch"},
    {"shes", "sh"}, {"men", "man"}, {"ies", "y"}, {"s", ""},    {"ies", "y"},
    {"es", "e"},    {"es", ""},     {"ed", "e"},  {"ed", ""},   {"ing", "e"},
    {"ing", ""},    {"er", ""},     {"est", ""},  {"er", "e"},  {"est", "e"},
}};

std::size_t utf16_length(std::string_view text) {
    std::size_t units = 0;
    for (const char byte : text) {
        units += !text::utf8::is_continuation(byte);
        units += static_cast<unsigned char>(byte) >= 0xF0;
    }
    return units;
}

std::uint32_t parsed_number(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) {
        throw std::invalid_argument("synonyms: found '" + std::string(text) +
                                    "', expected a synset number");
    }
    return number;
}

// Lists of numbers by word, as two arrays.
void add_lists(SectionWriter& out, const std::vector<std::vector<std::uint32_t>>& lists) {
    std::vector<std::uint32_t> begins{0};
    std::vector<std::uint32_t> items;
    for (const auto& list : lists) {
        items.insert(items.end(), list.begin(), list.end());
        begins.push_back(static_cast<std::uint32_t>(items.size()));
    }
    out.add(begins);
    out.add(items);
}

}  // namespace

std::string MeteorLexicon::build(std::string_view synsets, std::string_view exceptions,
                                 std::string_view function_words, std::string_view abbreviations,
                                 std::string_view checksum) {
    struct Entry {
        std::vector<std::uint32_t> synsets, bases;
        std::uint8_t flags = 0;
    };
    text::StringTable words;
    std::vector<Entry> entries;
    const auto id_of = [&](std::string_view word) {
        const std::uint32_t id = words.add(word);
        if (id == entries.size()) entries.emplace_back();
        return id;
    };
    std::uint32_t current = text::no_string;
    for_each_line(synsets, [&](std::string_view line) {
        if (current == text::no_string) {
            current = id_of(line);
            entries[current].synsets.clear();
            return;
        }
        auto& list = entries[current].synsets;
        for_each_word(line,
                      [&](std::string_view number) { list.push_back(parsed_number(number)); });
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        current = text::no_string;
    });
    for_each_line(exceptions, [&](std::string_view line) {
        if (current == text::no_string) {
            current = id_of(line);
            return;
        }
        for_each_word(line, [&](std::string_view inflected) {
            entries[id_of(inflected)].bases.push_back(current);
        });
        current = text::no_string;
    });
    for_each_line(function_words, [&](std::string_view line) {
        if (!line.empty()) entries[id_of(line)].flags |= function_word;
    });
    for_each_line(abbreviations, [&](std::string_view line) {
        std::vector<std::string_view> parts;
        for_each_word(line, [&](std::string_view part) { parts.push_back(part); });
        if (parts.empty() || parts[0].starts_with('#')) return;
        const bool numeric = parts.size() > 1 && parts[1] == "#NUMERIC_ONLY#";
        std::uint8_t& flags = entries[id_of(parts[0])].flags;
        flags &= static_cast<std::uint8_t>(~(abbreviated | abbreviated_before_number));
        flags |= numeric ? abbreviated_before_number : abbreviated;
    });

    std::vector<std::vector<std::uint32_t>> synset_lists, base_lists;
    std::vector<std::uint8_t> flags;
    for (Entry& entry : entries) {
        synset_lists.push_back(std::move(entry.synsets));
        base_lists.push_back(std::move(entry.bases));
        flags.push_back(entry.flags);
    }
    SectionWriter out(TableKind::lexicon);
    out.add(checksum);
    out.add(words);
    add_lists(out, synset_lists);
    add_lists(out, base_lists);
    out.add(flags);
    return out.finish();
}

MeteorLexicon::MeteorLexicon(Bytes table) {
    SectionReader in(table, TableKind::lexicon);
    checksum_ = in.next_text();
    words_ = in.next_strings();
    synset_begins_ = in.next<std::uint32_t>();
    synsets_ = in.next<std::uint32_t>();
    base_begins_ = in.next<std::uint32_t>();
    bases_ = in.next<std::uint32_t>();
    flags_ = in.next<std::uint8_t>();
}

// As WordNet's morphological processor in Meteor's reading: short words and words in -ss are
// their own base form; otherwise the first rule that leads to a known word decides.
std::uint32_t MeteorLexicon::base_form(std::string_view word) const {
    if (word.ends_with("ss") || utf16_length(word) <= 2) return words_.find(word);
    std::string candidate;
    for (const auto& [suffix, ending] : detachments) {
        if (!word.ends_with(suffix)) continue;
        candidate.assign(word.substr(0, word.size() - suffix.size())).append(ending);
        const std::uint32_t id = words_.find(candidate);
        if (!items_of(synset_begins_, synsets_, id).empty()) return id;
    }
    return text::no_string;
}

void MeteorLexicon::synsets(std::string_view word, std::vector<std::uint32_t>& out) const {
    out.clear();
    const auto take = [&](std::uint32_t id) {
        const auto found = items_of(synset_begins_, synsets_, id);
        out.insert(out.end(), found.begin(), found.end());
    };
    const std::uint32_t id = words_.find(word);
    take(id);
    const auto bases = items_of(base_begins_, bases_, id);
    for (const std::uint32_t base : bases) take(base);
    if (bases.empty()) take(base_form(word));
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
}

std::uint8_t MeteorLexicon::flags(std::string_view word) const {
    const std::uint32_t id = words_.find(word);
    return id < flags_.size() ? flags_[id] : 0;
}

bool MeteorLexicon::is_function_word(std::string_view lowercased) const {
    return (flags(lowercased) & function_word) != 0;
}

MeteorLexicon::Abbreviation MeteorLexicon::abbreviation(std::string_view word) const {
    const std::uint8_t found = flags(word);
    if (found & abbreviated) return Abbreviation::always;
    return found & abbreviated_before_number ? Abbreviation::before_number : Abbreviation::none;
}

}  // namespace tertium::metrics::meteor
