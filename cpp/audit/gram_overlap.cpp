#include "audit/gram_overlap.hpp"

#include <algorithm>
#include <bit>

#include "audit/word_stream.hpp"

namespace tertium::audit {
namespace {

// So few trigrams of two texts fall together by chance in a table of this size that it does not
// show in the second digit; longer texts get a larger one.
constexpr std::size_t fewest_counts = std::size_t{1} << 14;

// All bits of a trigram decide all bits of its hash: the first character lies in the uppermost
// ones, which a single product would leave where they are.
std::uint32_t spread(std::uint64_t gram) {
    const std::uint64_t once = gram * 0x9E3779B97F4A7C15u;
    return static_cast<std::uint32_t>((once ^ once >> 32) * 0xD6E8FEB86659FD93u >> 32);
}

}  // namespace

void GramOverlap::read(std::string_view text, std::vector<std::uint32_t>& grams) {
    grams.clear();
    // A blank on either side, so that texts of one or two characters have trigrams, too.
    std::uint64_t window = U' ';
    const auto take = [&](char32_t code) {
        window = (window << 21 | folded(code)) & ((std::uint64_t{1} << 63) - 1);
        grams.push_back(spread(window));
    };
    for_each_code_point(text, [&](char32_t code, text::tokens::Properties) { take(code); });
    if (!grams.empty()) {
        take(U' ');
        grams.erase(grams.begin());  // what the first character ends is but two characters long
    }
}

double GramOverlap::operator()(std::string_view left, std::string_view right) {
    read(left, left_);
    read(right, right_);
    if (left_.empty() && right_.empty()) return 1.0;
    const std::size_t wanted = std::max(fewest_counts, std::bit_ceil(8 * left_.size()));
    if (counts_.size() < wanted) counts_.assign(wanted, 0);
    const std::size_t mask = wanted - 1;  // of the texts alone, not of those that came before
    for (const std::uint32_t gram : left_) ++counts_[gram & mask];
    std::size_t common = 0;
    for (const std::uint32_t gram : right_) {
        std::uint32_t& count = counts_[gram & mask];
        if (count > 0) {
            --count;
            ++common;
        }
    }
    for (const std::uint32_t gram : left_) counts_[gram & mask] = 0;
    return 2.0 * static_cast<double>(common) / static_cast<double>(left_.size() + right_.size());
}

}  // namespace tertium::audit
