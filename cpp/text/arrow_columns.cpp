#include "text/arrow_columns.hpp"

#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace tertium::text {
namespace {

template <class T>
const T* buffer(const ArrowArray& array, std::int64_t number) {
    return number < array.n_buffers ? static_cast<const T*>(array.buffers[number]) : nullptr;
}

bool is_null(const ArrowArray& array, std::int64_t place) {
    const auto* bits = buffer<std::uint8_t>(array, 0);
    if (array.null_count == 0 || bits == nullptr) return false;
    const std::int64_t i = place + array.offset;
    return (bits[i / 8] >> (i % 8) & 1) == 0;
}

// The bytes or rows between two neighbouring offsets.
template <class Offset>
std::pair<std::int64_t, std::int64_t> span(const ArrowArray& array, std::int64_t place) {
    const auto* offsets = buffer<Offset>(array, 1);
    if (offsets == nullptr) throw std::invalid_argument("found no offsets, expected some");
    const std::int64_t begin = offsets[place + array.offset];
    const std::int64_t end = offsets[place + array.offset + 1];
    if (begin < 0 || end < begin) {
        throw std::invalid_argument("found offsets that fall, expected them to rise");
    }
    return {begin, end};
}

template <class Offset>
std::string_view text_of(const ArrowArray& array, std::int64_t place) {
    const auto [begin, end] = span<Offset>(array, place);
    if (begin == end) return {};
    const auto* data = buffer<char>(array, 2);
    if (data == nullptr) throw std::invalid_argument("found no bytes of text, expected some");
    return {data + begin, static_cast<std::size_t>(end - begin)};
}

std::invalid_argument not_text(const char* format, bool lists) {
    return std::invalid_argument(std::string("found a column of Arrow's format '") + format +
                                 "', expected text" + (lists ? " or lists of text" : ""));
}

}  // namespace

ArrowStrings::ArrowStrings(const ArrowSchema& schema, const ArrowArray& array) : array_(&array) {
    const std::string_view format = schema.format;
    if (schema.dictionary != nullptr) {
        layout_ = Layout::dictionary;
        index_kind_ = format.size() == 1 ? format.front() : '+';
        if (std::strchr("cCsSiIlL", index_kind_) == nullptr || array.dictionary == nullptr ||
            schema.dictionary->dictionary != nullptr) {
            throw not_text(schema.format, false);
        }
        values_ = std::make_unique<ArrowStrings>(*schema.dictionary, *array.dictionary);
    } else if (format == "u") {
        layout_ = Layout::small;
    } else if (format == "U") {
        layout_ = Layout::large;
    } else if (format == "vu") {
        layout_ = Layout::view;
    } else if (format == "n") {
        layout_ = Layout::nulls;
    } else {
        throw not_text(schema.format, false);
    }
}

bool ArrowStrings::at(std::int64_t place, std::string_view& out) const {
    if (layout_ == Layout::nulls || is_null(*array_, place)) return false;
    switch (layout_) {
        case Layout::small:
            out = text_of<std::int32_t>(*array_, place);
            return true;
        case Layout::large:
            out = text_of<std::int64_t>(*array_, place);
            return true;
        case Layout::view:
            out = view(place);
            return true;
        default: {
            const std::int64_t found = index(place);
            if (found < 0 || found >= array_->dictionary->length) {
                throw std::invalid_argument("found an index outside of its dictionary");
            }
            return values_->at(found, out);
        }
    }
}

std::int64_t ArrowStrings::index(std::int64_t place) const {
    const std::int64_t i = place + array_->offset;
    if (buffer<char>(*array_, 1) == nullptr) {
        throw std::invalid_argument("found no indices of a dictionary, expected some");
    }
    switch (index_kind_) {
        case 'c':
            return buffer<std::int8_t>(*array_, 1)[i];
        case 'C':
            return buffer<std::uint8_t>(*array_, 1)[i];
        case 's':
            return buffer<std::int16_t>(*array_, 1)[i];
        case 'S':
            return buffer<std::uint16_t>(*array_, 1)[i];
        case 'i':
            return buffer<std::int32_t>(*array_, 1)[i];
        case 'I':
            return buffer<std::uint32_t>(*array_, 1)[i];
        default:  // 64 bits; an unsigned one that is too large is negative, and refused
            return buffer<std::int64_t>(*array_, 1)[i];
    }
}

// Up to 12 bytes stand in the view itself; of longer ones it says the buffer and the place there.
std::string_view ArrowStrings::view(std::int64_t place) const {
    const auto* views = buffer<char>(*array_, 1);
    if (views == nullptr) throw std::invalid_argument("found no views of texts, expected some");
    const char* one = views + 16 * (place + array_->offset);
    std::int32_t length = 0;
    std::int32_t number = 0;
    std::int32_t start = 0;
    std::memcpy(&length, one, 4);
    if (length < 0) throw std::invalid_argument("found a text of negative length");
    if (length <= 12) return {one + 4, static_cast<std::size_t>(length)};
    std::memcpy(&number, one + 8, 4);
    std::memcpy(&start, one + 12, 4);
    const std::int64_t buffers = array_->n_buffers - 3;  // nulls, views and the sizes of the rest
    const auto* sizes = buffer<std::int64_t>(*array_, array_->n_buffers - 1);
    if (number < 0 || number >= buffers || start < 0 || sizes == nullptr ||
        std::int64_t{start} + length > sizes[number]) {
        throw std::invalid_argument("found a text outside of its buffers");
    }
    return {buffer<char>(*array_, 2 + number) + start, static_cast<std::size_t>(length)};
}

