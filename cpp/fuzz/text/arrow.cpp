#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>

#include "fuzz/target.hpp"
#include "text/arrow_columns.hpp"

namespace tertium::fuzz {
namespace {

using Text = std::optional<std::string>;

// One layout of Arrow in memory, filled with some texts from place `offset` on.
struct Column {
    std::vector<std::uint8_t> nulls;
    std::vector<std::int32_t> small{0};
    std::vector<std::int64_t> large{0}, sizes;
    std::vector<char> views;
    std::string bytes;
    std::array<const void*, 4> buffers{};
    ArrowSchema schema{};
    ArrowArray array{};

    Column(const std::vector<Text>& texts, std::size_t offset, const char* format) {
        nulls.assign(texts.size() / 8 + 1, 0);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (texts[i]) nulls[i / 8] = static_cast<std::uint8_t>(nulls[i / 8] | 1 << i % 8);
            add_view(texts[i].value_or(""));
            bytes += texts[i].value_or("");
            small.push_back(static_cast<std::int32_t>(bytes.size()));
            large.push_back(static_cast<std::int64_t>(bytes.size()));
        }
        sizes.push_back(static_cast<std::int64_t>(bytes.size()));
        schema.format = format;
        const bool viewed = std::strcmp(format, "vu") == 0;
        const void* offsets =
            *format == 'u' ? static_cast<const void*>(small.data()) : large.data();
        buffers = {nulls.data(), viewed ? views.data() : offsets, bytes.data(), sizes.data()};
        array.length = static_cast<std::int64_t>(texts.size() - offset);
        array.offset = static_cast<std::int64_t>(offset);
        array.null_count = -1;
        array.n_buffers = viewed ? 4 : 3;
        array.buffers = buffers.data();
    }
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;

    void add_view(const std::string& text) {
        char one[16] = {};
        const auto length = static_cast<std::int32_t>(text.size());
        const auto start = static_cast<std::int32_t>(bytes.size());
        std::memcpy(one, &length, 4);
        if (length <= 12) {
            std::memcpy(one + 4, text.data(), text.size());
        } else {
            std::memcpy(one + 4, text.data(), 4);
            std::memcpy(one + 12, &start, 4);
        }
        views.insert(views.end(), one, one + 16);
    }
};

}  // namespace

// Every layout gives the texts that were put in, nulls as empty texts that are not valid; bytes
// that are no UTF-8 are refused.
FUZZ_TARGET(arrow) {
    constexpr const char* formats[] = {"u", "U", "vu"};
    const char* format = formats[input.below(3)];
    const std::size_t skipped = input.below(5);
    const bool dictionary = input.flag();
    std::vector<Text> texts;
    bool valid = true;
    for (int i = 0; i < 40 && !input.empty(); ++i) {
        const std::uint8_t kind = input.byte();
        texts.emplace_back(kind % 8 == 0 ? Text() : Text(input.line()));
    }
    const std::size_t offset = std::min(skipped, texts.size());
    for (std::size_t i = dictionary ? 0 : offset; i < texts.size(); ++i) {
        valid = valid && text::find_invalid_utf8(texts[i].value_or("")) == std::string_view::npos;
    }
    Column column(texts, dictionary ? 0 : offset, format);
    std::vector<std::uint8_t> indices;
    ArrowSchema schema = column.schema;
    ArrowArray array = column.array;
    std::array<const void*, 2> buffers{};
    if (dictionary) {
        for (std::size_t i = 0; i < texts.size(); ++i) {
            indices.push_back(static_cast<std::uint8_t>(texts.size() - 1 - i));
        }
        buffers = {nullptr, indices.data()};
        schema = {};
        schema.format = "C";
        schema.dictionary = &column.schema;
        array = {};
        array.length = static_cast<std::int64_t>(texts.size());
        array.n_buffers = 2;
        array.buffers = buffers.data();
        array.dictionary = &column.array;
    }
    text::ArrowColumns columns(false);
    const auto owner = std::make_shared<int>();  // of memory that outlives this
    const std::size_t begin = dictionary ? 0 : offset;
    const std::size_t rows = texts.size() - begin;
    // The first time texts may be read where they lie; the second time all are copied.
    for (std::size_t times = 1; times <= 2; ++times) {
        try {
            columns.append(schema, array, owner);
        } catch (const std::invalid_argument&) {
            EXPECT(!valid);
            return;
        }
        EXPECT(valid);
        EXPECT(columns.valid().size() == times * rows);
        for (std::size_t k = 0; k < times * rows; ++k) {
            const std::size_t i = begin + k % rows;
            const Text& expected = texts[dictionary ? texts.size() - 1 - i : i];
            EXPECT(columns.columns()[0][k] == expected.value_or(""));
            EXPECT((columns.valid()[k] != 0) == expected.has_value());
        }
    }
}

}  // namespace tertium::fuzz
