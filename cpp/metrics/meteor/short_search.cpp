// MeteorAligner's beam search for texts of at most 64 words: the same paths in the same order, and
// so the same alignment, at a fraction of the time.
//
// A path's rank is one 64-bit key, smaller is better: unmatched words, closed chunks, distance, and
// in candidates also the parent path and the option, which make keys unique and keep Meteor's order
// of creation among equals. A match takes its words off the key, a closed chunk adds one. The
// fields are wide enough for 64 words; a longer text, or more than 255 options or paths, would run
// into the next field.
//
//  - Per option, candidates come out nearly sorted because paths are: insertion sort, then the best
//    `beam` of all options are merged list by list, with an end mark instead of bounds checks.
//  - What is the same for all paths is kept once in State and not in the keys: while paths are
//    `alike` (same open chunk, same reached place) a certain match or a place without matches
//    changes only the State. `pass` and `choose` leave that mode and return to it.
//  - Everything that is known before a place stays in states_, paths_ (by level) and covers_, so
//    that a search whose first `unchanged` places are those of the last call resumes there, with
//    the same hypothesis. fix_certain_matches may move that point back: a match can stop being
//    certain because of words that come later.
#include "metrics/meteor/short_search.hpp"

#include <algorithm>

namespace tertium::metrics::meteor {
namespace {

// A key: words not matched (8 bits), closed chunks (7), distance (33), and in candidates the path
// they come from (8) and the option (8), which keep the order in which Meteor looks at them.
constexpr unsigned matched_shift = 56, chunk_shift = 49, distance_shift = 16, path_shift = 8;
constexpr std::uint64_t start_key = std::uint64_t{UINT8_MAX} << matched_shift;
constexpr std::uint64_t one_chunk = std::uint64_t{1} << chunk_shift;
constexpr std::uint64_t chunk_mask = one_chunk * 0x7f;
constexpr std::uint64_t origin_mask = (std::uint64_t{1} << distance_shift) - 1;
constexpr std::uint64_t end_mark = UINT64_MAX;

std::uint64_t bits(std::uint32_t start, std::uint32_t length) {
    const std::uint64_t ones = length >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
    return ones << start;
}

std::uint64_t distance(std::uint32_t place, const MatchOption& option) {
    const std::uint32_t apart = place > option.start ? place - option.start : option.start - place;
    return std::uint64_t{apart} << distance_shift;
}

}  // namespace

std::uint32_t counted_words(const Match& match) {
    if (match.stage == Stage::exact) return 2;
    return match.length / 2 + match.hypothesis_length / 2;
}

MatchOption::MatchOption(const Match& match)
    : words(bits(match.hypothesis_start, match.hypothesis_length)),
      gain(std::uint64_t{counted_words(match)} << matched_shift),
      start(static_cast<std::uint8_t>(match.hypothesis_start)),
      end(static_cast<std::uint8_t>(match.hypothesis_start + match.hypothesis_length)),
      length(static_cast<std::uint8_t>(match.length)),
      stage(match.stage) {}

MeteorShortSearch::MeteorShortSearch(std::size_t beam) : beam_(beam) {
    if (beam_ > most_options) return;  // nothing fits
    paths_.resize((most_words + 1) * beam_);
    counts_.resize(most_words + 1);
    paths_[0] = {start_key, 0, no_choice, 0, none};
    counts_[0] = 1;
    best_.resize(beam_ + 1);
    merged_.resize(beam_ + 1);
}

void MeteorShortSearch::search(std::span<const Options> places, std::size_t unchanged) {
    const std::size_t first = fix_certain_matches(places, unchanged);
    choices_.resize(states_[first].choices);
    for (auto place = static_cast<std::uint32_t>(first); place < places.size(); ++place) {
        if (fixed_[place] || places[place].empty()) {
            pass(place, places[place]);
        } else {
            choose(place, places[place]);
        }
        states_[place + 1].choices = static_cast<std::uint32_t>(choices_.size());
    }
    finish(places);
}

// A match whose words can match nothing else is part of every alignment. Returns how many places
// are as they were.
std::size_t MeteorShortSearch::fix_certain_matches(std::span<const Options> places,
                                                   std::size_t unchanged) {
    for (std::size_t place = unchanged; place < places.size(); ++place) {
        auto cover = covers_[place];
        for (const MatchOption& option : places[place]) {
            cover[0].add(bits(static_cast<std::uint32_t>(place), option.length));
            cover[1].add(option.words);
        }
        covers_[place + 1] = cover;
    }
    const auto& [reference, hypothesis] = covers_[places.size()];
    for (std::size_t place = 0; place < places.size(); ++place) {
        std::uint8_t fixed = 0;
        if (places[place].size() == 1) {
            const MatchOption& only = places[place].front();
            fixed = (bits(static_cast<std::uint32_t>(place), only.length) & reference.twice) == 0 &&
                    (only.words & hypothesis.twice) == 0;
        }
        if (place < unchanged && fixed != fixed_[place]) unchanged = place;
        fixed_[place] = fixed;
    }
    return unchanged;
}

// A place where paths have no choice: a certain match, or none.
void MeteorShortSearch::pass(std::uint32_t place, Options options) {
    State& next = states_[place + 1] = states_[place];
    const bool fixed = fixed_[place] != 0;
    if (next.alike) {
        if (place < next.reached) return;  // within a certain match
        if (fixed) {
            const MatchOption& match = options.front();
            next.chunks += next.open_end != none && next.open_end != match.start;
            next.open_end = match.end;
            next.reached = static_cast<std::uint8_t>(place + match.length);
        } else {
            next.chunks += next.open_end != none;
            next.open_end = none;
        }
        return;
    }
    const Path* from = paths(next.level);
    const std::size_t count = counts_[next.level];
    Path* to = paths(++next.level);
    counts_[next.level] = count;
    next.alike = true;
    for (std::size_t p = 0; p < count; ++p) {
        Path path = from[p];
        if (fixed) {
            if (path.open_end != none && path.open_end != options.front().start) {
                path.key += one_chunk;
            }
        } else if (place < path.reached) {
            next.alike = false;
        } else {
            if (path.open_end != none) path.key += one_chunk;
            path.open_end = none;
        }
        std::size_t at = p;  // among equals the earlier one comes first
        for (; at > 0 && to[at - 1].key > path.key; --at) to[at] = to[at - 1];
        to[at] = path;
    }
    next.open_end = fixed ? options.front().end : none;
    next.reached = static_cast<std::uint8_t>(fixed ? place + options.front().length : place + 1);
}

// All continuations of all paths at one place, of which the best become the next paths. The
// candidates of one option are nearly in order since their paths are.
void MeteorShortSearch::choose(std::uint32_t place, Options options) {
    const State& state = states_[place];
    const std::size_t gap = options.size();
    if (columns_.size() < (gap + 1) * (beam_ + 1)) columns_.resize((gap + 1) * (beam_ + 1));
    column_sizes_.assign(gap + 1, 0);
    const auto add = [&](std::size_t option, std::uint64_t key) {
        std::uint64_t* const keys = column(option);
        std::size_t at = column_sizes_[option]++;
        for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
        keys[at] = key;
    };
    const Path* const from = paths(state.level);
    const std::size_t count = counts_[state.level];
    for (std::size_t p = 0; p < count; ++p) {
        const Path& path = from[p];
        std::uint64_t key = path.key | p << path_shift;
        if (!state.alike && place < path.reached) {  // within a match
            add(gap, key | gap);
            continue;
        }
        const std::uint8_t open_end = state.alike ? state.open_end : path.open_end;
        const std::uint64_t closing = open_end != none ? one_chunk : 0;
        for (std::size_t o = 0; o < gap; ++o) {
            const MatchOption& option = options[o];
            if ((path.used & option.words) != 0) continue;
            add(o, (key | o) - option.gain + (open_end == option.start ? 0 : closing));
            // Meteor adds the distance of a choice to the path it came from, not to the new one:
            // later choices at this place and the gap pay for it. Scores depend on it.
            key += distance(place, option);
        }
        add(gap, (key | gap) + closing);
    }

    std::size_t size = column_sizes_[0];
    std::copy_n(column(0), size, best_.begin());
    for (std::size_t o = 1; o <= gap; ++o) {
        const std::size_t others = column_sizes_[o];
        if (others == 0 || (size == beam_ && column(o)[0] > best_[size - 1])) continue;
        best_[size] = column(o)[others] = end_mark;
        const std::size_t both = std::min(beam_, size + others);
        const std::uint64_t *ours = best_.data(), *theirs = column(o);
        for (std::size_t i = 0; i < both; ++i) {
            const bool first = *ours < *theirs;
            merged_[i] = first ? *ours : *theirs;
            ours += first;
            theirs += !first;
        }
        best_.swap(merged_);
        size = both;
    }

    State& next = states_[place + 1] = state;
    Path* const to = paths(++next.level);
    counts_[next.level] = size;
    next.alike = false;
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint64_t key = best_[i];
        const std::size_t parent = key >> path_shift & 0xff, o = key & 0xff;
        Path path = from[parent];
        if (state.alike) path.open_end = state.open_end;
        path.key = key & ~origin_mask;
        if (o < gap) {
            const MatchOption& option = options[o];
            const Match match{place, option.length, option.start,
                              static_cast<std::uint32_t>(option.end - option.start), option.stage};
            path.used |= option.words;
            path.reached = static_cast<std::uint8_t>(place + option.length);
            path.open_end = option.end;
            choices_.push_back({match, path.chain});
            path.chain = static_cast<std::uint32_t>(choices_.size() - 1);
        } else if (state.alike || place >= path.reached) {
            path.open_end = none;
            path.reached = static_cast<std::uint8_t>(place + 1);
        }
        to[i] = path;
    }
}

void MeteorShortSearch::finish(std::span<const Options> places) {
    const State& last = states_[places.size()];
    const Path* const ends = paths(last.level);
    const auto final_key = [&](const Path& path) {
        const std::uint8_t open_end = last.alike ? last.open_end : path.open_end;
        return path.key + (open_end != none ? one_chunk : 0);
    };
    const Path& best = *std::ranges::min_element(
        std::span(ends, counts_[last.level]), [&](const Path& a, const Path& b) {
            return final_key(a) < final_key(b);  // the first among equals
        });
    chunks_ = last.chunks + ((final_key(best) & chunk_mask) >> chunk_shift);
    chosen_.clear();
    for (std::uint32_t place = 0; place < places.size(); ++place) {
        if (!fixed_[place]) continue;
        const MatchOption& match = places[place].front();
        chosen_.push_back({place, match.length, match.start,
                           static_cast<std::uint32_t>(match.end - match.start), match.stage});
    }
    for (std::uint32_t c = best.chain; c != no_choice; c = choices_[c].previous) {
        chosen_.push_back(choices_[c].match);
    }
}

}  // namespace tertium::metrics::meteor
