#include "text/references.hpp"

#include <cstring>
#include <memory>
#include <stdexcept>

#include "core/hash_table.hpp"

namespace tertium::text {
namespace {

[[noreturn]] void throw_no_reference(std::size_t index) {
    throw std::invalid_argument("segment " + std::to_string(index + 1) +
                                ": no reference, expected at least one");
}

}  // namespace

std::string_view Vocabulary::long_bytes(core::Token token) const {
    const auto id = static_cast<std::size_t>(token);
    if (keys[id].holds_all()) return {};
    return {bytes + begins[id], keys[id].length()};
}

struct References::Shard {
    // Places where one segment's part of each flat array begins.
    struct Place {
        std::size_t reference, token, byte;
    };
    // What is needed to add a segment and not afterwards.
    struct Scratch {
        TokenNumbers numbers;
        std::vector<core::Token> ids;
        std::vector<TokenNumbers::Word> words;
    };
    std::vector<Place> places{{0, 0, 0}};
    std::vector<core::Token> ids;
    std::vector<std::size_t> id_ends;
    std::vector<core::Tokens> references;  // views into ids, made when ids no longer moves
    std::vector<std::uint32_t> begins;
    std::vector<tokens::TokenKey> keys;
    std::string bytes;

    void reserve(const std::vector<const Texts*>& columns, std::size_t begin, std::size_t end);
    void add(const std::vector<const Texts*>& columns, std::size_t index, Scratch& scratch);
    void seal();
};

void References::Deleter::operator()(Shard* shard) const {
    delete shard;
}

void References::Shard::add(const std::vector<const Texts*>& columns, std::size_t index,
                            Scratch& scratch) {
    core::check_interrupt();
    scratch.numbers.clear();
    for (const Texts* column : columns) {
        if (column->missing(index)) continue;
        scratch.numbers.intern((*column)[index], scratch.ids);
        ids.insert(ids.end(), scratch.ids.begin(), scratch.ids.end());
        id_ends.push_back(ids.size());
    }
    if (id_ends.size() == places.back().reference) throw_no_reference(index);
    for (const TokenNumbers::Word& word : scratch.numbers.words(scratch.words)) {
        keys.push_back(word.key());
        begins.push_back(static_cast<std::uint32_t>(bytes.size() - places.back().byte));
        if (!keys.back().holds_all()) bytes.append(word.bytes, word.length);
    }
    places.push_back({id_ends.size(), keys.size(), bytes.size()});
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
    bytes.reserve(size / 3);
}

void References::Shard::seal() {
    ids.shrink_to_fit();
    references.reserve(id_ends.size());
    std::size_t begin = 0;
    for (const std::size_t end : id_ends) {
        references.emplace_back(ids.data() + begin, end - begin);
        begin = end;
    }
}

References::References(std::vector<const Texts*> columns, tokens::Tokenization tokenization,
                       Preparation preparation)
    : columns_(std::move(columns)), tokenization_(tokenization), preparation_(preparation) {
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
        Shard::Scratch scratch{TokenNumbers(tokenization_), {}, {}};
        const std::size_t begin = number * shard_size;
        const std::size_t end = std::min(size_, begin + shard_size);
        made->reserve(columns_, begin, end);
        for (std::size_t i = begin; i < end; ++i) made->add(columns_, i, scratch);
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
    return {std::span(shard.keys).subspan(from.token, distinct),
            std::span(shard.begins).subspan(from.token, distinct), shard.bytes.data() + from.byte};
}

core::Segment Interner::segment(std::string_view hypothesis, std::size_t index) {
    core::check_interrupt();  // a block of segments may take long
    numbers_.clear();
    std::span<const core::Tokens> references;
    if (references_->kept()) {
        const Vocabulary vocabulary = references_->vocabulary(index);
        numbers_.add(vocabulary.keys,
                     [&](std::size_t id) { return vocabulary.bytes + vocabulary.begins[id]; });
        references = references_->references(index);
    } else {
        read_references(index);
        references = reference_views_;
    }
    const std::size_t vocabulary = numbers_.size();
    numbers_.find(hypothesis, ids_);
    return {ids_, references, vocabulary};
}

void Interner::read_references(std::size_t index) {
    reference_views_.clear();
    reference_ids_.resize(references_->columns().size());
    for (const Texts* column : references_->columns()) {
        if (column->missing(index)) continue;
        std::vector<core::Token>& ids = reference_ids_[reference_views_.size()];
        numbers_.intern((*column)[index], ids);
        reference_views_.emplace_back(ids);
    }
    if (reference_views_.empty()) throw_no_reference(index);
}

}  // namespace tertium::text
