// A table file: a header, then arrays that are used where they lie (memory-mapped).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "text/string_table.hpp"

namespace tertium::metrics::meteor {

using Bytes = std::span<const std::byte>;

// "lexicon" or "phrases"; a file of the other kind, of another version of the format or of
// another byte order is refused.
enum class TableKind : std::uint32_t { lexicon = 1, phrases = 2 };
inline constexpr std::uint32_t table_version = 1;

class SectionWriter {
  public:
    explicit SectionWriter(TableKind kind) : kind_(kind) {}

    template <class Number>
    void add(const std::vector<Number>& numbers) {
        add_bytes(numbers.data(), numbers.size() * sizeof(Number));
    }
    void add(std::string_view text) { add_bytes(text.data(), text.size()); }
    void add(const text::StringTable& table);

    std::string finish() const;

  private:
    void add_bytes(const void* data, std::size_t size);

    TableKind kind_;
    std::vector<std::uint64_t> ends_;
    std::string body_;  // every section begins at a multiple of 8
};

class SectionReader {
  public:
    // Throws std::invalid_argument where the bytes are no such table.
    SectionReader(Bytes bytes, TableKind kind);

    // The next section; throws std::invalid_argument where there is none or its size is odd.
    template <class Number>
    std::span<const Number> next() {
        const Bytes section = next_bytes();
        if (section.size() % sizeof(Number) != 0) throw std::invalid_argument(damaged);
        // Sections are aligned to 8 bytes in the file, and files are mapped to pages.
        return {reinterpret_cast<const Number*>(section.data()), section.size() / sizeof(Number)};
    }
    std::string_view next_text();
    text::StringTableView next_strings();

    static constexpr const char* damaged = "table: damaged, expected a table that tertium wrote";

  private:
    Bytes next_bytes();

    Bytes bytes_;
    std::span<const std::uint64_t> ends_;
    std::size_t place_ = 0;
    std::size_t section_ = 0;
};

// The items that belong to number `id`, where `begins` has one entry more than there are
// numbers; nothing where the arrays are damaged.
inline std::span<const std::uint32_t> items_of(std::span<const std::uint32_t> begins,
                                               std::span<const std::uint32_t> items,
                                               std::uint32_t id) {
    if (std::size_t{id} + 1 >= begins.size()) return {};
    const std::size_t begin = begins[id];
    const std::size_t end = begins[id + 1];
    if (begin > end || end > items.size()) return {};
    return items.subspan(begin, end - begin);
}

}  // namespace tertium::metrics::meteor
