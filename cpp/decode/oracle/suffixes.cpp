#include "decode/oracle/suffixes.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "decode/oracle/numbers.hpp"

namespace tertium::decode::oracle {
SuffixTrees::SuffixTrees(const OracleForest& forest, const OracleReference& reference) {
    body_begins_.push_back(0);
    for (std::size_t edge = 0; edge < forest.scores().size(); ++edge) {
        for (const std::int32_t symbol : forest.body(edge)) {
            symbols_.push_back(symbol < 0 ? symbol - 1 : reference.number(symbol));
        }
        body_begins_.push_back(symbols_.size());
    }
    edges_.resize(forest.scores().size());
    std::iota(edges_.begin(), edges_.end(), 0);
    begins_.push_back(0);
    std::vector<std::int32_t> path;  // from the root to the suffix at hand
    for (std::size_t node = 0; node < forest.nodes(); ++node) {
        const std::size_t first = forest.begins()[node];
        const std::size_t last = forest.begins()[node + 1];
        // Shorter bodies come before those that end in them, equal ones side by side.
        std::stable_sort(edges_.begin() + static_cast<std::ptrdiff_t>(first),
                         edges_.begin() + static_cast<std::ptrdiff_t>(last),
                         [&](std::int32_t one, std::int32_t other) {
                             const auto a = body(index(one));
                             const auto b = body(index(other));
                             return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(),
                                                                 b.rend());
                         });
        path.assign(1, narrow(suffixes_.size()));
        suffixes_.push_back({0, -1, 0, narrow(first), narrow(first), true});
        for (std::size_t place = first; place < last; ++place) {
            const auto symbols = body(index(edges_[place]));
            const auto symbol = [&](std::size_t depth) { return symbols[symbols.size() - depth]; };
            std::size_t depth = 0;
            while (depth < symbols.size() && depth + 1 < path.size() &&
                   suffixes_[index(path[depth + 1])].symbol == symbol(depth + 1)) {
                ++depth;
            }
            path.resize(depth + 1);
            while (depth < symbols.size()) {
                ++depth;
                const std::int32_t parent = path.back();
                path.push_back(narrow(suffixes_.size()));
                suffixes_.push_back(
                    {symbol(depth), parent, narrow(depth), narrow(place), narrow(place), true});
                suffixes_[index(parent)].longest = false;
            }
            suffixes_[index(path.back())].end_edge = narrow(place + 1);
            deepest_ = std::max(deepest_, depth);
        }
        begins_.push_back(suffixes_.size());
    }
}

}  // namespace tertium::decode::oracle
