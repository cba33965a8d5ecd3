#include "text/tokens/token_rules.hpp"

#include <algorithm>
#include <stdexcept>
#include <string_view>

namespace tertium::text::tokens {

constexpr CodePointTable code_points{};

namespace {

// The kind that a tokenization gives to each property, to ASCII characters, to all the rest.
struct Choice {
    Kinds punctuation = 0;
    Kinds symbol = 0;
    Kinds number = 0;
    Kinds chinese = 0;
    Kinds chinese_fixed = 0;
    bool western = false;  // the ASCII part of mteval-v13a
    Kinds rest = 0;
    bool padded = true;
};

constexpr Kinds western_kind(char byte) {
    constexpr std::string_view lone = "!\"#$%&()*+/:;<=>?@[\\]^_`{|}~";
    if (lone.find(byte) != std::string_view::npos) return kind::lone;
    if (byte == '.' || byte == ',') return kind::point;
    if (byte == '-') return kind::dash;
    return byte >= '0' && byte <= '9' ? kind::number : 0;
}

// The properties among the characters that begin with the byte `lead`. What fewer bytes could
// write begins with another one.
constexpr Properties properties_behind(unsigned lead) {
    const auto among = [](unsigned first, unsigned count, unsigned shortest) {
        return code_points.among(std::max(first, shortest), first + count - 1);
    };
    if (lead < 0xC2 || lead > 0xF4) return 0;
    if (lead < 0xE0) return among((lead & 0x1F) << 6, 0x40, 0x80);
    if (lead < 0xF0) return among((lead & 0x0F) << 12, 0x1000, 0x800);
    return among((lead & 0x07) << 18, 0x40000, 0x10000);
}

// The bytes of a kind among up to 128 from `first` on.
constexpr ByteSet bytes_of(const TokenRules& rules, Kinds kind, unsigned first) {
    ByteSet set{};
    for (unsigned i = 0; i < 0x80 && first + i < rules.of_byte.size(); ++i) {
        const bool is = (rules.of_byte[first + i] & kind) != 0;
        set[i % 16] = static_cast<std::uint8_t>(set[i % 16] | is << i / 16);
    }
    return set;
}

constexpr TokenRules build(const Choice& choice) {
    TokenRules rules;
    rules.padded = choice.padded;
    rules.rest = choice.rest;
    for (std::size_t set = 0; set < property::sets; ++set) {
        Kinds kinds = choice.rest;
        if (set & property::blank) kinds |= kind::blank;
        if (set & property::punctuation) kinds |= choice.punctuation;
        if (set & property::symbol) kinds |= choice.symbol;
        if (set & property::number) kinds |= choice.number;
        if (set & property::chinese) kinds |= choice.chinese;
        if (set & property::chinese_fixed) kinds |= choice.chinese_fixed;
        rules.of_properties[set] = kinds;
    }
    for (unsigned byte = 0; byte < 0x80; ++byte) {
        rules.of_byte[byte] = rules.of_properties[code_points[byte]];
        if (choice.western) rules.of_byte[byte] |= western_kind(static_cast<char>(byte));
    }
    for (char32_t code = 0; code < 0x10000; ++code) {
        const bool special = rules.of_properties[code_points[code]] != choice.rest;
        rules.special[code / 64] |= std::uint64_t{special} << code % 64;
    }
    for (unsigned byte = 0x80; byte < 0x100; ++byte) {
        rules.of_byte[byte] = choice.rest;
        if (byte < 0xC0) rules.of_byte[byte] |= kind::inner;
        if (rules.of_properties[properties_behind(byte)] != choice.rest) {
            rules.of_byte[byte] |= kind::lookup;
        }
    }
    for (std::size_t page = 0; page < rules.special.size(); ++page) {
        rules.special_pages[page / 64] |= std::uint64_t{rules.special[page] != 0} << page % 64;
    }
    rules.ascii_blank = bytes_of(rules, kind::blank, 0);
    rules.ascii_lone = bytes_of(rules, kind::lone, 0);
    rules.ascii_number = bytes_of(rules, kind::number, 0);
    rules.ascii_point = bytes_of(rules, kind::point, 0);
    rules.ascii_dash = bytes_of(rules, kind::dash, 0);
    rules.leads = bytes_of(rules, kind::lookup, 0xC0);
    return rules;
}

constexpr TokenRules none = build({});
constexpr TokenRules thirteen_a = build({.western = true});
constexpr TokenRules international = build(
    {.punctuation = kind::point, .symbol = kind::lone, .number = kind::number, .padded = false});
constexpr TokenRules character = build({.rest = kind::lone});
constexpr TokenRules chinese = build({.chinese = kind::lone, .western = true, .padded = false});
constexpr TokenRules chinese_fixed =
    build({.chinese_fixed = kind::lone, .western = true, .padded = false});

}  // namespace

const TokenRules& rules_of(Tokenization::Rules rules) {
    switch (rules) {
        case Tokenization::none:
            return none;
        case Tokenization::thirteen_a:
            return thirteen_a;
        case Tokenization::international:
            return international;
        case Tokenization::character:
            return character;
        case Tokenization::chinese:
            return chinese;
        case Tokenization::chinese_fixed:
            return chinese_fixed;
    }
    throw std::invalid_argument("no tokenization has this number");
}

}  // namespace tertium::text::tokens
