// Strings with numbers, in a table that also lies in a file as it is in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/hash_table.hpp"

namespace tertium::text {

inline constexpr std::uint32_t no_string = core::no_number;

// The table as it is read. The arrays may come from a file of any content: a lookup then gives
// some answer, never an access outside of them.
class StringTableView {
  public:
    StringTableView() = default;
    StringTableView(std::span<const std::uint32_t> slots, std::span<const std::uint32_t> ends,
                    std::string_view bytes)
        : slots_(slots), ends_(ends), bytes_(bytes) {}

    std::size_t size() const { return ends_.size(); }
    std::string_view operator[](std::uint32_t id) const;
    std::uint32_t find(std::string_view text) const;  // no_string where it is absent

  private:
    std::span<const std::uint32_t> slots_;  // id + 1; 0 is free; the size is a power of two or 0
    std::span<const std::uint32_t> ends_;
    std::string_view bytes_;
};

// The table as it is built: numbers are given in order of first appearance.
class StringTable {
  public:
    std::uint32_t add(std::string_view text);  // its number, new or not
    std::uint32_t find(std::string_view text) const { return view().find(text); }
    std::size_t size() const { return ends_.size(); }
    std::string_view operator[](std::uint32_t id) const { return view()[id]; }

    StringTableView view() const { return {slots(), ends_, bytes_}; }
    const std::vector<std::uint32_t>& slots() const { return index_.slots(); }
    const std::vector<std::uint32_t>& ends() const { return ends_; }
    const std::string& bytes() const { return bytes_; }

  private:
    // Without the questions that a file of any content needs.
    std::string_view kept(std::uint32_t id) const {
        const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
        return {bytes_.data() + begin, ends_[id] - begin};
    }

    core::HashIndex index_;
    std::vector<std::uint32_t> ends_;
    std::string bytes_;
};

}  // namespace tertium::text
