// Numbers of nodes, edges and states, which arrays of Python have as 32 bits, as places and back.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tertium::decode::oracle {

constexpr std::size_t index(std::int32_t number) {
    return static_cast<std::size_t>(number);
}

constexpr std::int32_t narrow(std::size_t number) {
    return static_cast<std::int32_t>(number);
}

}  // namespace tertium::decode::oracle
