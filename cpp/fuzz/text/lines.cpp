#include <limits>

#include "fuzz/target.hpp"
#include "text/texts.hpp"
#include "text/utf8_encoding.hpp"

namespace tertium::fuzz {
namespace {

// UTF-8 by the table of Unicode 15, section 3.9: every byte by itself.
bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const auto [code, length] = text::utf8::decode(text, i);
        std::string written;
        if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return false;
        text::utf8::append(written, code);
        if (text.substr(i, length) != written) return false;
        i += length;
    }
    return true;
}

template <class Character>
void check_encoding(const std::vector<Character>& characters) {
    std::string plain;
    bool surrogate = false;
    for (const Character one : characters) {
        surrogate = surrogate || (one >= 0xD800 && one <= 0xDFFF);
        text::utf8::append(plain, one);
    }
    std::vector<char> room(text::utf8_room<Character>(characters.size()));
    const char* const end = text::write_utf8(std::span<const Character>(characters), room.data());
    EXPECT((end != nullptr) != surrogate);
    EXPECT(end == nullptr || std::string_view(room.data(), end) == plain);
}

}  // namespace

// A file gives the same lines whole and in blocks; vectors encode what a loop does; the check of
// UTF-8 agrees with a decoder.
FUZZ_TARGET(lines) {
    const std::size_t step = 1 + input.below(64);
    const std::string_view bytes = input.bytes();
    EXPECT((text::find_invalid_utf8(bytes) == std::string_view::npos) == is_utf8(bytes));

    constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
    const text::Lines whole = text::split_lines(bytes, true, all);
    const std::size_t most = 1 + step % 5;
    text::Texts pieces;
    std::string waiting;
    bool bad = false;
    for (std::size_t begin = 0; begin < bytes.size(); begin += step) {
        waiting.append(bytes.substr(begin, step));
        for (std::size_t taken = most; taken == most && !bad;) {
            const text::Lines some = text::split_lines(waiting, begin + step >= bytes.size(), most);
            taken = some.texts.size();
            EXPECT(taken <= most);
            bad = some.bad_line >= 0;
            EXPECT(!bad ||
                   whole.bad_line == static_cast<std::ptrdiff_t>(pieces.size()) + some.bad_line);
            pieces.append(some.texts, 0, taken);
            waiting.erase(0, some.consumed);
        }
    }
    EXPECT(bad == (whole.bad_line >= 0));
    EXPECT(pieces == whole.texts);

    std::vector<std::uint8_t> narrow(bytes.begin(), bytes.end());
    check_encoding(narrow);
    std::vector<std::uint16_t> wide;
    for (std::size_t i = 0; i + 1 < narrow.size(); i += 2) {
        wide.push_back(static_cast<std::uint16_t>(narrow[i] | narrow[i + 1] << 8));
    }
    check_encoding(wide);
}

}  // namespace tertium::fuzz
