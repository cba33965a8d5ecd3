// Bytes one after the other, with room behind them that is written to before it belongs to them: a
// string would first fill it with zeros.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace tertium::text {

class ByteBuffer {
  public:
    ByteBuffer() = default;
    explicit ByteBuffer(std::size_t capacity) { reserve(capacity); }
    ByteBuffer(const ByteBuffer& other) { append(other.view()); }
    ByteBuffer(ByteBuffer&& other) noexcept { swap(other); }
    ByteBuffer& operator=(ByteBuffer other) noexcept {
        swap(other);
        return *this;
    }
    ~ByteBuffer() = default;

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::size_t capacity() const { return capacity_; }
    const char* data() const { return memory_.get(); }
    std::string_view view() const { return {memory_.get(), size_}; }

    void clear() { size_ = 0; }
    void reserve(std::size_t capacity) {
        if (capacity > capacity_) move_to(capacity);
    }
    // Where so many more bytes may be written …
    char* room(std::size_t more) {
        if (more > capacity_ - size_) move_to(std::max(2 * capacity_, size_ + more));
        return memory_.get() + size_;
    }
    // … and where those end that were.
    void end_at(const char* end) { size_ = static_cast<std::size_t>(end - memory_.get()); }
    void append(std::string_view bytes) {
        if (bytes.empty()) return;
        std::memcpy(room(bytes.size()), bytes.data(), bytes.size());
        size_ += bytes.size();
    }

    void swap(ByteBuffer& other) noexcept {
        std::swap(memory_, other.memory_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }

  private:
    void move_to(std::size_t capacity) {
        auto memory = std::make_unique_for_overwrite<char[]>(capacity);
        if (size_ > 0) std::memcpy(memory.get(), memory_.get(), size_);
        memory_ = std::move(memory);
        capacity_ = capacity;
    }

    std::unique_ptr<char[]> memory_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace tertium::text
