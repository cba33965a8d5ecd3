#include "text/string_table.hpp"

#include <bit>
#include <stdexcept>

namespace tertium::text {
namespace {

// FNV-1a with a last mix; part of the file format, so it must not change with the platform.
std::uint32_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char byte : text) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
    }
    hash ^= hash >> 32;
    return static_cast<std::uint32_t>(hash * 0x9E3779B97F4A7C15u >> 32);
}

}  // namespace

std::string_view StringTableView::operator[](std::uint32_t id) const {
    if (id >= ends_.size()) return {};
    const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
    const std::size_t end = ends_[id];
    if (begin > end || end > bytes_.size()) return {};
    return bytes_.substr(begin, end - begin);
}

std::uint32_t StringTableView::find(std::string_view text) const {
    if (!std::has_single_bit(slots_.size())) return no_string;
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash_of(text) & mask;
    // Not core::probe: a damaged file may have no free slot, or slots of no string.
    for (std::size_t probes = 0; probes < slots_.size(); ++probes) {
        if (slots_[slot] == 0) return no_string;
        const std::uint32_t id = slots_[slot] - 1;
        if (id < ends_.size() && (*this)[id] == text) return id;
        slot = (slot + 1) & mask;
    }
    return no_string;
}

std::uint32_t StringTable::add(std::string_view text) {
    if (bytes_.size() + text.size() >= no_string) {
        throw std::length_error("string table: more than 4 GiB of text");
    }
    const std::uint32_t id = index_.intern(
        hash_of(text), [&](std::uint32_t known) { return kept(known) == text; },
        [&](std::uint32_t known) { return hash_of(kept(known)); });
    if (id == ends_.size()) {
        bytes_.append(text);
        ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
    }
    return id;
}

}  // namespace tertium::text
