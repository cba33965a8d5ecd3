#include "text/texts.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "text/spare_buffers.hpp"

namespace tertium::text {

Texts::~Texts() {
    give_buffer(std::move(bytes_));
}

void Texts::own() {
    if (!owner_) return;
    bytes_ = take_buffer(borrowed_.size());
    bytes_.append(borrowed_);
    owner_.reset();
}

void Texts::reserve(std::size_t segments, std::size_t bytes) {
    own();
    ends_.reserve(ends_.size() + segments);
    if (bytes_.empty() && bytes_.capacity() < bytes) {
        bytes_ = take_buffer(bytes);
    } else {
        bytes_.reserve(bytes_.size() + bytes);
    }
}

void Texts::append(std::string_view segment) {
    own();
    bytes_.append(segment);
    end_segment();
}

void Texts::append_missing() {
    own();
    missing_.resize(size(), false);
    ends_.push_back(bytes_.size());
    missing_.push_back(true);
}

void Texts::append(const Texts& other, std::size_t begin, std::size_t end) {
    own();
    const std::uint64_t first = other.ends_[begin];
    const std::uint64_t shift = bytes_.size();
    const bool marks = !missing_.empty() || !other.missing_.empty();
    if (marks) missing_.resize(size(), false);
    bytes_.append(other.bytes().substr(first, other.ends_[end] - first));
    for (std::size_t i = begin; i < end; ++i) {
        ends_.push_back(other.ends_[i + 1] - first + shift);
        if (marks) missing_.push_back(other.missing(i));
    }
}

bool Texts::operator==(const Texts& other) const {
    if (bytes() != other.bytes() || ends_ != other.ends_) return false;
    for (std::size_t i = 0; i < size(); ++i) {
        if (missing(i) != other.missing(i)) return false;
    }
    return true;
}

std::size_t find_invalid_utf8(std::string_view text) {
    const auto* p = reinterpret_cast<const unsigned char*>(text.data());
    const std::size_t n = text.size();
    const auto continues = [&](std::size_t i) { return i < n && (p[i] & 0xC0) == 0x80; };
    std::size_t i = 0;
    while (i < n) {
        if (p[i] < 0x80) {  // most text is ASCII: many bytes at a time
            std::uint64_t words[4];
            while (i + sizeof words <= n) {
                std::memcpy(words, p + i, sizeof words);
                if (((words[0] | words[1] | words[2] | words[3]) & 0x8080808080808080u) != 0) break;
                i += sizeof words;
            }
            while (i < n && p[i] < 0x80) ++i;
            continue;
        }
        const unsigned char lead = p[i];
        if (lead < 0xC2 || lead > 0xF4 || !continues(i + 1)) return i;
        const unsigned char second = p[i + 1];
        if (lead < 0xE0) {
            i += 2;
        } else if (lead < 0xF0) {
            const bool overlong = lead == 0xE0 && second < 0xA0;
            const bool surrogate = lead == 0xED && second > 0x9F;
            if (overlong || surrogate || !continues(i + 2)) return i;
            i += 3;
        } else {
            const bool overlong = lead == 0xF0 && second < 0x90;
            const bool too_large = lead == 0xF4 && second > 0x8F;
            if (overlong || too_large || !continues(i + 2) || !continues(i + 3)) return i;
            i += 4;
        }
    }
    return std::string_view::npos;
}

Lines split_lines(std::string_view block, bool at_end, std::size_t most) {
    Lines result{{}, 0, -1};
    if (!at_end) {
        const std::size_t last = block.rfind('\n');
        block = block.substr(0, last == std::string_view::npos ? 0 : last + 1);
    }
    const std::size_t bad = find_invalid_utf8(block);
    result.texts.reserve(block.size() / 64, block.size());
    std::size_t begin = 0;
    for (; begin < block.size() && result.texts.size() < most; ++begin) {
        const std::size_t newline = block.find('\n', begin);
        const std::size_t end = newline == std::string_view::npos ? block.size() : newline;
        if (bad <= end && bad != std::string_view::npos) {
            result.bad_line = static_cast<std::ptrdiff_t>(result.texts.size());
            break;
        }
        const bool carriage = end > begin && block[end - 1] == '\r';
        result.texts.append(block.substr(begin, end - begin - (carriage ? 1 : 0)));
        begin = end;
    }
    result.consumed = std::min(begin, block.size());
    return result;
}

}  // namespace tertium::text
