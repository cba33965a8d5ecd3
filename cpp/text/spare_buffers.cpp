#include "text/spare_buffers.hpp"

#include <array>
#include <mutex>
#include <utility>

namespace tertium::text {
namespace {

// What is smaller comes from pages that are in use anyway.
constexpr std::size_t least_bytes = 64 << 10;
constexpr std::size_t most_bytes = 8 << 20;

struct Spares {
    std::mutex mutex;
    std::array<ByteBuffer, 6> buffers;
    std::size_t oldest = 0;
};

// Never destroyed, for texts may outlive whatever is.
Spares& spares() {
    static auto* const all = new Spares;
    return *all;
}

bool fits(const ByteBuffer& buffer, std::size_t bytes) {
    return buffer.capacity() >= bytes && buffer.capacity() <= 2 * bytes;
}

}  // namespace

ByteBuffer take_buffer(std::size_t bytes) {
    ByteBuffer found;
    if (bytes >= least_bytes && bytes <= most_bytes) {
        Spares& all = spares();
        const std::lock_guard lock(all.mutex);
        for (ByteBuffer& buffer : all.buffers) {
            if (!fits(buffer, bytes)) continue;
            found.swap(buffer);
            break;
        }
    }
    found.clear();
    // With room for the next one, which may be a little larger.
    if (found.capacity() < bytes) found.reserve(bytes + bytes / 8);
    return found;
}

void give_buffer(ByteBuffer&& buffer) noexcept {
    ByteBuffer given = std::move(buffer);
    if (given.capacity() < least_bytes || given.capacity() > most_bytes) return;
    Spares& all = spares();
    const std::lock_guard lock(all.mutex);
    for (ByteBuffer& place : all.buffers) {
        if (place.capacity() >= least_bytes) continue;
        place.swap(given);
        return;
    }
    // None is free: the one that has waited longest goes.
    all.buffers[all.oldest].swap(given);
    all.oldest = (all.oldest + 1) % all.buffers.size();
}

}  // namespace tertium::text
