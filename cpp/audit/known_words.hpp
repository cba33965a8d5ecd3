// Which words of a text some other texts have, too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/hash_table.hpp"

namespace tertium::audit {

class KnownWords {
  public:
    void add(std::string_view text);

    struct Count {
        std::size_t words = 0, known = 0;
    };
    Count count(std::string_view text) const;

  private:
    struct Hash {
        std::uint64_t operator()(std::uint64_t word) const { return core::mixed(word); }
    };
    core::KeyNumbers<std::uint64_t, Hash> words_;
};

}  // namespace tertium::audit
