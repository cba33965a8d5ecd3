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

// The ASCII bytes of a kind.
constexpr ByteSet ascii_of(const TokenRules& rules, Kinds kind) {
    ByteSet set{};
    for (unsigned i = 0; i < 0x80; ++i) {
        const bool is = (rules.of_byte[i] & kind) != 0;
        set[i % 16] = static_cast<std::uint8_t>(set[i % 16] | is << i / 16);
    }
    return set;
}

// The group of characters that begin with two bytes. A filter sees the halves of bytes alone, and
// what it cannot tell apart by them it lets through, so that no group has leads with the halves of
// letters that another one keeps out.
constexpr unsigned group_of(unsigned lead, unsigned second) {
    switch (lead) {
        case 0xC2:
        case 0xE2:
            return 0;  // marks of all scripts
        case 0xCD:
        case 0xCF:
            return 1;  // Greek
        case 0xCE:
        case 0xD5:
        case 0xD8:
            return 3;  // Greek, Armenian, first half of Arabic
        case 0xD9:
        case 0xDB:
            return 4;  // other half of Arabic, Persian digits
        case 0xE0:
            // Samaritan; Devanagari and its kin, whose marks and digits end in high bytes; the
            // south of India to Tibet.
            return second < 0xA4 ? 7 : second < 0xB0 ? 5 : 1;
        case 0xE1:
        case 0xE3:
        case 0xEA:
        case 0xEF:
            return 6;  // among others, marks of Chinese and Japanese
        default:
            return lead >= 0xD0 && lead < 0xE0 ? 2 : 7;  // Hebrew; Latin and ideographs
    }
}

}  // namespace

// Of the first plane.
constexpr void LeadFilter::add(char32_t code) {
    const unsigned lead = code < 0x800 ? 0xC0 | code >> 6 : 0xE0 | code >> 12;
    if (lead == lone_lead) return;
    const unsigned next = code < 0x800 ? 0x80 | (code & 0x3F) : 0x80 | (code >> 6 & 0x3F);
    const auto group = static_cast<std::uint8_t>(1 << group_of(lead, next));
    this->lead.add(lead, group);
    second.add(next, group);
    if (code >= 0x800) return third.add(0x80 | (code & 0x3F), group);
    for (unsigned any = 0; any < 0x10; ++any) third.add(any << 4 | any, group);
}

namespace {

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
        if (special && code >= 0x80) rules.filter.add(code);
    }
    for (unsigned byte = 0x80; byte < 0x100; ++byte) {
        rules.of_byte[byte] = choice.rest;
        if (byte < 0xC0) rules.of_byte[byte] |= kind::inner;
        if (rules.of_properties[properties_behind(byte)] != choice.rest) {
            rules.of_byte[byte] |= kind::lookup;
        }
    }
    rules.ascii_blank = ascii_of(rules, kind::blank);
    rules.ascii_lone = ascii_of(rules, kind::lone);
    rules.ascii_number = ascii_of(rules, kind::number);
    rules.ascii_point = ascii_of(rules, kind::point);
    rules.ascii_dash = ascii_of(rules, kind::dash);
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
