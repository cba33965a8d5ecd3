// The one open-addressing table of the core: it gives things numbers in the order of arrival, 0, 1,
// 2, …, and finds them again. Linear probing; a power of two of slots, at most half of them in use.
//
// A slot has a mark: its thing's number plus the table's first mark. A cleared table goes on
// counting marks where it was, so that all slots of before are free at once, whatever they hold:
// tables that are filled anew for every segment are not wiped, except when the 32-bit marks run
// out.
//
// `KeyNumbers` keeps small keys in the slots. `HashIndex` keeps marks alone; its things lie with
// its user, by number. Tables that are a part of other memory are looked up by `probe`.
//
// Invariants: first_ ≤ every mark in use < next_ ≤ limit_, and limit_ − first_ is half of the
// slots, so that probing always meets a free slot. The table grows when next_ reaches limit_,
// before the new thing is placed. slots_ may be larger than mask_ + 1: a clear for fewer things
// uses its beginning.
//
// Pitfalls:
//  - The mask takes the low bits of a hash, and neighbors probe the same slots: hashes must be
//    mixed (`mixed`, whose result has 32 good bits).
//  - Numbers are dense and permanent; there is no erase. Callers index their own arrays by number
//    and append a thing when `intern` returns the number of things they have so far.
//  - `hash_of` must return the hash that a thing was interned with. If hashes change, place_again.
//  - A HashIndex::Row is a copy: it is void after anything that may grow or clear the table, and
//    what it adds counts only after `end`.
//  - HashIndex::slots is a file format (number + 1, 0 for free), for tables that were never
//    cleared.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tertium::core {

inline constexpr std::uint32_t no_number = std::numeric_limits<std::uint32_t>::max();

// Spreads the bits of a key. Only the lower half may be used.
constexpr std::uint64_t mixed(std::uint64_t key) {
    return key * 0x9E3779B97F4A7C15u >> 32;
}

// How many slots hold so many things.
constexpr std::size_t slots_for(std::size_t things) {
    return std::bit_ceil(2 * things + 2);
}

using Mark = std::uint32_t;  // of a slot that is nothing else; 0 in slots that were never used

template <class Key>
struct KeyedMark {
    Key key{};
    Mark mark = 0;
};

constexpr Mark mark_of(Mark slot) {
    return slot;
}
template <class Key>
constexpr Mark mark_of(const KeyedMark<Key>& slot) {
    return slot.mark;
}

// The place of the slot that is the `same`, or of the free one where it would belong. There must
// be a free one; `mask` is the number of slots less 1.
template <class Slot, class Same>
std::size_t probe(const Slot* slots, std::size_t mask, Mark first, std::uint64_t hash,
                  Same&& same) {
    std::size_t place = static_cast<std::size_t>(hash) & mask;
    while (mark_of(slots[place]) >= first && !same(slots[place])) place = (place + 1) & mask;
    return place;
}

// What both kinds of tables share: slots, their marks, and growth.
template <class Slot>
class HashSlots {
  public:
    std::size_t size() const { return next_ - first_; }

    // Forgets all things. The first keeps the slots, the second has as many as `expected` things
    // need: few are better, for they stay in the cache.
    void clear() {
        if (!slots_.empty()) begin(mask_ + 1);
    }
    void clear(std::size_t expected) { begin(std::max(fewest_slots, slots_for(expected))); }

  protected:
    static constexpr std::size_t fewest_slots = 16;

    bool full() const { return next_ == limit_; }
    std::uint32_t number(std::size_t place) const { return mark_of(slots_[place]) - first_; }
    bool used(std::size_t place) const { return mark_of(slots_[place]) >= first_; }

    template <class Same>
    std::size_t place_of(std::uint64_t hash, Same&& same) const {
        return probe(slots_.data(), mask_, first_, hash, same);
    }

    // A table of twice as many free slots, of which `place_all(slots before)` takes what it needs.
    template <class PlaceAll>
    void grow(PlaceAll&& place_all) {
        const std::size_t slots = slots_.empty() ? fewest_slots : 2 * (mask_ + 1);
        if (slots / 2 >= no_number) throw std::length_error("hash table: more than 2^31 things");
        const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots));
        const std::span<const Slot> before(old.data(), old.empty() ? 0 : mask_ + 1);
        const Mark before_first = first_;
        const std::size_t count = size();
        restart(slots);
        place_all(before, before_first);
        next_ = static_cast<Mark>(first_ + count);
    }

    void begin(std::size_t slots) {
        if (slots > slots_.size()) {
            slots_.assign(slots, Slot{});
            restart(slots);
        } else if (next_ > no_number - slots / 2) {
            std::ranges::fill(slots_, Slot{});
            restart(slots);
        } else {
            first_ = next_;
            mask_ = slots - 1;
            limit_ = static_cast<Mark>(first_ + slots / 2);
        }
    }

    void restart(std::size_t slots) {
        first_ = next_ = 1;
        mask_ = slots - 1;
        limit_ = static_cast<Mark>(first_ + slots / 2);
    }

    std::vector<Slot> slots_;  // of these the first mask_ + 1 are in use, and none if it is empty
    std::size_t mask_ = 0;
    Mark first_ = 1;  // marks below are of a time before
    Mark next_ = 1;   // the mark of the next new thing
    Mark limit_ = 1;  // when it is reached, the table has to grow
};

