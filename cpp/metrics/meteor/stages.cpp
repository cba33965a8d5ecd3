#include "metrics/meteor/stages.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/interrupt.hpp"

namespace tertium::metrics::meteor {
namespace {

// Pairs of words in a group up to which all that is possible is tried.
constexpr std::size_t most_tried = 400;

bool has_bit(const std::uint64_t* bits, std::uint32_t i) {
    return bits[i / 64] >> (i % 64) & 1;
}

bool share(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
        if (*x == *y) return true;
        if (*x < *y) {
            ++x;
        } else {
            ++y;
        }
    }
    return false;
}

std::uint32_t root(std::vector<std::uint32_t>& roots, std::uint32_t i) {
    while (roots[i] != i) i = roots[i] = roots[roots[i]];
    return i;
}

}  // namespace

std::span<const Match> StageAligner::align(const MeteorWords& vocabulary,
                                           std::span<const Word> hypothesis,
                                           std::span<const Word> reference) {
    hypothesis_ = hypothesis;
    reference_ = reference;
    chosen_.clear();
    partner_.assign(reference.size(), none);
    taken_.assign(hypothesis.size(), none);
    stride_ = (hypothesis.size() + 63) / 64;
    run(Stage::exact, vocabulary);
    if (stages_.stem) run(Stage::stem, vocabulary);
    if (stages_.synonym) run(Stage::synonym, vocabulary);
    return chosen_;
}

std::size_t StageAligner::chunks() const {
    std::size_t count = 0;
    for (std::size_t j = 0; j < partner_.size(); ++j) {
        const bool continues =
            j > 0 && partner_[j - 1] != none && partner_[j] == partner_[j - 1] + 1;
        count += partner_[j] != none && !continues;
    }
    return count;
}

void StageAligner::pair(std::uint32_t hypothesis, std::uint32_t reference, Stage stage) {
    chosen_.push_back({reference, 1, hypothesis, 1, stage});
    partner_[reference] = hypothesis;
    taken_[hypothesis] = reference;
}

void StageAligner::run(Stage stage, const MeteorWords& vocabulary) {
    find_places(stage, vocabulary);
    group_places(stage);
    if (places_.empty()) return;
    choices_.clear();
    used_.assign(stride_, 0);
    paths_.assign(1, Path{});
    for (const Place& place : places_) {
        core::check_interrupt();
        extend(place);
        keep_best(place);
    }
    for (std::uint32_t c = paths_.front().chain; c != none; c = choices_[c].previous) {
        pair(choices_[c].hypothesis, choices_[c].reference, stage);
    }
}

// The places of the reference that are left, and the hypothesis's places related to them.
void StageAligner::find_places(Stage stage, const MeteorWords& vocabulary) {
    places_.clear();
    const auto related = [&](Word a, Word b) {
        if (stage == Stage::exact) return a == b;
        if (stage == Stage::stem) return vocabulary.stem(a) == vocabulary.stem(b);
        return share(vocabulary.synsets(a), vocabulary.synsets(b));
    };
    for (std::uint32_t j = 0; j < reference_.size(); ++j) {
        if (partner_[j] != none) continue;
        Place place{j, 0, 0, {}};
        for (std::uint32_t i = 0; i < hypothesis_.size(); ++i) {
            if (taken_[i] == none && related(hypothesis_[i], reference_[j]))
                place.hypotheses.push_back(i);
        }
        if (!place.hypotheses.empty()) places_.push_back(std::move(place));
    }
}

// Pairs what has no choice, and finds what depends on each other among the rest.
void StageAligner::group_places(Stage stage) {
    const auto references = static_cast<std::uint32_t>(reference_.size());
    roots_.resize(references + hypothesis_.size());
    std::iota(roots_.begin(), roots_.end(), 0u);
    for (const Place& place : places_) {
        for (const std::uint32_t i : place.hypotheses) {
            roots_[root(roots_, references + i)] = root(roots_, place.reference);
        }
    }
    groups_.clear();
    place_at_.assign(roots_.size(), none);  // by root: number of the group
    std::vector<std::size_t> edges;
    for (Place& place : places_) {
        std::uint32_t& group = place_at_[root(roots_, place.reference)];
        if (group == none) {
            group = static_cast<std::uint32_t>(groups_.size());
            groups_.emplace_back();
            edges.push_back(0);
        }
        place.group = group;
        place.rank = static_cast<std::uint32_t>(groups_[group].references.size());
        groups_[group].references.push_back(place.reference);
        edges[group] += place.hypotheses.size();
    }
    for (std::uint32_t i = 0; i < hypothesis_.size(); ++i) {
        const std::uint32_t group = place_at_[root(roots_, references + i)];
        if (group != none) groups_[group].hypotheses.push_back(i);
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
        Group& group = groups_[g];
        const std::size_t all = group.references.size() * group.hypotheses.size();
        group.complete = edges[g] == all;
        group.greedy = !group.complete && all > most_tried;
        if (edges[g] == 1) pair(group.hypotheses.front(), group.references.front(), stage);
    }
    std::erase_if(places_, [&](const Place& place) { return partner_[place.reference] != none; });
    place_at_.assign(references, none);
    for (std::uint32_t p = 0; p < places_.size(); ++p) place_at_[places_[p].reference] = p;
}

std::uint32_t StageAligner::partner(std::uint32_t chain, std::uint32_t reference) const {
    if (partner_[reference] != none) return partner_[reference];
    const bool own = chain != none && choices_[chain].reference == reference;
    return own ? choices_[chain].hypothesis : none;
}

