// Which characters the Chinese tokenizations set apart as tokens of their own.
#pragma once

#include "text/tokens/unicode_tables.hpp"

namespace tertium::text::tokens {

// `zh`: what sacreBLEU 2.6.0 does. Its table is one of one-character strings, but two rows,
// '\u20000'–'\u2a6d6' (meant: Extension B) and '\u2f800'–'\u2fa1d' (meant: the compatibility
// supplement), are read by Python as strings of two characters, and comparing a character with
// those makes the rows mean U+2001–U+2A6D and U+2F81–U+2FA1. So general punctuation ('…'),
// currency signs, arrows and the like count as Chinese, and nothing beyond U+FFFF does.
inline constexpr CodePointRange chinese_ranges[] = {
    {0x2001, 0x2A6D},  // the first misread row; covers U+2600–U+27BF, named by two others
    {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF},  // covers the second misread row
    {0x2FF0, 0x2FFF}, {0x3000, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0x31C0, 0x31EF},
    {0x3200, 0x32FF}, {0x3300, 0x33FF}, {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D},
    {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9}, {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
};

// `zh-fixed`: the blocks that table means (sacreBLEU issue 298), by code point, each to the end
// of its block so that ideographs added since Unicode 4.1 count. Planes 2 and 3 count whole:
// Unicode keeps both for ideographs, so extensions to come need no new row. Kana (U+3040–U+30FF)
// and Hangul are in no row of sacreBLEU's table and stay out here, but for the halfwidth forms.
inline constexpr CodePointRange chinese_fixed_ranges[] = {
    {0x2600, 0x26FF},    // miscellaneous symbols
    {0x2700, 0x27BF},    // dingbats
    {0x2E80, 0x2EFF},    // CJK radicals supplement
    {0x2F00, 0x2FDF},    // Kangxi radicals
    {0x2FF0, 0x2FFF},    // ideographic description characters
    {0x3000, 0x303F},    // CJK symbols and punctuation
    {0x3100, 0x312F},    // bopomofo
    {0x31A0, 0x31BF},    // bopomofo extended
    {0x31C0, 0x31EF},    // CJK strokes
    {0x3200, 0x32FF},    // enclosed CJK letters and months
    {0x3300, 0x33FF},    // CJK compatibility
    {0x3400, 0x4DBF},    // CJK unified ideographs extension A
    {0x4E00, 0x9FFF},    // CJK unified ideographs
    {0xF900, 0xFAFF},    // CJK compatibility ideographs
    {0xFE10, 0xFE1F},    // vertical forms
    {0xFE30, 0xFE4F},    // CJK compatibility forms
    {0xFF00, 0xFFEF},    // halfwidth and fullwidth forms
    {0x20000, 0x2FFFF},  // supplementary ideographic plane: extensions B–F, I, compatibility
    {0x30000, 0x3FFFF},  // tertiary ideographic plane: extensions G, H, J
};

}  // namespace tertium::text::tokens
