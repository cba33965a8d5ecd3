#include "text/tokens/tokenizers.hpp"

#include <map>
#include <string>

#include "fuzz/target.hpp"
#include "text/token_numbers.hpp"
#include "text/tokens/token_block.hpp"
#include "text/tokens/token_rules.hpp"

namespace tertium::fuzz {
namespace {

using namespace text::tokens;

// What of a block means something.
bool same(const Block& one, const Block& other) {
    if (one.begin != other.begin || one.length != other.length) return false;
    const Bits inside = ~Bits{0} >> (block_size - one.length);
    const Bits differ = (one.blank ^ other.blank) | (one.lone ^ other.lone) |
                        (one.number ^ other.number) | (one.point ^ other.point) |
                        (one.dash ^ other.dash) | (one.inner ^ other.inner);
    return (differ & inside) == 0;
}

void check_blocks(const TokenRules& rules, const std::string& text) {
    static const std::vector<ReadBlock> readers = block_readers();
    for (std::size_t begin = 0; begin < text.size();) {
        const Block block = read_block(rules, text, begin);
        for (const ReadBlock read : readers) EXPECT(same(block, read(rules, text, begin)));
        EXPECT(block.length >= 1 && block.length <= text.size() - begin);
        begin += block.length;
    }
}

std::string joined(const TokenList& tokens, std::string_view between) {
    std::string out;
    for (const std::string_view token : tokens) {
        if (!out.empty()) out += between;
        out += token;
    }
    return out;
}

// A token has the number of its first equal.
void check_numbers(Tokenization kind, const std::string& text, const TokenBuffer& buffer) {
    text::TokenNumbers numbers(kind);
    std::vector<core::Token> found, again;
    numbers.clear();
    numbers.intern(text, found);
    std::map<std::string_view, core::Token> plain;
    EXPECT(found.size() == buffer.tokens.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto next = static_cast<core::Token>(plain.size());
        EXPECT(plain.try_emplace(buffer.tokens[i], next).first->second == found[i]);
    }
    numbers.find(text, again);
    EXPECT(found == again);
}

}  // namespace

// The fastest reader of blocks is the plain one; tokens are the text without its blanks, have no
// blank, and are numbered as they are cut; cutting what was cut changes nothing.
FUZZ_TARGET(tokenizers) {
    const auto rules = static_cast<Tokenization::Rules>(input.below(6));
    const Tokenization kind(rules, input.byte() % 4 != 0);
    const std::string_view raw = input.bytes();
    const std::string text = Input::as_utf8(raw);
    TokenBuffer buffer, again;
    tokenize(kind, raw, buffer);  // any bytes: it ends, within memory
    tokenize(kind, text, buffer);
    check_blocks(rules_of(rules), text);
    check_numbers(kind, text, buffer);
    for (const std::string_view token : buffer.tokens) EXPECT(!token.empty());
    const std::string spaced = joined(buffer.tokens, " ");
    if (rules == Tokenization::none || rules == Tokenization::character) {
        tokenize(rules, spaced, again);
        EXPECT(again.tokens == buffer.tokens);
    }
    if (!kind.punctuation || rules == Tokenization::thirteen_a) return;
    tokenize(Tokenization::none, text, again);
    EXPECT(joined(buffer.tokens, "") == joined(again.tokens, ""));
}

}  // namespace tertium::fuzz
