#include "text/references.hpp"

#include <cstring>
#include <memory>
#include <stdexcept>

#include "core/hash_table.hpp"

namespace tertium::text {
core::Token Vocabulary::find(std::string_view token) const {
    const tokens::TokenKey key(token);
    const std::size_t place =
        core::probe(slots.data(), slots.size() - 1, 1, key.hash(), [&](core::Mark mark) {
            const std::size_t id = mark - 1;
            return keys[id] == key &&
                   (key.holds_all() ||
                    std::memcmp(bytes + begins[id], token.data(), key.length) == 0);
        });
    return static_cast<core::Token>(slots[place]) - 1;
}
static_assert(core::unknown == -1);  // of a free slot

std::string_view Vocabulary::long_bytes(core::Token token) const {
    const auto id = static_cast<std::size_t>(token);
    if (keys[id].holds_all()) return {};
    return {bytes + begins[id], keys[id].length};
}

struct References::Shard {
    // Places where one segment's part of each flat array begins.
    struct Place {
        std::size_t reference, slot, token, byte;
    };
    std::vector<Place> places{{0, 0, 0, 0}};
    std::vector<core::Token> ids;
    std::vector<std::size_t> id_ends;
    std::vector<core::Tokens> references;  // views into ids, made when ids no longer moves
    std::vector<core::Mark> slots;
    std::vector<std::uint32_t> begins;
    std::vector<tokens::TokenKey> keys;
    std::string bytes;

