// The tokenizations of mteval-v13a, -v14 and their kin without regular expressions. token_rules.hpp
// explains to which five kinds of characters the expressions come down; this file finds tokens.
//
// The text is cut in blocks of at most 64 bytes that end where a character ends (token_block.hpp).
// A block is one 64-bit word per kind, bit i for byte i, made by table lookup, AVX2 or AVX-512.
// Where tokens begin and end is then bit arithmetic on 64 bytes at once, without a branch per
// character:
//  - a token starts where text follows a blank, and on either side of a character that stands
//    alone;
//  - a token ends where a blank follows text, and where another one starts.
// Starts and ends alternate, so they are taken from the two words in pairs.
//
// Only points (periods and commas) need more than their neighbors: whether one binds to a number
// depends on how many points precede it, for the expressions consume them two by two (`binds`). The
// walk back happens only for points before a number, which a run has one of at most.
//
// Three bits go from block to block: whether a token is open, whether the last character stands
// alone, whether it is a number. Bits beyond Block::length are undefined and have to be masked with
// `inside` before they count. All bytes of a character have its kind, so that a start never falls
// within one (`inner`). Tokens are views into the text; `take` writes up to three entries beyond
// the last, for which room(block_size) leaves space. Splitter is inlined into a loop per
// instruction set; what it calls is compiled for the baseline unless it is inlined too.
#include "text/tokens/token_split.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "core/processor.hpp"
#include "text/tokens/token_block.hpp"
#include "text/tokens/token_vectors.hpp"
#include "text/utf8.hpp"

namespace tertium::text::tokens {
namespace {

Kinds kinds_at(const TokenRules& rules, std::string_view text, std::size_t position) {
    const Kinds kinds = rules.of_byte[static_cast<unsigned char>(text[position])];
    if (!(kinds & kind::lookup)) return kinds;
    return rules.of_properties[code_points[utf8::decode(text, position).value]];
}

// Whether the point that ends before `end`, and after which a number follows (or, unpadded, the
// text ends), is left attached to what follows and, if that is a number, to what precedes.
//
// The regular expressions take points two by two. First `([^0-9])([.,])` sets apart each point
// that it reaches as its second character; a point it consumes as its first character is set
// apart by `([.,])([^0-9])`, which finds the blank put in between. In a run of points after a
// number (or, unpadded, where the text begins) pairs begin with the first point, otherwise with
// the character before it; the point that is left over at the end of the run, if one is, has
// only a following non-number to set it apart.
//
// A run ends once, so walking back through it keeps the whole linear.
bool binds(const TokenRules& rules, std::string_view text, std::size_t end) {
    bool odd = false;
    while (end > 0) {
        end = utf8::previous(text, end);
        const Kinds kinds = kinds_at(rules, text, end);
        if (!(kinds & kind::point)) return odd == ((kinds & kind::number) != 0);
        odd = !odd;
    }
    return odd == !rules.padded;
}

// The points of the block that are not tokens of their own.
inline Bits bound_points(const TokenRules& rules, std::string_view text, const Block& block) {
    Bits number_next = block.number >> 1;
    const Bits last_of_block = Bits{1} << (block.length - 1);
    if (block.point & last_of_block) {
        const std::size_t end = block.begin + block.length;
        const bool number_after =
            end == text.size() ? !rules.padded : (kinds_at(rules, text, end) & kind::number) != 0;
        number_next = (number_next & ~last_of_block) | (number_after ? last_of_block : 0);
    }
    const Bits inside = last_of_block | (last_of_block - 1);
    Bits left = block.point & number_next & inside;
    if (left == 0) return 0;
    // A single point behind anything but a number binds not: no walk back has to find that out.
    // What is before the block is not looked at.
    const Bits behind = (block.number | block.point) << 1 | 1;
    Bits single = block.point & ~block.inner & ~behind;
    for (int i = 0; i < 3; ++i) single |= single << 1 & block.inner;
    Bits bound = 0;
    for (left &= ~single; left != 0; left &= left - 1) {
        const std::size_t last = lowest(left);
        if (!binds(rules, text, block.begin + last + 1)) continue;
        const std::size_t first = utf8::previous(text, block.begin + last + 1) - block.begin;
        bound |= ((Bits{2} << (last - first)) - 1) << first;
    }
    return bound;
}

// What is known between two blocks. Inlined where blocks are read, so that all bits of a block stay
// in registers.
class Splitter {
  public:
    TERTIUM_INLINE Splitter(const TokenRules& rules, std::string_view text, TokenList& tokens)
        : rules_(rules), text_(text), tokens_(tokens) {
        tokens.clear();
    }

