#include "text/spare_buffers.hpp"

#include <utility>

#include "tests/check.hpp"

namespace tertium::tests {
namespace {

constexpr std::size_t some = 1 << 20;

}  // namespace

TEST(memory_that_was_given_is_taken_again) {
    text::ByteBuffer buffer = text::take_buffer(some);
    buffer.append("text");
    const char* const place = buffer.data();
    text::give_buffer(std::move(buffer));
    const text::ByteBuffer again = text::take_buffer(some);
    CHECK(again.data() == place);
    CHECK(again.empty());
}

TEST(little_text_gets_no_large_memory) {
    text::give_buffer(text::take_buffer(some));
    CHECK(text::take_buffer(some / 4).capacity() < some);
    CHECK(text::take_buffer(3).capacity() < 1 << 10);
}

TEST(there_is_always_as_much_room_as_was_asked_for) {
    for (std::size_t bytes = 1; bytes < 16 * some; bytes *= 2) {
        text::give_buffer(text::take_buffer(bytes));
        text::give_buffer(text::take_buffer(bytes));
        for (int i = 0; i < 10; ++i) CHECK(text::take_buffer(bytes + 1).capacity() > bytes);
    }
}

}  // namespace tertium::tests