    void reserve(const std::vector<const Texts*>& columns, std::size_t begin, std::size_t end);
    void add(const std::vector<const Texts*>& columns, std::size_t index,
             tokens::Tokenization tokenization, tokens::TokenBuffer& buffer);
    void seal();
};

void References::Deleter::operator()(Shard* shard) const {
    delete shard;
}

void References::Shard::add(const std::vector<const Texts*>& columns, std::size_t index,
                            tokens::Tokenization tokenization, tokens::TokenBuffer& buffer) {
    const Place place = places.back();
    std::size_t present = 0;
    std::size_t mask = 0;
    const auto place_of = [&](const tokens::TokenKey& key, auto&& same) {
        return place.slot + core::probe(slots.data() + place.slot, mask, 1, key.hash(), same);
    };
    const auto grow = [&](std::size_t tokens) {
        mask = core::slots_for(tokens) - 1;
        slots.resize(place.slot);
        slots.resize(place.slot + mask + 1, 0);
        for (std::size_t id = place.token; id < keys.size(); ++id) {
            slots[place_of(keys[id], [](core::Mark) { return false; })] =
                static_cast<core::Mark>(id - place.token + 1);
        }
    };
    const auto intern = [&](std::string_view token) {
        const tokens::TokenKey key(token);
        core::Mark& slot = slots[place_of(key, [&](core::Mark mark) {
            const std::size_t id = place.token + mark - 1;
            return keys[id] == key &&
                   (key.holds_all() || std::memcmp(bytes.data() + place.byte + begins[id],
                                                   token.data(), key.length) == 0);
        })];
        if (slot == 0) {
            keys.push_back(key);
            begins.push_back(static_cast<std::uint32_t>(bytes.size() - place.byte));
            if (!key.holds_all()) bytes.append(token);
            slot = static_cast<core::Mark>(keys.size() - place.token);
        }
        return static_cast<core::Token>(slot) - 1;
    };
    for (const Texts* column : columns) {
        if (column->missing(index)) continue;
        ++present;
        tokens::tokenize(tokenization, (*column)[index], buffer);
        grow(keys.size() - place.token + buffer.tokens.size());
        for (const std::string_view token : buffer.tokens) ids.push_back(intern(token));
        id_ends.push_back(ids.size());
    }
    if (present == 0) {
        throw std::invalid_argument("segment " + std::to_string(index + 1) +
                                    ": no reference, expected at least one");
    }
    places.push_back({id_ends.size(), slots.size(), keys.size(), bytes.size()});
}

// Room for text of about six bytes a word; more is found as it is needed.
void References::Shard::reserve(const std::vector<const Texts*>& columns, std::size_t begin,
                                std::size_t end) {
    std::size_t size = 0;
    for (const Texts* column : columns) size += column->bytes_between(begin, end);
    places.reserve(end - begin + 1);
    id_ends.reserve((end - begin) * columns.size());
    ids.reserve(size / 5);
    keys.reserve(size / 6);
    begins.reserve(size / 6);
    slots.reserve(size / 2);
    bytes.reserve(size / 3);
}

void References::Shard::seal() {
    ids.shrink_to_fit();
    slots.shrink_to_fit();
    references.reserve(id_ends.size());
    std::size_t begin = 0;
    for (const std::size_t end : id_ends) {
        references.emplace_back(ids.data() + begin, end - begin);
        begin = end;
    }
}

References::References(std::vector<const Texts*> columns, tokens::Tokenization tokenization,
                       Preparation preparation)
    : columns_(std::move(columns)), tokenization_(tokenization) {
    if (columns_.empty()) throw std::invalid_argument("no references, expected at least one set");
    size_ = columns_.front()->size();
    for (std::size_t c = 1; c < columns_.size(); ++c) {
        if (columns_[c]->size() != size_) {
            throw std::invalid_argument("reference set " + std::to_string(c + 1) + ": " +
                                        std::to_string(columns_[c]->size()) +
                                        " segments, expected " + std::to_string(size_));
        }
    }
    shards_.resize((size_ + shard_size - 1) / shard_size);
    prepared_ = std::make_unique<std::once_flag[]>(shards_.size());
    if (preparation == Preparation::now) {
        prepare();
        columns_.clear();
    }
}

const References::Shard& References::shard(std::size_t number) const {
    std::call_once(prepared_[number], [&] {
        std::unique_ptr<Shard, Deleter> made(new Shard);
        tokens::TokenBuffer buffer;
        const std::size_t begin = number * shard_size;
        const std::size_t end = std::min(size_, begin + shard_size);
        made->reserve(columns_, begin, end);
        for (std::size_t i = begin; i < end; ++i) made->add(columns_, i, tokenization_, buffer);
        made->seal();
        shards_[number] = std::move(made);
    });
    return *shards_[number];
}

void References::prepare() const {
    core::for_each_block(shards_.size(), 1,
                         [&] { return [&](std::size_t number, std::size_t) { shard(number); }; });
}

std::span<const core::Tokens> References::references(std::size_t segment) const {
    const Shard& shard = this->shard(segment / shard_size);
    const std::size_t i = segment % shard_size;
    const std::size_t begin = shard.places[i].reference;
    return std::span(shard.references).subspan(begin, shard.places[i + 1].reference - begin);
}

Vocabulary References::vocabulary(std::size_t segment) const {
    const Shard& shard = this->shard(segment / shard_size);
    const Shard::Place& from = shard.places[segment % shard_size];
    const Shard::Place& to = shard.places[segment % shard_size + 1];
    const std::size_t distinct = to.token - from.token;
    return {std::span(shard.slots).subspan(from.slot, to.slot - from.slot),
            std::span(shard.keys).subspan(from.token, distinct),
            std::span(shard.begins).subspan(from.token, distinct), shard.bytes.data() + from.byte};
}

core::Segment Interner::segment(std::string_view hypothesis, std::size_t index) {
    const Vocabulary vocabulary = references_->vocabulary(index);
    tokens::tokenize(references_->tokenization(), hypothesis, buffer_);
    ids_.resize(buffer_.tokens.size());
    for (std::size_t t = 0; t < ids_.size(); ++t) ids_[t] = vocabulary.find(buffer_.tokens[t]);
    return {ids_, references_->references(index), vocabulary.keys.size()};
}

}  // namespace tertium::text
