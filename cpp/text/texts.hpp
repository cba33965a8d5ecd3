// A column of UTF-8 segments in one block of memory: no Python string is built for a file. The
// block may be somebody else's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "text/byte_buffer.hpp"

namespace tertium::text {

class Texts {
  public:
    Texts() = default;
    Texts(const Texts&) = default;
    Texts(Texts&&) = default;
    Texts& operator=(const Texts&) = default;
    Texts& operator=(Texts&&) = default;
    ~Texts();

    std::size_t size() const { return ends_.size() - 1; }
    std::size_t byte_size() const { return bytes().size(); }
    std::string_view operator[](std::size_t i) const {
        return bytes().substr(ends_[i], ends_[i + 1] - ends_[i]);
    }
    std::size_t bytes_between(std::size_t begin, std::size_t end) const {
        return ends_[end] - ends_[begin];
    }
    // A missing segment (a reference that was not given) differs from an empty one.
    bool missing(std::size_t i) const { return !missing_.empty() && missing_[i]; }

    void reserve(std::size_t segments, std::size_t bytes);
    void append(std::string_view segment);
    // Where the next segment may be written, if it takes at most so many bytes with all that is
    // written behind its end …
    char* room(std::size_t bytes) {
        own();
        return bytes_.room(bytes);
    }
    // … and where it ends.
    void append_until(const char* end) {
        bytes_.end_at(end);
        end_segment();
    }
    void append_missing();
    void append(const Texts& other, std::size_t begin, std::size_t end);
    // Neighbouring segments at once: their bytes, and the `count` + 1 rising offsets of these.
    template <class Offset>
    void append(const char* bytes, const Offset* offsets, std::size_t count) {
        own();
        append_ends(offsets, count);
        bytes_.append({bytes + offsets[0], static_cast<std::size_t>(offsets[count] - offsets[0])});
    }
    // The same for a column without segments, which reads them where they lie as long as nothing is
    // appended to it; `owner` keeps them there.
    template <class Offset>
    void borrow(const char* bytes, const Offset* offsets, std::size_t count,
                std::shared_ptr<const void> owner) {
        append_ends(offsets, count);
        borrowed_ = {bytes + offsets[0], static_cast<std::size_t>(offsets[count] - offsets[0])};
        owner_ = std::move(owner);
    }

    bool operator==(const Texts& other) const;

  private:
    std::string_view bytes() const { return owner_ ? borrowed_ : bytes_.view(); }
    // Makes the bytes this column's own, before it is changed.
    void own();
    void end_segment() {
        ends_.push_back(bytes_.size());
        if (!missing_.empty()) missing_.push_back(false);
    }
    // To be called before the bytes are appended.
    template <class Offset>
    void append_ends(const Offset* offsets, std::size_t count) {
        const auto first = static_cast<std::uint64_t>(offsets[0]);
        const std::uint64_t shift = bytes_.size() - first;  // modulo 2^64, as it is added again
        ends_.reserve(ends_.size() + count);
        for (std::size_t i = 1; i <= count; ++i) {
            ends_.push_back(static_cast<std::uint64_t>(offsets[i]) + shift);
        }
        if (!missing_.empty()) missing_.resize(size(), false);
    }

    ByteBuffer bytes_;
    std::string_view borrowed_;  // instead of `bytes_` if there is an owner
    std::shared_ptr<const void> owner_;
    std::vector<std::uint64_t> ends_{0};
    std::vector<bool> missing_;  // empty while nothing is missing
};

// The place of the first byte that is not valid UTF-8 (surrogates included), or npos.
std::size_t find_invalid_utf8(std::string_view text);

struct Lines {
    Texts texts;
    std::size_t consumed;     // bytes of the block that belong to the lines
    std::ptrdiff_t bad_line;  // index of the line that ended it, for it is not UTF-8, or −1
};

// At most so many lines of a block of a file, split at '\n' only; one '\r' before it is dropped
// (CRLF files). A last line without '\n' is taken when `at_end`, else left for the next block.
Lines split_lines(std::string_view block, bool at_end, std::size_t most);

}  // namespace tertium::text
