// A vector register's worth of numbers, as portable code: 16 bytes are in every 64-bit processor.
#pragma once

#include <cstddef>
#include <cstring>

#include "core/processor.hpp"

namespace tertium::core {

template <class Number>
class Lanes {
  public:
    static constexpr std::size_t count = 16 / sizeof(Number);

    static Lanes load(const Number* from) { return load_bytes(from); }
    static Lanes load_bytes(const void* from) {
        Lanes result;
        std::memcpy(&result.values_, from, sizeof result.values_);
        return result;
    }
    void store(Number* to) const { std::memcpy(to, &values_, sizeof values_); }
    Number operator[](std::size_t i) const { return values_[i]; }
    // Whether any is not 0.
    bool any() const {
        unsigned char bytes[16], none[16] = {};
        std::memcpy(bytes, &values_, sizeof bytes);
        return std::memcmp(bytes, none, sizeof bytes) != 0;
    }

#ifdef TERTIUM_VECTOR
    static Lanes all(Number number) { return Lanes(Values{} + number); }
    friend Lanes operator+(Lanes one, Lanes other) { return one.values_ + other.values_; }
    friend Lanes operator-(Lanes one, Lanes other) { return one.values_ - other.values_; }
    friend Lanes operator&(Lanes one, Lanes other) { return one.values_ & other.values_; }
    friend Lanes operator|(Lanes one, Lanes other) { return one.values_ | other.values_; }
    friend Lanes operator^(Lanes one, Lanes other) { return one.values_ ^ other.values_; }
    friend Lanes operator<<(Lanes one, int bits) { return one.values_ << bits; }
    friend Lanes larger(Lanes one, Lanes other) {
        return one.values_ > other.values_ ? one.values_ : other.values_;
    }
    friend Lanes smaller(Lanes one, Lanes other) {
        return one.values_ < other.values_ ? one.values_ : other.values_;
    }
    // `yes` in the lanes where both are equal, else `no`.
    friend Lanes where_equal(Lanes one, Lanes other, Lanes yes, Lanes no) {
        return one.values_ == other.values_ ? yes.values_ : no.values_;
    }

  private:
    typedef Number Values TERTIUM_VECTOR(16);
    Lanes(Values values) : values_(values) {}
#else
    static Lanes all(Number number) {
        return each([&](std::size_t) { return number; });
    }
    friend Lanes operator+(Lanes one, Lanes other) {
        return each([&](std::size_t i) { return one.values_[i] + other.values_[i]; });
    }
    friend Lanes operator-(Lanes one, Lanes other) {
        return each([&](std::size_t i) { return one.values_[i] - other.values_[i]; });
    }
    friend Lanes operator&(Lanes one, Lanes other) {
        return each([&](std::size_t i) { return one.values_[i] & other.values_[i]; });
    }
    friend Lanes operator|(Lanes one, Lanes other) {
        return each([&](std::size_t i) { return one.values_[i] | other.values_[i]; });
    }
    friend Lanes operator^(Lanes one, Lanes other) {
        return each([&](std::size_t i) { return one.values_[i] ^ other.values_[i]; });
    }
    friend Lanes operator<<(Lanes one, int bits) {
        return each([&](std::size_t i) { return one.values_[i] << bits; });
    }
    friend Lanes larger(Lanes one, Lanes other) {
        return each([&](std::size_t i) {
            return one.values_[i] > other.values_[i] ? one.values_[i] : other.values_[i];
        });
    }
    friend Lanes smaller(Lanes one, Lanes other) {
        return each([&](std::size_t i) {
            return one.values_[i] < other.values_[i] ? one.values_[i] : other.values_[i];
        });
    }
    friend Lanes where_equal(Lanes one, Lanes other, Lanes yes, Lanes no) {
        return each([&](std::size_t i) {
            return one.values_[i] == other.values_[i] ? yes.values_[i] : no.values_[i];
        });
    }

  private:
    using Values = Number[count];
    template <class Function>
    static Lanes each(Function function) {
        Lanes result;
        for (std::size_t i = 0; i < count; ++i) {
            result.values_[i] = static_cast<Number>(function(i));
        }
        return result;
    }
#endif
    Lanes() = default;
    Values values_;
};

}  // namespace tertium::core