void ArrowColumns::append(const ArrowSchema& schema, const ArrowArray& array,
                          const std::shared_ptr<const void>& owner) {
    const std::string_view format = schema.format;
    if (format == "+s" && schema.n_children == 1 && array.n_children == 1) {
        // A table of one column, whose rows may be some of the child's.
        for (std::int64_t i = 0; i < array.length; ++i) {
            if (is_null(array, i)) throw not_text(schema.format, lists_);
        }
        ArrowArray rows = *array.children[0];
        rows.offset += array.offset;
        rows.length = array.length;
        if (rows.null_count > 0) rows.null_count = -1;  // of those rows nobody has counted them
        append(*schema.children[0], rows, owner);
        return;
    }
    if (lists_ && schema.dictionary == nullptr && format.starts_with("+")) {
        append_list(schema, array);
        return;
    }
    if (format.starts_with("+")) throw not_text(schema.format, lists_);
    if (schema.dictionary == nullptr) {
        if (format == "u" && append_all<std::int32_t>(array, owner)) return;
        if (format == "U" && append_all<std::int64_t>(array, owner)) return;
    }
    const ArrowStrings strings(schema, array);
    for (std::int64_t i = 0; i < array.length; ++i) {
        row_.resize(1);
        if (!strings.at(i, row_[0])) row_.clear();
        append_row(row_);
    }
}

// Most columns are one run of valid bytes without nulls; others are read text by text, which
// also finds the row of what is wrong.
template <class Offset>
bool ArrowColumns::append_all(const ArrowArray& array, const std::shared_ptr<const void>& owner) {
    const auto* offsets = buffer<Offset>(array, 1);
    const auto* bytes = buffer<char>(array, 2);
    const bool nulls = array.null_count != 0 && buffer<char>(array, 0) != nullptr;
    if (nulls || columns_.size() > 1 || array.length == 0 || offsets == nullptr) return false;
    offsets += array.offset;
    if (offsets[0] < 0 || bytes == nullptr) return false;
    const auto count = static_cast<std::size_t>(array.length);
    for (std::size_t i = 0; i < count; ++i) {
        if (offsets[i + 1] < offsets[i]) return false;
    }
    for (std::size_t i = 0; i < count; ++i) {  // a text must not begin inside of a character
        if (offsets[i] < offsets[count] && (bytes[offsets[i]] & 0xC0) == 0x80) return false;
    }
    const auto size = static_cast<std::size_t>(offsets[count] - offsets[0]);
    const std::string_view all(bytes + offsets[0], size);
    if (find_invalid_utf8(all) != std::string_view::npos) return false;
    if (valid_.empty()) {
        columns_[0].borrow(bytes, offsets, count, owner);
    } else {
        columns_[0].append(bytes, offsets, count);
    }
    valid_.resize(valid_.size() + count, 1);
    return true;
}

void ArrowColumns::append_list(const ArrowSchema& schema, const ArrowArray& array) {
    const std::string_view format = schema.format;
    const bool fixed = format.starts_with("+w:");
    if ((!fixed && format != "+l" && format != "+L") || schema.n_children != 1) {
        throw not_text(schema.format, true);
    }
    const std::int64_t width = fixed ? std::stoll(schema.format + 3) : 0;
    const ArrowStrings strings(*schema.children[0], *array.children[0]);
    for (std::int64_t i = 0; i < array.length; ++i) {
        row_.clear();
        if (!is_null(array, i)) {
            std::pair<std::int64_t, std::int64_t> range{(i + array.offset) * width,
                                                        (i + array.offset + 1) * width};
            if (format == "+l") range = span<std::int32_t>(array, i);
            if (format == "+L") range = span<std::int64_t>(array, i);
            if (range.second > array.children[0]->length) {
                throw std::invalid_argument("found a list that ends behind its texts");
            }
            std::string_view text;
            for (std::int64_t k = range.first; k < range.second; ++k) {
                if (strings.at(k, text)) row_.push_back(text);
            }
        }
        append_row(row_);
    }
}

void ArrowColumns::append_row(const std::vector<std::string_view>& texts) {
    const std::size_t rows = valid_.size();
    while (columns_.size() < texts.size()) {
        Texts more;
        for (std::size_t i = 0; i < rows; ++i) more.append_missing();
        columns_.push_back(std::move(more));
    }
    for (const std::string_view text : texts) {
        if (find_invalid_utf8(text) != std::string_view::npos) {
            throw std::invalid_argument("row " + std::to_string(rows + 1) +
                                        ": found bytes that are no UTF-8, expected text");
        }
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (c < texts.size()) {
            columns_[c].append(texts[c]);
        } else if (c == 0) {
            columns_[c].append(std::string_view());
        } else {
            columns_[c].append_missing();
        }
    }
    valid_.push_back(texts.empty() ? 0 : 1);
}

}  // namespace tertium::text
