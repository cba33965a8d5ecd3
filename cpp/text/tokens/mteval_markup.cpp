#include "text/tokens/mteval_markup.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/lanes.hpp"
#include "core/processor.hpp"

namespace tertium::text::tokens {
namespace {

// Replaces left to right in place, in linear time; what is put in is not looked at again.
// `replacement` must not be longer than `pattern`.
void replace_all(std::string& text, std::string_view pattern, std::string_view replacement) {
    std::size_t found = text.find(pattern);
    if (found == std::string::npos) return;
    auto written = text.begin() + static_cast<std::ptrdiff_t>(found);
    while (found != std::string::npos) {
        written = std::copy(replacement.begin(), replacement.end(), written);
        const std::size_t rest = found + pattern.size();
        found = text.find(pattern, rest);
        const std::size_t until = std::min(found, text.size());
        written = std::copy(text.begin() + static_cast<std::ptrdiff_t>(rest),
                            text.begin() + static_cast<std::ptrdiff_t>(until), written);
    }
    text.erase(written, text.end());
}

#ifdef TERTIUM_AVX2

constexpr std::size_t vector_bytes = 32;

// Where 32 bytes are "&", "\n" or "<". No two of them have the same lower half, and a byte beyond
// ASCII is looked up as 0.
TERTIUM_AVX2 TERTIUM_INLINE __m256i marks_at(const char* from) {
    const __m256i by_lower_half = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-1, 0, 0, 0, 0, 0, '&', 0, 0, 0, '\n', 0, '<', 0, 0, 0));
    const __m256i some = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    return _mm256_cmpeq_epi8(some, _mm256_shuffle_epi8(by_lower_half, some));
}

// Whether any of at least 32 bytes is.
TERTIUM_AVX2 bool has_marks(std::string_view text) {
    const std::size_t last = text.size() - vector_bytes;
    __m256i found = marks_at(text.data() + last);
    for (std::size_t at = 0; at < last; at += vector_bytes) {
        found = _mm256_or_si256(found, marks_at(text.data() + at));
    }
    return _mm256_testz_si256(found, found) == 0;
}

#endif

// False if there is nothing to do: no character that anything begins with but hyphens, which need a
// line's end behind them. All bytes are looked at, for few texts have one.
bool may_have_markup(std::string_view text) {
    using Bytes = core::Lanes<std::uint8_t>;
#ifdef TERTIUM_AVX2
    if (text.size() >= vector_bytes && core::has_avx2()) return has_marks(text);
#endif
    const auto is_mark = [](char c) { return c == '&' || c == '\n' || c == '<'; };
    if (text.size() < Bytes::count) return std::ranges::any_of(text, is_mark);
    const Bytes yes = Bytes::all(0xFF), no = Bytes::all(0);
    const auto marks = [&](std::size_t at) {
        const Bytes some = Bytes::load_bytes(text.data() + at);
        const auto equal = [&](char c) {
            return where_equal(some, Bytes::all(static_cast<std::uint8_t>(c)), yes, no);
        };
        return equal('&') | equal('\n') | equal('<');
    };
    const std::size_t last = text.size() - Bytes::count;
    Bytes found = marks(last);
    for (std::size_t at = 0; at < last; at += Bytes::count) found = found | marks(at);
    return found.any();
}

}  // namespace

std::string_view without_markup(std::string_view text, std::string& buffer) {
    constexpr std::string_view skipped = "<skipped>";
    if (!may_have_markup(text)) return text;
    if (text.find('&') == std::string_view::npos && text.find('\n') == std::string_view::npos &&
        text.find(skipped) == std::string_view::npos) {
        return text;
    }
    buffer.assign(text);
    replace_all(buffer, skipped, "");
    replace_all(buffer, "-\n", "");
    replace_all(buffer, "\n", " ");
    // Each entity in a pass of its own: "&amp;lt;" ends as "<" but "&amp;quot;" as "&quot;".
    replace_all(buffer, "&quot;", "\"");
    replace_all(buffer, "&amp;", "&");
    replace_all(buffer, "&lt;", "<");
    replace_all(buffer, "&gt;", ">");
    return buffer;
}

}  // namespace tertium::text::tokens
