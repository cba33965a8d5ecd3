// A column of UTF-8 segments in one block of memory: no Python string is built for a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tertium::text {

class Texts {
  public:
    std::size_t size() const { return ends_.size() - 1; }
    std::size_t byte_size() const { return bytes_.size(); }
    std::string_view operator[](std::size_t i) const {
        return std::string_view(bytes_).substr(ends_[i], ends_[i + 1] - ends_[i]);
    }
    std::size_t bytes_between(std::size_t begin, std::size_t end) const {
        return ends_[end] - ends_[begin];
    }
    // A missing segment (a reference that was not given) differs from an empty one.
    bool missing(std::size_t i) const { return !missing_.empty() && missing_[i]; }

    void reserve(std::size_t segments, std::size_t bytes);
    void append(std::string_view segment);
    void append_missing();
    void append(const Texts& other, std::size_t begin, std::size_t end);

    bool operator==(const Texts& other) const;

  private:
    std::string bytes_;
    std::vector<std::uint64_t> ends_{0};
    std::vector<bool> missing_;  // empty while nothing is missing
};

// The place of the first byte that is not valid UTF-8 (surrogates included), or npos.
std::size_t find_invalid_utf8(std::string_view text);

struct Lines {
    Texts texts;
    std::size_t consumed;     // bytes of the block that belong to the lines
    std::ptrdiff_t bad_line;  // index of the first line that is not UTF-8, or −1
};

// Splits a block of a file at '\n' only; one '\r' before it is dropped (CRLF files).
// A last line without '\n' is taken when `at_end`, else left for the next block.
Lines split_lines(std::string_view block, bool at_end);

}  // namespace tertium::text
