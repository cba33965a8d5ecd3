// Columns of text that other programs hold in the memory layout of Apache Arrow.
//
// The two structures are those of Arrow's C data interface, which its specification fixes: any
// library that speaks it can hand its memory over without a copy and without being linked to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "text/texts.hpp"

struct ArrowSchema {
    const char* format;
    const char* name;
    const char* metadata;
    std::int64_t flags;
    std::int64_t n_children;
    ArrowSchema** children;
    ArrowSchema* dictionary;
    void (*release)(ArrowSchema*);
    void* private_data;
};

struct ArrowArray {
    std::int64_t length;
    std::int64_t null_count;
    std::int64_t offset;
    std::int64_t n_buffers;
    std::int64_t n_children;
    const void** buffers;
    ArrowArray** children;
    ArrowArray* dictionary;
    void (*release)(ArrowArray*);
    void* private_data;
};

struct ArrowArrayStream {
    int (*get_schema)(ArrowArrayStream*, ArrowSchema*);
    int (*get_next)(ArrowArrayStream*, ArrowArray*);
    const char* (*get_last_error)(ArrowArrayStream*);
    void (*release)(ArrowArrayStream*);
    void* private_data;
};

namespace tertium::text {

// Text of any of Arrow's layouts: short, large and view strings, and dictionaries of these.
class ArrowStrings {
  public:
    ArrowStrings(const ArrowSchema& schema, const ArrowArray& array);

    // The text at a place before the array's offset is applied; false where it is null.
    bool at(std::int64_t place, std::string_view& out) const;

  private:
    enum class Layout { nulls, small, large, view, dictionary };

    std::int64_t index(std::int64_t place) const;
    std::string_view view(std::int64_t place) const;

    const ArrowArray* array_;
    Layout layout_;
    char index_kind_ = 0;
    std::unique_ptr<ArrowStrings> values_;
};

// A text for each row, or with `lists` several: columns of them, missing where a row has fewer.
class ArrowColumns {
  public:
    explicit ArrowColumns(bool lists) : lists_(lists), columns_(1) {}

    // Appends the rows of an array, whose memory `owner` keeps; one that is alone is read where it
    // lies. std::invalid_argument for what is no text, or no UTF-8.
    void append(const ArrowSchema& schema, const ArrowArray& array,
                const std::shared_ptr<const void>& owner);

    std::vector<Texts>& columns() { return columns_; }
    // 0 for a row that is null or has no text at all; it stands as an empty text.
    std::vector<std::uint8_t>& valid() { return valid_; }

  private:
    template <class Offset>
    bool append_all(const ArrowArray& array, const std::shared_ptr<const void>& owner);
    void append_list(const ArrowSchema& schema, const ArrowArray& array);
    void append_row(const std::vector<std::string_view>& texts);

    bool lists_;
    std::vector<Texts> columns_;
    std::vector<std::uint8_t> valid_;
    std::vector<std::string_view> row_;
};

}  // namespace tertium::text
