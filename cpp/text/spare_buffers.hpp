// Memory of texts that are gone, for those that come: fresh pages cost as much as what is written
// to them, and who scores many small corpora, or a file piece by piece, would ask for new ones each
// time.
#pragma once

#include <cstddef>

#include "text/byte_buffer.hpp"

namespace tertium::text {

// An empty one with room for so many bytes, and not for many more. From any thread.
ByteBuffer take_buffer(std::size_t bytes);

// Takes the memory of one that nobody needs any more; a few such pieces are kept.
void give_buffer(ByteBuffer&& buffer) noexcept;

}  // namespace tertium::text
