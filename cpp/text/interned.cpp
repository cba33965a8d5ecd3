#include "text/interned.hpp"

#include <stdexcept>

#include "core/interrupt.hpp"
#include "text/tokens/tokenizers.hpp"

namespace tertium::text {

Interned::Interned(const std::vector<const Texts*>& columns) {
    if (!columns.empty()) size_ = columns.front()->size();
    tokens::TokenBuffer buffer;
    for (const Texts* texts : columns) {
        if (texts->size() != size_) {
            throw std::invalid_argument("found a column of " + std::to_string(texts->size()) +
                                        " segments, expected " + std::to_string(size_));
        }
        Column& column = columns_.emplace_back();
        for (std::size_t segment = 0; segment < size_; ++segment) {
            core::check_interrupt();
            column.missing.push_back(texts->missing(segment));
            tokens::tokenize(tokens::Tokenization::none, (*texts)[segment], buffer);
            for (const std::string_view word : buffer.tokens) {
                column.ids.push_back(static_cast<core::Token>(table_.add(word)));
            }
            column.ends.push_back(column.ids.size());
        }
    }
    for (std::uint32_t id = 0; id < table_.size(); ++id) words_.push_back(table_[id]);
}

core::Tokens Interned::tokens(std::size_t column, std::size_t segment) const {
    const Column& chosen = columns_[column];
    const std::size_t begin = segment == 0 ? 0 : chosen.ends[segment - 1];
    return {chosen.ids.data() + begin, chosen.ends[segment] - begin};
}

}  // namespace tertium::text