    TERTIUM_INLINE void take(const Block& block) {
        const std::size_t begin = block.begin;
        const Bits inside = ~Bits{0} >> (block_size - block.length);
        const Bits dash_after_number = block.dash & (block.number << 1 | Bits{after_number_});
        const Bits lone =
            block.lone | dash_after_number | (block.point & ~bound_points(rules_, text_, block));
        const Bits beside_lone = lone | lone << 1 | Bits{after_lone_};
        const Bits covered = ~block.blank & inside;
        const Bits after_covered = covered << 1 | Bits{open_};
        Bits starts = covered & (~after_covered | (beside_lone & ~block.inner));
        Bits ends = after_covered & (block.blank | starts) & inside;

        // Starts and ends alternate, beginning with the end of the token left open, if any. Some
        // tokens are written at once, and what is written behind the last one means nothing.
        const auto place = [&](Bits bits) { return std::min(begin + lowest(bits), text_.size()); };
        std::size_t token = open_ ? token_ : place(starts);
        token_ = starts != 0 ? begin + highest(starts) : token_;
        starts &= open_ ? starts : starts - 1;
        std::string_view* out = tokens_.room(block_size);
        std::string_view* const end = out + std::popcount(ends);
        while (out < end) {
            for (std::size_t i = 0; i < at_once; ++i) {
                *out++ = {text_.data() + token, begin + lowest(ends) - token};
                token = place(starts);
                starts &= starts - 1;
                ends &= ends - 1;
            }
        }
        tokens_.end_at(end);
        const auto at_last = [&](Bits bits) { return (bits >> (block.length - 1) & 1) != 0; };
        open_ = at_last(covered);
        after_lone_ = at_last(lone);
        after_number_ = at_last(block.number);
    }

    TERTIUM_INLINE void finish() {
        if (open_) tokens_.push_back(text_.substr(token_));
    }

  private:
    static constexpr std::size_t at_once = 4;
    static_assert(block_size % at_once == 0);

    const TokenRules& rules_;
    std::string_view text_;
    TokenList& tokens_;
    std::size_t token_ = 0;  // where the open token begins
    // Of the byte before the block: does it belong to a token, to a lone character, to a number?
    bool open_ = false;
    bool after_lone_ = false;
    bool after_number_ = false;
};

#ifdef TERTIUM_AVX2

TERTIUM_AVX2 void split_by_vectors(const TokenRules& rules, std::string_view text,
                                   TokenList& tokens) {
    Splitter splitter(rules, text, tokens);
    for (std::size_t begin = 0; begin < text.size();) {
        const Block block = read_block_by_vectors(rules, text, begin);
        splitter.take(block);
        begin += block.length;
    }
    splitter.finish();
}

TERTIUM_AVX512 void split_by_wide_vectors(const TokenRules& rules, std::string_view text,
                                          TokenList& tokens) {
    Splitter splitter(rules, text, tokens);
    for (std::size_t begin = 0; begin < text.size();) {
        const Block block = read_block_by_wide_vectors(rules, text, begin);
        splitter.take(block);
        begin += block.length;
    }
    splitter.finish();
}

#endif

}  // namespace

void split_tokens(const TokenRules& rules, std::string_view text, TokenList& tokens) {
#ifdef TERTIUM_AVX2
    if (core::has_avx512()) return split_by_wide_vectors(rules, text, tokens);
    if (core::has_avx2()) return split_by_vectors(rules, text, tokens);
#endif
    Splitter splitter(rules, text, tokens);
    for (std::size_t begin = 0; begin < text.size();) {
        const Block block = read_block(rules, text, begin);
        splitter.take(block);
        begin += block.length;
    }
    splitter.finish();
}

std::string_view without_leading_blanks(std::string_view text) {
    while (!text.empty()) {
        const utf8::CodePoint first = utf8::decode(text, 0);
        if (!(code_points[first.value] & property::blank)) break;
        text.remove_prefix(first.length);
    }
    return text;
}

std::string_view without_trailing_blanks(std::string_view text) {
    if (!text.empty() && text.back() > ' ' && text.back() < 0x7F) return text;  // as most texts
    while (!text.empty()) {
        const std::size_t last = utf8::previous(text, text.size());
        if (!(code_points[utf8::decode(text, last).value] & property::blank)) break;
        text.remove_suffix(text.size() - last);
    }
    return text;
}

}  // namespace tertium::text::tokens
