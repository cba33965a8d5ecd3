// Sequences that grow at their ends and share their beginnings, in lexicographic order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <queue>
#include <vector>

namespace tertium::decode::oracle {

// Sequence 0 is empty; every other one is an earlier one and one item more. Comparison takes time
// that grows with the logarithm of the length: besides its parent each sequence knows an ancestor
// further away (skew-binary jumps; Myers, 1983).
class SharedSequences {
  public:
    SharedSequences() : nodes_{{0, 0, 0, 0}} {}

    // The number of the new sequence.
    std::int32_t add(std::int32_t parent, std::int32_t item) {
        const Node& before = at(parent);
        const Node& far = at(before.jump);
        const bool even = before.length - far.length == far.length - at(far.jump).length;
        nodes_.push_back({parent, even ? far.jump : parent, before.length + 1, item});
        return static_cast<std::int32_t>(nodes_.size()) - 1;
    }

    std::int32_t parent(std::int32_t sequence) const { return at(sequence).parent; }
    std::int32_t item(std::int32_t sequence) const { return at(sequence).item; }

    // Whether a sequence and one item come before another and one item; neither begins the other.
    bool smaller(std::int32_t one, std::int32_t item, std::int32_t other,
                 std::int32_t other_item) const {
        shorten(one, item, at(other).length);
        shorten(other, other_item, at(one).length);
        while (one != other) {
            if (at(one).jump != at(other).jump) {
                one = at(one).jump;
                other = at(other).jump;
            } else {
                item = at(one).item;
                other_item = at(other).item;
                one = at(one).parent;
                other = at(other).parent;
            }
        }
        return item < other_item;
    }

  private:
    struct Node {
        std::int32_t parent;
        std::int32_t jump;
        std::int32_t length;
        std::int32_t item;
    };

    const Node& at(std::int32_t number) const { return nodes_[static_cast<std::size_t>(number)]; }

    // The beginning of a length, and the item that follows there.
    void shorten(std::int32_t& sequence, std::int32_t& item, std::int32_t length) const {
        if (at(sequence).length <= length) return;
        while (at(sequence).length > length + 1) {
            const bool far = at(at(sequence).jump).length > length;
            sequence = far ? at(sequence).jump : at(sequence).parent;
        }
        item = at(sequence).item;
        sequence = at(sequence).parent;
    }

    std::vector<Node> nodes_;
};

// A sequence that an item would make longer, and the best that can come of it.
template <class Value>
struct Candidate {
    Value bound;
    std::int32_t parent;
    std::int32_t item;
};

// Orders a queue: the better bound first, then the smaller sequence.
template <class Value>
struct Worse {
    const SharedSequences* sequences;

    bool operator()(const Candidate<Value>& one, const Candidate<Value>& other) const {
        if (!(one.bound == other.bound)) return other.bound > one.bound;
        return sequences->smaller(other.parent, other.item, one.parent, one.item);
    }
};

template <class Value>
using CandidateQueue =
    std::priority_queue<Candidate<Value>, std::vector<Candidate<Value>>, Worse<Value>>;

}  // namespace tertium::decode::oracle
