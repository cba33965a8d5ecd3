#include "text/texts.hpp"

#include <cstdint>
#include <memory>
#include <string>

#include "tests/check.hpp"

namespace tertium::tests {
namespace {

using text::Texts;

// "one", "" and "three" of a longer text.
const std::string bytes = "zero onethree four";
constexpr std::int32_t offsets[] = {5, 8, 8, 13};

Texts borrowed(const std::shared_ptr<int>& owner) {
    Texts texts;
    texts.borrow(bytes.data(), offsets, 3, owner);
    return texts;
}

}  // namespace

TEST(borrowed_texts_are_read_where_they_lie) {
    const auto owner = std::make_shared<int>();
    {
        const Texts texts = borrowed(owner);
        CHECK(texts.size() == 3);
        CHECK(texts.byte_size() == 8);
        CHECK(texts[0] == "one" && texts[1].empty() && texts[2] == "three");
        CHECK(texts[2].data() == bytes.data() + 8);
        const Texts copy = texts;
        CHECK(copy == texts);
        CHECK(owner.use_count() == 3);
    }
    CHECK(owner.use_count() == 1);
}

TEST(borrowed_texts_are_copied_before_they_change) {
    const auto owner = std::make_shared<int>();
    Texts texts = borrowed(owner);
    texts.append("four");
    CHECK(owner.use_count() == 1);
    texts.append(bytes.data(), offsets, 3);
    texts.append_missing();
    CHECK(texts.size() == 8);
    CHECK(texts[2] == "three" && texts[3] == "four" && texts[4] == "one" && texts[6] == "three");
    CHECK(texts.missing(7) && !texts.missing(6));
    Texts others = borrowed(owner);
    others.append(borrowed(owner), 0, 3);
    CHECK(owner.use_count() == 1);
    CHECK(others[0] == "one" && others[3] == "one" && others[5] == "three");
}

}  // namespace tertium::tests
