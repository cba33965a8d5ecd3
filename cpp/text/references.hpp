// References tokenised and interned once, reused for every system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/parallel.hpp"
#include "core/segment.hpp"
#include "text/texts.hpp"
#include "text/token_numbers.hpp"
#include "text/tokens/token_key.hpp"
#include "text/tokens/tokenizers.hpp"

namespace tertium::text {

// The distinct tokens of one segment's references, which lie in memory with those of its
// neighbours.
struct Vocabulary {
    std::span<const tokens::TokenKey> keys;  // by token id
    std::span<const std::uint32_t> begins;   // by token id, place of bytes that its key holds not
    const char* bytes;

    // The bytes of a token that its key does not hold whole, else nothing.
    std::string_view long_bytes(core::Token token) const;
};

class References {
  public:
    // `when_asked` prepares a segment while the kernel that asks for it has it in its cache; the
    // columns must then outlive the references. So does `each_time`, for references that are
    // gone through once: an interner keeps none of them, but reads each segment anew.
    enum class Preparation { now, when_asked, each_time };

    // One column per reference; all columns have the same length. Missing segments are left
    // out of that segment's set; where none remains, preparation throws std::invalid_argument.
    References(std::vector<const Texts*> columns, tokens::Tokenization tokenization,
               Preparation preparation = Preparation::now);

    References(const References&) = delete;
    References& operator=(const References&) = delete;

    std::size_t size() const { return size_; }
    tokens::Tokenization tokenization() const { return tokenization_; }
    // Equal for the same object only, as long as anyone keeps it.
    std::shared_ptr<const void> identity() const { return identity_; }
    bool kept() const { return preparation_ != Preparation::each_time; }
    const std::vector<const Texts*>& columns() const {
        return columns_;
    }  // if not prepared at once
    std::span<const core::Tokens> references(std::size_t segment) const;
    Vocabulary vocabulary(std::size_t segment) const;

    // Prepares all segments, in parallel: for whoever goes through them one by one.
    void prepare() const;

    // Neighbours that are prepared together; for threads to share out.
    static constexpr std::size_t shard_size = 256;

  private:
    struct Shard;
    struct Deleter {
        void operator()(Shard* shard) const;
    };
    const Shard& shard(std::size_t number) const;

    std::shared_ptr<const void> identity_ = std::make_shared<char>();
    std::vector<const Texts*> columns_;
    std::size_t size_ = 0;
    tokens::Tokenization tokenization_;
    Preparation preparation_;
    mutable std::vector<std::unique_ptr<Shard, Deleter>> shards_;
    std::unique_ptr<std::once_flag[]> prepared_;
};

// Turns a hypothesis into ids against one segment's vocabulary.
class Interner {
  public:
    explicit Interner(const References& references)
        : references_(&references), numbers_(references.tokenization()) {}

    // Lasts until the next call.
    core::Segment segment(std::string_view hypothesis, std::size_t index);

  private:
    void read_references(std::size_t index);

    const References* references_;
    TokenNumbers numbers_;
    std::vector<core::Token> ids_;
    std::vector<std::vector<core::Token>> reference_ids_;  // these of references that are not kept
    std::vector<core::Tokens> reference_views_;
};

// Runs worker(segment, index, row) for every segment; rows is size() × columns, row-major.
template <class MakeWorker>
void for_each_segment(const Texts& hypotheses, const References& references, std::size_t columns,
                      double* rows, MakeWorker&& make_worker) {
    core::for_each_block(hypotheses.size(), References::shard_size, [&] {
        return [&, interner = Interner(references), worker = make_worker()](
                   std::size_t begin, std::size_t end) mutable {
            for (std::size_t i = begin; i < end; ++i) {
                worker(interner.segment(hypotheses[i], i), i, rows + i * columns);
            }
        };
    });
}

}  // namespace tertium::text
