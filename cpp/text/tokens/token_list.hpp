// The tokens of a text, one after the other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

namespace tertium::text::tokens {

// Like a vector, but with room behind the end that can be written to at once.
class TokenList {
  public:
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    const std::string_view* begin() const { return room_.data(); }
    const std::string_view* end() const { return room_.data() + size_; }
    std::string_view operator[](std::size_t i) const { return room_[i]; }
    std::string_view front() const { return room_[0]; }
    std::string_view back() const { return room_[size_ - 1]; }

    bool operator==(const TokenList& other) const {
        return std::equal(begin(), end(), other.begin(), other.end());
    }

    void clear() { size_ = 0; }
    void push_back(std::string_view token) {
        *room(1) = token;
        ++size_;
    }
    // Where so many more tokens may be written …
    std::string_view* room(std::size_t more) {
        if (room_.size() - size_ < more) room_.resize(2 * room_.size() + more);
        return room_.data() + size_;
    }
    // … and where the last one of them ends.
    void end_at(const std::string_view* end) {
        size_ = static_cast<std::size_t>(end - room_.data());
    }
    template <class Leave>
    void erase_if(Leave&& leave) {
        end_at(std::remove_if(room_.data(), room_.data() + size_, leave));
    }

  private:
    std::vector<std::string_view> room_;  // of these the first `size_` are tokens
    std::size_t size_ = 0;
};

}  // namespace tertium::text::tokens
