#include "text/tokens/token_block.hpp"

#include <random>
#include <string>
#include <vector>

#include "tests/check.hpp"
#include "text/utf8.hpp"

namespace tertium::tests {
namespace {

using namespace text::tokens;

constexpr Tokenization::Rules all_rules[] = {
    Tokenization::none,      Tokenization::thirteen_a, Tokenization::international,
    Tokenization::character, Tokenization::chinese,    Tokenization::chinese_fixed};

// What of a block means something, in words for a message.
std::string shown(const Block& block) {
    const Bits inside = ~Bits{0} >> (block_size - block.length);
    std::string out = std::to_string(block.begin) + '+' + std::to_string(block.length);
    for (const Bits bits :
         {block.blank, block.lone, block.number, block.point, block.dash, block.inner}) {
        out += ' ' + std::to_string(bits & inside);
    }
    return out;
}

void check_readers(const std::string& text) {
    const std::vector<ReadBlock> readers = block_readers();
    for (const Tokenization::Rules number : all_rules) {
        const TokenRules& rules = rules_of(number);
        for (std::size_t begin = 0; begin < text.size();) {
            const Block block = read_block(rules, text, begin);
            for (const ReadBlock read : readers) {
                CHECK_EQUAL(shown(read(rules, text, begin)), shown(block));
            }
            begin += block.length;
        }
    }
}

}  // namespace

TEST(blocks_of_every_character_are_read_alike) {
    std::string text;
    for (char32_t code = 0; code < 0x20000; ++code) {
        if (code < 0xD800 || code > 0xDFFF) text::utf8::append(text, code);
    }
    check_readers(text);
}

TEST(blocks_of_mixed_scripts_are_read_alike) {
    // Where the ranges begin from which characters are drawn: ASCII, Latin, Hebrew, Arabic, Hindi,
    // marks, Chinese and its marks, full width, pictures.
    constexpr char32_t ranges[] = {0x20,   0x30,   0x60,   0xA0,   0xC0,   0x5B0,
                                   0x600,  0x640,  0x900,  0x940,  0x1FF0, 0x2010,
                                   0x3000, 0x4DB0, 0x5200, 0xFF00, 0x1F600};
    std::mt19937 random(7);
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        const std::size_t length = 1 + random() % 90;
        for (std::size_t i = 0; i < length; ++i) {
            const char32_t first = ranges[random() % std::size(ranges)];
            text::utf8::append(text, first + static_cast<char32_t>(random() % 0x30));
        }
        check_readers(text);
    }
}

TEST(blocks_of_any_bytes_are_read_within_the_text) {
    std::mt19937 random(8);
    for (int round = 0; round < 3000; ++round) {
        // Of exactly this size, so that tools see a read past its end.
        std::vector<char> bytes(1 + random() % 140);
        for (char& byte : bytes) byte = static_cast<char>(random());
        const std::string_view text(bytes.data(), bytes.size());
        for (const Tokenization::Rules number : all_rules) {
            for (const ReadBlock read : block_readers()) {
                for (std::size_t begin = 0; begin < text.size();) {
                    const Block block = read(rules_of(number), text, begin);
                    CHECK(block.length >= 1 && block.length <= block_size);
                    begin += block.length;
                }
            }
        }
    }
}

}  // namespace tertium::tests
