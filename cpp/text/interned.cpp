#include "text/interned.hpp"

#include <stdexcept>

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
            column.missing.push_back(texts->missing(segment));
            tokens::tokenize(tokens::Tokenization::none, (*texts)[segment], buffer);
            for (const std::string_view word : buffer.tokens) {
                const auto [entry, added] =
                    ids_.try_emplace(std::string(word), static_cast<core::Token>(words_.size()));
                if (added) words_.emplace_back(entry->first);
                column.ids.push_back(entry->second);
            }
            column.ends.push_back(column.ids.size());
        }
    }
}

core::Tokens Interned::tokens(std::size_t column, std::size_t segment) const {
    const Column& chosen = columns_[column];
    const std::size_t begin = segment == 0 ? 0 : chosen.ends[segment - 1];
    return {chosen.ids.data() + begin, chosen.ends[segment] - begin};
}

}  // namespace tertium::text
