#include "text/tokens/porter.hpp"

#include <cstddef>
#include <span>
#include <vector>

#include "text/utf8.hpp"

namespace tertium::text::tokens {
namespace {

struct Rule {
    std::string_view suffix;
    std::string_view replacement;
};

// Where one suffix ends in another, the longer one comes first.
constexpr Rule second_step[] = {
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},     {"ousli", "ous"},
    {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},  {"iveness", "ive"},
    {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"}, {"biliti", "ble"},
    {"logi", "log"},
};
constexpr Rule third_step[] = {
    {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
    {"ical", "ic"},  {"ful", ""},   {"ness", ""},
};
constexpr std::string_view fourth_step[] = {
    "al",  "ance", "ence", "er", "ic",  "able", "ible", "ant", "ement", "ment",
    "ent", "sion", "tion", "ou", "ism", "ate",  "iti",  "ous", "ive",   "ize",
};

// NLTK's words of which no rule gives the stem.
constexpr Rule irregular_words[] = {
    {"skies", "sky"},      {"sky", "sky"},         {"dying", "die"},        {"lying", "lie"},
    {"tying", "tie"},      {"news", "news"},       {"innings", "inning"},   {"inning", "inning"},
    {"outings", "outing"}, {"outing", "outing"},   {"cannings", "canning"}, {"canning", "canning"},
    {"howe", "howe"},      {"proceed", "proceed"}, {"exceed", "exceed"},    {"succeed", "succeed"},
};

enum class Rules { porter, nltk };

class Stem {
  public:
    Stem(std::string_view word, Rules rules) : nltk_(rules == Rules::nltk) {
        for (std::size_t i = 0; i < word.size();) {
            const utf8::CodePoint point = utf8::decode(word, i);
            push(point.value);
            i += point.length;
        }
    }

    std::string operator()() {
        if (letters_.size() > 2) {
            cut_plural();
            cut_past_and_gerund();
            if (ends_in("y") && y_becomes_i(letters_.size() - 1)) replace(1, "i");
            if (nltk_) {
                replace_second_of_nltk();
            } else {
                replace_one(second_step);
            }
            replace_one(third_step);
            cut_one();
            cut_final_e();
            if (ends_in("ll") && measure(letters_.size()) > 1) replace(1, "");
        }
        std::string out;
        for (const char32_t letter : letters_) utf8::append(out, letter);
        return out;
    }

  private:
    // Whether a letter is a consonant depends only on the letters before it.
    void push(char32_t letter) {
        const bool vowel = letter == U'a' || letter == U'e' || letter == U'i' || letter == U'o' ||
                           letter == U'u' ||
                           (letter == U'y' && !letters_.empty() && consonants_.back());
        letters_.push_back(letter);
        consonants_.push_back(!vowel);
    }

    bool consonant(std::size_t i) const { return consonants_[i]; }

    // m of the first `end` letters, which are [C](VC)^m[V].
    int measure(std::size_t end) const {
        int changes = 0;
        for (std::size_t i = 1; i < end; ++i) {
            changes += consonant(i) && !consonant(i - 1) ? 1 : 0;
        }
        return changes;
    }

    bool has_vowel(std::size_t end) const {
        for (std::size_t i = 0; i < end; ++i) {
            if (!consonant(i)) return true;
        }
        return false;
    }

    bool ends_in_double_consonant() const {
        const std::size_t size = letters_.size();
        return size > 1 && letters_[size - 1] == letters_[size - 2] && consonant(size - 1);
    }

    bool y_becomes_i(std::size_t end) const {
        return nltk_ ? end > 1 && consonant(end - 1) : has_vowel(end);
    }

    // Consonant, vowel, consonant at the end of the first `end` letters, the last not w, x or y.
    // For NLTK, vowel and consonant are enough if they are all.
    bool ends_short(std::size_t end) const {
        if (nltk_ && end == 2) return !consonant(0) && consonant(1);
        if (end < 3 || !consonant(end - 1) || consonant(end - 2) || !consonant(end - 3)) {
            return false;
        }
        const char32_t last = letters_[end - 1];
        return last != U'w' && last != U'x' && last != U'y';
    }

    bool ends_in(std::string_view suffix) const {
        if (suffix.size() > letters_.size()) return false;
        const std::size_t begin = letters_.size() - suffix.size();
        for (std::size_t i = 0; i < suffix.size(); ++i) {
            if (letters_[begin + i] != static_cast<char32_t>(suffix[i])) return false;
        }
        return true;
    }

    void replace(std::size_t length, std::string_view by) {
        letters_.resize(letters_.size() - length);
        consonants_.resize(letters_.size());
        for (const char c : by) push(static_cast<char32_t>(c));
    }

    void cut_plural() {
        if (nltk_ && letters_.size() == 4 && ends_in("ies")) {
            replace(1, "");
        } else if (ends_in("sses")) {
            replace(2, "");
        } else if (ends_in("ies")) {
            replace(3, "i");
        } else if (ends_in("s") && !ends_in("ss")) {
            replace(1, "");
        }
    }

    void cut_past_and_gerund() {
        if (nltk_ && ends_in("ied")) {
            replace(letters_.size() == 4 ? 1 : 2, "");
            return;
        }
        if (ends_in("eed")) {
            if (measure(letters_.size() - 3) > 0) replace(1, "");
            return;
        }
        const std::size_t suffix = ends_in("ed") ? 2 : ends_in("ing") ? 3 : 0;
        if (suffix == 0 || !has_vowel(letters_.size() - suffix)) return;
        replace(suffix, "");
        if (ends_in("at") || ends_in("bl") || ends_in("iz")) {
            replace(0, "e");
        } else if (ends_in_double_consonant()) {
            if (!ends_in("l") && !ends_in("s") && !ends_in("z")) replace(1, "");
        } else if (measure(letters_.size()) == 1 && ends_short(letters_.size())) {
            replace(0, "e");
        }
    }

    void replace_one(std::span<const Rule> rules) {
        for (const Rule& rule : rules) {
            if (!ends_in(rule.suffix)) continue;
            if (measure(letters_.size() - rule.suffix.size()) > 0) {
                replace(rule.suffix.size(), rule.replacement);
            }
            return;
        }
    }

    // -alli goes first, and what it leaves is looked at again; the l of -logi is the stem's.
    void replace_second_of_nltk() {
        while (ends_in("alli") && measure(letters_.size() - 4) > 0) replace(2, "");
        if (ends_in("logi")) {
            if (measure(letters_.size() - 3) > 0) replace(1, "");
        } else if (ends_in("fulli")) {
            if (measure(letters_.size() - 5) > 0) replace(2, "");
        } else {
            replace_one(second_step);
        }
    }

    void cut_one() {
        for (const std::string_view suffix : fourth_step) {
            if (!ends_in(suffix)) continue;
            // Of -sion and -tion the first letter belongs to the stem.
            const std::size_t length = suffix.ends_with("ion") ? 3 : suffix.size();
            if (measure(letters_.size() - length) > 1) replace(length, "");
            return;
        }
    }

    void cut_final_e() {
        if (!ends_in("e")) return;
        const std::size_t end = letters_.size() - 1;
        const int stem = measure(end);
        if (stem > 1 || (stem == 1 && !ends_short(end))) replace(1, "");
    }

    bool nltk_;
    std::vector<char32_t> letters_;
    std::vector<bool> consonants_;
};

}  // namespace

std::string porter_stem(std::string_view word) {
    return Stem(word, Rules::porter)();
}

std::string nltk_porter_stem(std::string_view word) {
    for (const auto& [form, stem] : irregular_words) {
        if (form == word) return std::string(stem);
    }
    return Stem(word, Rules::nltk)();
}

}  // namespace tertium::text::tokens
