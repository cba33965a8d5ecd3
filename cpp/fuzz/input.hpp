// The bytes of a case, cut into what a target asks for. What is asked for behind the end is zero or
// empty, so that every file is a case.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/segment.hpp"
#include "text/texts.hpp"
#include "text/utf8.hpp"

namespace tertium::fuzz {

class Input {
  public:
    Input(const std::uint8_t* data, std::size_t size)
        : rest_(reinterpret_cast<const char*>(data), size) {}

    bool empty() const { return rest_.empty(); }

    std::uint8_t byte() {
        if (rest_.empty()) return 0;
        const auto value = static_cast<std::uint8_t>(rest_.front());
        rest_.remove_prefix(1);
        return value;
    }
    bool flag() { return byte() % 2 != 0; }
    std::size_t below(std::size_t bound) { return byte() % bound; }
    // A small number, with halves: sums of them are exact.
    double number() { return (static_cast<double>(byte()) - 128) / 2; }

    std::string_view bytes() {
        const std::string_view all = rest_;
        rest_ = {};
        return all;
    }
    // Up to the next end of a line, which is dropped.
    std::string_view line() {
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        const std::string_view found = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        return found;
    }
    // A line as UTF-8: bytes that are none count as characters of Latin-1.
    std::string text() { return as_utf8(line()); }
    static std::string as_utf8(std::string_view bytes) {
        std::string out;
        while (true) {
            const std::size_t bad = text::find_invalid_utf8(bytes);
            out.append(bytes.substr(0, bad));
            if (bad == std::string_view::npos) return out;
            text::utf8::append(out, static_cast<unsigned char>(bytes[bad]));
            bytes.remove_prefix(bad + 1);
        }
    }
    text::Texts texts(std::size_t count) {
        text::Texts out;
        for (std::size_t i = 0; i < count; ++i) out.append(text());
        return out;
    }

    // Words of a small vocabulary. The first byte says how many come, and how often again: long
    // texts take ways of their own.
    std::vector<core::Token> tokens(std::size_t vocabulary, std::size_t most = 2048) {
        const std::size_t length = byte() % 96;
        const std::size_t again = length < 80 ? 1 : std::size_t{1} << (length - 80) / 2;
        std::vector<core::Token> once, out;
        for (std::size_t i = 0; i < length && !rest_.empty(); ++i) {
            once.push_back(static_cast<core::Token>(byte() % vocabulary));
        }
        for (std::size_t i = 0; i < again && out.size() + once.size() <= most; ++i) {
            out.insert(out.end(), once.begin(), once.end());
        }
        return out;
    }

  private:
    std::string_view rest_;
};

}  // namespace tertium::fuzz
