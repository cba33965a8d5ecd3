// Characters that are held as numbers of one width, as UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tertium::text {

// Nothing where one of the characters is a surrogate. The result lies in `room`, which only grows.
std::optional<std::string_view> utf8_of(std::span<const std::uint8_t> characters,
                                        std::string& room);
std::optional<std::string_view> utf8_of(std::span<const std::uint16_t> characters,
                                        std::string& room);

}  // namespace tertium::text
