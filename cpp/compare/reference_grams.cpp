#include "compare/reference_grams.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "core/interrupt.hpp"

namespace tertium::compare {

using core::Gram;
using core::Token;

namespace {

// Starts must rise from 0 to `size`, or what lies between two of them is no range.
void check_starts(std::span<const std::int64_t> starts, std::size_t size, const char* name) {
    const bool rises = !starts.empty() && starts.front() == 0 &&
                       static_cast<std::size_t>(starts.back()) == size &&
                       std::is_sorted(starts.begin(), starts.end());
    if (!rises) throw std::invalid_argument(std::string(name) + ": expected rising starts");
}

}  // namespace

ReferenceGrams::ReferenceGrams(std::span<const Token> tokens,
                               std::span<const std::int64_t> references,
                               std::span<const std::int64_t> segments, std::size_t first,
                               std::size_t last)
    : first_(first), last_(last) {
    if (first < 1 || last < first) throw std::invalid_argument("orders: expected 1 or more");
    check_starts(references, tokens.size(), "references");
    check_starts(segments, references.size() - 1, "segments");
    table_.clear(std::min(tokens.size() * last, core::most_expected_grams));
    std::vector<std::size_t> slots;  // by gram
    std::vector<std::int32_t> own;   // of one reference, by entry of the segment
    starts_.push_back(0);
    for (std::size_t segment = 0; segment + 1 < segments.size(); ++segment) {
        if (segment % 256 == 0) core::check_interrupt();
        const std::size_t begin = entries_.size();
        for (auto r = static_cast<std::size_t>(segments[segment]);
             r < static_cast<std::size_t>(segments[segment + 1]); ++r) {
            const auto start = static_cast<std::size_t>(references[r]);
            const auto words =
                tokens.subspan(start, static_cast<std::size_t>(references[r + 1]) - start);
            own.assign(entries_.size() - begin, 0);
            for (std::size_t i = 0; i < words.size(); ++i) {
                Gram gram = core::empty_gram;
                for (std::size_t n = 1; n <= last_ && i + n <= words.size(); ++n) {
                    gram = intern(gram, words[i + n - 1]);
                    if (n < first_) continue;
                    slots.resize(parents_.size());
                    std::size_t& slot = slots[gram];
                    if (!is_entry(slot, begin, entries_.size(), gram)) {
                        slot = entries_.size();
                        entries_.push_back(gram);
                        expected_.push_back(0);
                        own.push_back(0);
                    }
                    ++own[slot - begin];
                }
            }
            for (std::size_t k = 0; k < own.size(); ++k) {
                expected_[begin + k] = std::max(expected_[begin + k], own[k]);
            }
        }
        starts_.push_back(entries_.size());
    }
}

Gram ReferenceGrams::intern(Gram prefix, Token last) {
    const Gram gram = table_.intern(prefix, last);
    if (gram == parents_.size()) parents_.push_back({prefix, last});
    return gram;
}

void ReferenceGrams::count(std::span<const Token> tokens, std::span<const std::int64_t> starts,
                           std::span<std::int32_t> right) const {
    check_starts(starts, tokens.size(), "segments");
    if (starts.size() != starts_.size() || right.size() != entries_.size()) {
        throw std::invalid_argument("segments: found " + std::to_string(starts.size() - 1) +
                                    ", expected " + std::to_string(segments()));
    }
    std::vector<std::size_t> slots(parents_.size());
    for (std::size_t segment = 0; segment < segments(); ++segment) {
        if (segment % 256 == 0) core::check_interrupt();
        const std::size_t begin = starts_[segment], end = starts_[segment + 1];
        for (std::size_t slot = begin; slot < end; ++slot) slots[entries_[slot]] = slot;
        const auto start = static_cast<std::size_t>(starts[segment]);
        const auto words =
            tokens.subspan(start, static_cast<std::size_t>(starts[segment + 1]) - start);
        for (std::size_t i = 0; i < words.size(); ++i) {
            Gram gram = core::empty_gram;
            for (std::size_t n = 1; n <= last_ && i + n <= words.size(); ++n) {
                gram = table_.find(gram, words[i + n - 1]);
                if (gram == core::no_gram) break;
                if (n < first_) continue;
                const std::size_t slot = slots[gram];
                if (!is_entry(slot, begin, end, gram)) break;  // nor is a longer one expected here
                if (right[slot] < expected_[slot]) ++right[slot];
            }
        }
    }
}

std::vector<Token> ReferenceGrams::words(Gram gram) const {
    if (gram >= parents_.size()) throw std::out_of_range("n-gram: expected one of the references");
    std::vector<Token> found;
    for (; gram != core::empty_gram; gram = parents_[gram].prefix) {
        found.push_back(parents_[gram].last);
    }
    std::reverse(found.begin(), found.end());
    return found;
}

}  // namespace tertium::compare
