#include "metrics/meteor/sections.hpp"

#include <array>

namespace tertium::metrics::meteor {
namespace {

struct Header {
    std::array<char, 8> magic;
    std::uint32_t order;  // tells the byte order
    std::uint32_t version;
    std::uint32_t kind;
    std::uint32_t sections;
};
static_assert(sizeof(Header) == 24);

constexpr std::array<char, 8> magic = {'t', 'e', 'r', 't', 'i', 'u', 'm', '\n'};
constexpr std::uint32_t byte_order = 0x01020304;

constexpr std::size_t aligned(std::size_t size) {
    return (size + 7) / 8 * 8;
}

}  // namespace

void SectionWriter::add(const text::StringTable& table) {
    add(table.slots());
    add(table.ends());
    add(std::string_view(table.bytes()));
}

void SectionWriter::add_bytes(const void* data, std::size_t size) {
    if (size > 0) body_.append(static_cast<const char*>(data), size);
    ends_.push_back(body_.size());
    body_.resize(aligned(body_.size()), '\0');
}

std::string SectionWriter::finish() const {
    const Header header{magic, byte_order, table_version, static_cast<std::uint32_t>(kind_),
                        static_cast<std::uint32_t>(ends_.size())};
    std::string out(sizeof header + ends_.size() * sizeof ends_[0], '\0');
    std::memcpy(out.data(), &header, sizeof header);
    std::memcpy(out.data() + sizeof header, ends_.data(), ends_.size() * sizeof ends_[0]);
    return out + body_;
}

SectionReader::SectionReader(Bytes bytes, TableKind kind) {
    Header header;
    if (bytes.size() < sizeof header || reinterpret_cast<std::uintptr_t>(bytes.data()) % 8 != 0) {
        throw std::invalid_argument(damaged);
    }
    std::memcpy(&header, bytes.data(), sizeof header);
    const std::size_t index = header.sections * sizeof(std::uint64_t);
    if (header.magic != magic || header.order != byte_order || header.version != table_version ||
        header.kind != static_cast<std::uint32_t>(kind) || bytes.size() - sizeof header < index) {
        throw std::invalid_argument(damaged);
    }
    ends_ = {reinterpret_cast<const std::uint64_t*>(bytes.data() + sizeof header), header.sections};
    bytes_ = bytes.subspan(sizeof header + index);
}

Bytes SectionReader::next_bytes() {
    if (section_ == ends_.size()) throw std::invalid_argument(damaged);
    const std::uint64_t end = ends_[section_++];
    if (end < place_ || end > bytes_.size()) throw std::invalid_argument(damaged);
    const Bytes section = bytes_.subspan(place_, end - place_);
    place_ = aligned(end);
    return section;
}

std::string_view SectionReader::next_text() {
    const Bytes section = next_bytes();
    return {reinterpret_cast<const char*>(section.data()), section.size()};
}

text::StringTableView SectionReader::next_strings() {
    const auto slots = next<std::uint32_t>();
    const auto ends = next<std::uint32_t>();
    return {slots, ends, next_text()};
}

}  // namespace tertium::metrics::meteor