// Numbers of keys that are compared by ==. `Hash` is called with a key; whatever it gives, equal
// keys have equal numbers only.
template <class Key, class Hash>
class KeyNumbers : protected HashSlots<KeyedMark<Key>> {
  public:
    using Slots = HashSlots<KeyedMark<Key>>;
    using Slots::clear;
    using Slots::size;

    // no_number where it is absent.
    std::uint32_t find(const Key& key) const {
        if (this->slots_.empty()) return no_number;
        const std::size_t place = place_of_key(key);
        return this->used(place) ? this->number(place) : no_number;
    }

    // Its number, new or not.
    std::uint32_t intern(const Key& key) {
        if (this->full()) grow();
        const std::size_t place = place_of_key(key);
        if (!this->used(place)) this->slots_[place] = {key, this->next_++};
        return this->number(place);
    }

  private:
    std::size_t place_of_key(const Key& key) const {
        return this->place_of(Hash{}(key),
                              [&](const KeyedMark<Key>& slot) { return slot.key == key; });
    }

    void grow() {
        Slots::grow([&](std::span<const KeyedMark<Key>> before, Mark first) {
            for (const KeyedMark<Key>& slot : before) {
                if (slot.mark < first) continue;
                const Mark mark = slot.mark - first + this->first_;
                this->slots_[place_of_key(slot.key)] = {slot.key, mark};
            }
        });
    }
};

// Numbers of things that lie elsewhere.
class HashIndex : private HashSlots<Mark> {
  public:
    using HashSlots<Mark>::clear;
    using HashSlots<Mark>::size;

    // The thing with this hash for which same(number) holds; no_number where there is none.
    template <class Same>
    std::uint32_t find(std::uint64_t hash, Same&& same) const {
        if (slots_.empty()) return no_number;
        const std::size_t place = place_of_same(hash, same);
        return used(place) ? number(place) : no_number;
    }

    // The same, but a new one gets the next number, size(); whoever uses the table keeps the thing
    // then. hash_of(number) is asked for when the table grows.
    template <class Same, class HashOf>
    std::uint32_t intern(std::uint64_t hash, Same&& same, HashOf&& hash_of) {
        if (full()) grow(hash_of);
        const std::size_t place = place_of_same(hash, same);
        if (!used(place)) slots_[place] = next_++;
        return number(place);
    }

    // What the table is made of, for whoever looks up many things in a row: as a value of its own
    // the compiler keeps it in registers. Things may be added to it, if room was asked for; the
    // table learns of them by `end`.
    struct Row {
        Mark* slots;
        std::size_t mask;
        Mark first;
        std::uint32_t size;  // of the table; no number in use is as large

        // Where a hash leads, which is where most things of a sparse table are …
        std::size_t place(std::uint64_t hash) const {
            return static_cast<std::size_t>(hash) & mask;
        }
        // … and where the thing is, or belongs.
        template <class Same>
        std::size_t place_of(std::uint64_t hash, Same&& same) const {
            return probe(slots, mask, first, hash, [&](Mark mark) { return same(mark - first); });
        }
        // Not less than `size` if the place is free: marks of before are too small, and no number
        // that wraps around comes near it.
        std::uint32_t number(std::size_t place) const { return slots[place] - first; }
    };
    // With room for `more` things.
    template <class HashOf>
    Row row(std::size_t more, HashOf&& hash_of) {
        while (slots_.empty() || limit_ - next_ < more) grow(hash_of);
        return {slots_.data(), mask_, first_, static_cast<std::uint32_t>(size())};
    }
    void end(const Row& row) { next_ = row.first + row.size; }

    // For things that have other hashes than before.
    template <class HashOf>
    void place_again(HashOf&& hash_of) {
        grow(hash_of);
    }

    // As they lie in memory, for files: 0 is free, otherwise number + 1. Only for a table that was
    // never cleared.
    const std::vector<Mark>& slots() const { return slots_; }

  private:
    template <class Same>
    std::size_t place_of_same(std::uint64_t hash, Same&& same) const {
        return place_of(hash, [&](Mark mark) { return same(mark - first_); });
    }

    template <class HashOf>
    void grow(HashOf&& hash_of) {
        const std::size_t count = size();
        HashSlots<Mark>::grow([&](std::span<const Mark>, Mark) {
            // In the order of numbers, for their things lie in that order, too.
            for (std::size_t n = 0; n < count; ++n) {
                const auto number = static_cast<std::uint32_t>(n);
                slots_[place_of(hash_of(number), [](Mark) { return false; })] = first_ + number;
            }
        });
    }
};

}  // namespace tertium::core