// For each hypothesis place related to a place: how many of the fixed pairs it would cross.
void StageAligner::count_fixed_crossings(const Place& place) {
    // Before the first word of the hypothesis, every pair from the left of the place is crossed.
    auto crossed = static_cast<std::uint32_t>(std::ranges::count_if(
        std::span(partner_).first(place.reference), [](std::uint32_t i) { return i != none; }));
    fixed_crossings_.clear();
    std::uint32_t i = 0;
    for (const std::uint32_t option : place.hypotheses) {
        for (; i < option; ++i) {
            if (taken_[i] != none) crossed += taken_[i] < place.reference ? -1u : 1u;
        }
        fixed_crossings_.push_back(crossed);
    }
}

bool StageAligner::augment(std::uint32_t place, const std::uint64_t* used, std::uint32_t without) {
    for (const std::uint32_t i : places_[place].hypotheses) {
        if (i == without || has_bit(used, i) || visited_[i] == round_) continue;
        visited_[i] = round_;
        if (owner_[i] == none || augment(owner_[i], used, without)) {
            owner_[i] = place;
            return true;
        }
    }
    return false;
}

std::uint32_t StageAligner::most_pairs(const Place& place, std::uint32_t first,
                                       const std::uint64_t* used, std::uint32_t without) {
    const Group& group = groups_[place.group];
    const auto left = static_cast<std::uint32_t>(group.references.size()) - first;
    if (group.complete) {
        const auto is_free = [&](std::uint32_t i) { return i != without && !has_bit(used, i); };
        return std::min(
            left, static_cast<std::uint32_t>(std::ranges::count_if(group.hypotheses, is_free)));
    }
    owner_.assign(hypothesis_.size(), none);
    visited_.assign(hypothesis_.size(), 0);
    round_ = 0;
    std::uint32_t count = 0;
    for (std::size_t r = first; r < group.references.size(); ++r) {
        ++round_;
        count += augment(place_at_[group.references[r]], used, without);
    }
    return count;
}

// All continuations of all paths that keep the number of pairs the largest.
void StageAligner::extend(const Place& place) {
    candidates_.clear();
    count_fixed_crossings(place);
    const std::uint32_t j = place.reference;
    const std::uint32_t behind = j + 1 < partner_.size() ? partner_[j + 1] : none;
    const Group& group = groups_[place.group];
    for (std::uint32_t p = 0; p < paths_.size(); ++p) {
        const Path& path = paths_[p];
        const std::uint64_t* used = used_.data() + p * stride_;
        const std::uint32_t most = group.greedy ? 0 : most_pairs(place, place.rank, used, none);
        const std::size_t known = candidates_.size();
        const std::uint32_t before = j > 0 ? partner(path.chain, j - 1) : none;
        // The path's own pairs lie to the left of the place: those from behind i are crossed.
        std::uint32_t crossed = 0;
        for (std::size_t w = 0; w < stride_; ++w) {
            crossed += static_cast<std::uint32_t>(std::popcount(used[w]));
        }
        std::size_t word = 0;
        for (std::size_t o = 0; o < place.hypotheses.size(); ++o) {
            const std::uint32_t i = place.hypotheses[o];
            for (; word < i / 64; ++word) {
                crossed -= static_cast<std::uint32_t>(std::popcount(used[word]));
            }
            if (has_bit(used, i)) continue;
            if (!group.complete && !group.greedy &&
                most_pairs(place, place.rank + 1, used, i) + 1 != most) {
                continue;
            }
            const std::uint64_t lower = used[word] & ((std::uint64_t{1} << (i % 64)) - 1);
            Path next = path;
            next.crossings += crossed - static_cast<std::uint32_t>(std::popcount(lower));
            next.crossings += fixed_crossings_[o];
            next.links += before != none && before + 1 == i ? 1u : 0u;
            next.links += behind == i + 1 ? 1u : 0u;
            next.distance += i < j ? j - i : i - j;
            candidates_.push_back({next, p, i});
        }
        const bool may_skip = group.greedy ? candidates_.size() == known
                                           : most_pairs(place, place.rank + 1, used, none) == most;
        if (may_skip) candidates_.push_back({path, p, none});
    }
}

void StageAligner::keep_best(const Place& place) {
    const auto better = [this](std::uint32_t a, std::uint32_t b) {
        const Path& x = candidates_[a].path;
        const Path& y = candidates_[b].path;
        if (x.crossings != y.crossings) return x.crossings < y.crossings;
        if (x.links != y.links) return x.links > y.links;
        if (x.distance != y.distance) return x.distance < y.distance;
        return a < b;
    };
    order_.resize(candidates_.size());
    std::iota(order_.begin(), order_.end(), 0u);
    if (order_.size() > beam_) {
        std::ranges::nth_element(order_, order_.begin() + static_cast<std::ptrdiff_t>(beam_),
                                 better);
        order_.resize(beam_);
    }
    std::ranges::sort(order_, better);
    paths_.clear();
    next_used_.resize(order_.size() * stride_);
    for (const std::uint32_t c : order_) {
        const Candidate& candidate = candidates_[c];
        std::uint64_t* bits = next_used_.data() + paths_.size() * stride_;
        std::copy_n(used_.data() + candidate.parent * stride_, stride_, bits);
        paths_.push_back(candidate.path);
        if (candidate.hypothesis == none) continue;
        bits[candidate.hypothesis / 64] |= std::uint64_t{1} << (candidate.hypothesis % 64);
        choices_.push_back({candidate.hypothesis, place.reference, paths_.back().chain});
        paths_.back().chain = static_cast<std::uint32_t>(choices_.size() - 1);
    }
    used_.swap(next_used_);
}

}  // namespace tertium::metrics::meteor
