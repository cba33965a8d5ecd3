// Whole columns of text as ids over one vocabulary, for metrics that ask a lexicon about words.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/segment.hpp"
#include "text/string_table.hpp"
#include "text/texts.hpp"

namespace tertium::text {

// Words are what blanks separate. Ids count from 0 in the order of first occurrence.
class Interned {
  public:
    explicit Interned(const std::vector<const Texts*>& columns);

    Interned(const Interned&) = delete;
    Interned& operator=(const Interned&) = delete;

    const std::vector<std::string_view>& words() const { return words_; }
    std::size_t columns() const { return columns_.size(); }
    std::size_t size() const { return size_; }  // segments of each column
    bool missing(std::size_t column, std::size_t segment) const {
        return columns_[column].missing[segment];
    }
    core::Tokens tokens(std::size_t column, std::size_t segment) const;

  private:
    struct Column {
        std::vector<core::Token> ids;
        std::vector<std::size_t> ends;
        std::vector<bool> missing;
    };

    std::size_t size_ = 0;
    std::vector<Column> columns_;
    StringTable table_;
    std::vector<std::string_view> words_;  // views of the table, which is complete by then
};

}  // namespace tertium::text
