// The alignment of Meteor 1.5 (Denkowski and Lavie 2014): a beam search over the reference from
// left to right, which chooses at each place one of the matches that begin there, or a gap. It
// follows the original search, not its definition: results of the beam, of ties and of two oddities
// are part of published scores.
//
//  - Paths are ranked by matched words, then closed chunks, then distance, then their order of
//    creation. A match that is not exact counts half of its words, rounded down (counted_words).
//  - The distance of a choice is added to the path that it was made from, after the choice is
//    copied, so that later options at the same place pay for it. This is Meteor's behavior.
//  - A match whose words can match nothing else is certain: it is fixed beforehand, takes no part
//    in the branching, and its words count for nobody else (fix_certain_matches).
//
// Three sizes of text: up to 64 words on both sides MeteorShortSearch does the same in single
// machine words; beyond, paths have bit sets of used hypothesis words; beyond long_segment words
// the search is confined to a window around the same relative place, and the bit set is a ring over
// that window (move_ring), so that time and memory are linear. The short search has to give the
// same alignment as this one; a change to either is a change to both.
//
// Choices are chains shared by paths, from the last to the first. A choice always comes after its
// predecessor in choices_, which forget_dead_choices relies on when it renumbers them. At most beam
// · (matches + 1) candidates exist per place; of exact matches that do not continue a chunk only as
// many are taken as the beam holds.
#include "metrics/meteor/alignment.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "core/interrupt.hpp"

namespace tertium::metrics::meteor {
namespace {

// In long segments a phrase may reach this far out of the window.
constexpr std::uint32_t longest_phrase = 64;

std::int64_t distance(const Match& match) {
    return std::abs(std::int64_t{match.start} - std::int64_t{match.hypothesis_start});
}

}  // namespace

std::span<const Match> MeteorAligner::align(const MeteorWords& vocabulary,
                                            std::span<const Word> hypothesis,
                                            std::span<const Word> reference) {
    chosen_.clear();
    chunks_ = 0;
    if (std::ranges::equal(hypothesis, reference)) {
        // The whole text is one chunk, and the search would find it.
        for (std::uint32_t i = 0; i < reference.size(); ++i) {
            chosen_.push_back({i, 1, i, 1, Stage::exact});
        }
        chunks_ = reference.empty() ? 0 : 1;
        return chosen_;
    }
    hypothesis_size_ = hypothesis.size();
    reference_size_ = reference.size();
    const std::size_t longest = std::max(hypothesis_size_, reference_size_);
    windowed_ = longest > long_segment;
    beam_ = windowed_ ? std::min(full_beam_, long_segment_beam) : full_beam_;
    ring_ = std::bit_ceil(windowed_ ? 2 * (long_segment_window + longest_phrase) + 1
                                    : std::max<std::size_t>(hypothesis_size_, 64));
    stride_ = (ring_ + 63) / 64;
    matches_.prepare(vocabulary, hypothesis, reference,
                     windowed_ ? long_segment_window : static_cast<std::uint32_t>(longest));
    if (short_search_.fits(hypothesis_size_, reference_size_) && prepare_options()) {
        short_search_.search(places_, 0);
        chunks_ = short_search_.chunks();
        return short_search_.chosen();
    }
    fix_certain_matches();

    choices_.clear();
    choice_limit_ = std::size_t{1} << 16;
    ring_end_ = 0;
    used_.assign(stride_, 0);
    candidates_.clear();
    paths_.assign(1, Path{});
    for (std::uint32_t place = 0; place < reference_size_; ++place) {
        core::check_interrupt();
        extend(place);
        keep_best();
    }
    for (Path& path : paths_) path.chunks += path.open_end != none;
    const auto better = [](const Path& a, const Path& b) {
        if (a.matched != b.matched) return a.matched > b.matched;
        if (a.chunks != b.chunks) return a.chunks < b.chunks;
        return a.distance < b.distance;
    };
    const Path& best = *std::min_element(paths_.begin(), paths_.end(), better);
    for (std::uint32_t c = best.chain; c != none; c = choices_[c].previous) {
        chosen_.push_back(choices_[c].match);
    }
    chunks_ = best.chunks;
    return chosen_;
}

// False where one place has more options than the search for short texts can number.
bool MeteorAligner::prepare_options() {
    options_.clear();
    option_ends_.clear();
    for (std::uint32_t place = 0; place < reference_size_; ++place) {
        matches_.at(place, here_);
        if (here_.size() > MeteorShortSearch::most_options) return false;
        for (const Match& match : here_) options_.emplace_back(match);
        option_ends_.push_back(options_.size());
    }
    places_.clear();
    std::size_t begin = 0;
    for (const std::size_t end : option_ends_) {
        places_.push_back(std::span(options_).subspan(begin, end - begin));
        begin = end;
    }
    return true;
}

// A match whose words can match nothing else is part of every alignment.
void MeteorAligner::fix_certain_matches() {
    hypothesis_cover_.assign(hypothesis_size_, 0);
    reference_cover_.assign(reference_size_, 0);
    hypothesis_fixed_.assign(hypothesis_size_, 0);
    reference_fixed_.assign(reference_size_, 0);
    fixed_at_.assign(reference_size_, none);
    for (std::uint32_t place = 0; place < reference_size_; ++place) {
        core::check_interrupt();
        matches_.at(place, here_);
        for (const Match& match : here_) {
            for (std::uint32_t k = 0; k < match.length; ++k) ++reference_cover_[place + k];
            for (std::uint32_t k = 0; k < match.hypothesis_length; ++k) {
                ++hypothesis_cover_[match.hypothesis_start + k];
            }
        }
        if (here_.size() == 1) {
            fixed_at_[place] = static_cast<std::uint32_t>(chosen_.size());
            chosen_.push_back(here_.front());
        }
    }
    std::size_t kept = 0;
    for (std::size_t c = 0; c < chosen_.size(); ++c) {
        const Match match = chosen_[c];
        const auto alone = [](std::uint32_t cover) { return cover == 1; };
        const auto reference = reference_cover_.begin() + match.start;
        const auto hypothesis = hypothesis_cover_.begin() + match.hypothesis_start;
        if (!std::all_of(reference, reference + match.length, alone) ||
            !std::all_of(hypothesis, hypothesis + match.hypothesis_length, alone)) {
            fixed_at_[match.start] = none;
            continue;
        }
        fixed_at_[match.start] = static_cast<std::uint32_t>(kept);
        std::fill_n(reference_fixed_.begin() + match.start, match.length, 1);
        std::fill_n(hypothesis_fixed_.begin() + match.hypothesis_start, match.hypothesis_length, 1);
        chosen_[kept++] = match;
    }
    chosen_.resize(kept);
}

void MeteorAligner::take(Path& path, const Match& match) {
    path.matched += static_cast<std::int32_t>(counted_words(match));
    path.chunks += path.open_end != none && path.open_end != match.hypothesis_start;
    path.reached = match.start + match.length;
    path.open_end = match.hypothesis_start + match.hypothesis_length;
}

bool MeteorAligner::is_free(std::uint32_t path, const Match& match) const {
    for (std::uint32_t k = 1; k < match.length; ++k) {
        if (reference_fixed_[match.start + k]) return false;
    }
    const std::uint64_t* bits = used_.data() + path * stride_;
    for (std::uint32_t k = 0; k < match.hypothesis_length; ++k) {
        const std::size_t i = match.hypothesis_start + k;
        const std::size_t bit = i & (ring_ - 1);
        if (hypothesis_fixed_[i] || (bits[bit / 64] >> (bit % 64) & 1)) return false;
    }
    return true;
}

// All continuations of all paths at one place of the reference.
void MeteorAligner::extend(std::uint32_t place) {
    candidates_.clear();
    if (windowed_) move_ring(place);
    const bool fixed = fixed_at_[place] != none;
    here_.clear();
    if (!fixed && !reference_fixed_[place]) {
        matches_.at(place, here_);
        if (windowed_) {
            std::erase_if(here_,
                          [](const Match& m) { return m.hypothesis_length > longest_phrase; });
        }
    }
    for (std::uint32_t p = 0; p < paths_.size(); ++p) {
        Path path = paths_[p];
        if (place < path.reached) {  // within a match
            candidates_.push_back({path, p, none});
            continue;
        }
        if (fixed) {
            const Match& match = chosen_[fixed_at_[place]];
            take(path, match);
            path.distance += distance(match);
            candidates_.push_back({path, p, none});
            continue;
        }
        std::size_t plain = 0;
        for (std::uint32_t m = 0; m < here_.size(); ++m) {
            if (!is_free(p, here_[m])) continue;
            // Of exact matches that do not continue the chunk, earlier ones are never worse: more
            // than the beam holds need not be compared.
            const bool open = here_[m].hypothesis_start == path.open_end;
            if (here_[m].stage != Stage::exact || open || plain++ < beam_) {
                candidates_.push_back({path, p, m});
                take(candidates_.back().path, here_[m]);
            }
            // Meteor adds the distance of a choice to the path it came from, not to the new one:
            // later choices at this place and the gap pay for it. Scores depend on it.
            path.distance += distance(here_[m]);
        }
        path.chunks += path.open_end != none;
        path.open_end = none;
        path.reached = place + 1;
        candidates_.push_back({path, p, none});
    }
}

// The places that come into the window take the bits of places that lie behind it.
void MeteorAligner::move_ring(std::uint32_t place) {
    const std::size_t end = matches_.centre(place) + long_segment_window + longest_phrase + 1;
    for (std::size_t p = 0; p < paths_.size(); ++p) {
        std::uint64_t* bits = used(used_, p);
        // ring_ is a power of two, 64 at least: i % 64 is also the bit of i & (ring_ − 1).
        if (end - ring_end_ >= ring_) std::fill_n(bits, stride_, 0);
        for (std::size_t i = std::max(ring_end_, end - std::min(end, ring_)); i < end; ++i) {
            bits[(i & (ring_ - 1)) / 64] &= ~(std::uint64_t{1} << (i % 64));
        }
    }
    ring_end_ = end;
}

// The best candidates become the paths; among equals the earlier one comes first.
void MeteorAligner::keep_best() {
    const auto better = [this](std::uint32_t a, std::uint32_t b) {
        const Path& x = candidates_[a].path;
        const Path& y = candidates_[b].path;
        if (x.matched != y.matched) return x.matched > y.matched;
        if (x.chunks != y.chunks) return x.chunks < y.chunks;
        if (x.distance != y.distance) return x.distance < y.distance;
        return a < b;
    };
    order_.resize(candidates_.size());
    for (std::uint32_t c = 0; c < order_.size(); ++c) order_[c] = c;
    if (order_.size() > beam_) {
        std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(beam_),
                         order_.end(), better);
        order_.resize(beam_);
    }
    std::sort(order_.begin(), order_.end(), better);

    paths_.clear();
    next_used_.resize(order_.size() * stride_);
    for (const std::uint32_t c : order_) {
        const Candidate& candidate = candidates_[c];
        std::uint64_t* bits = used(next_used_, paths_.size());
        std::copy_n(used(used_, candidate.parent), stride_, bits);
        paths_.push_back(candidate.path);
        if (candidate.match == none) continue;
        const Match& match = here_[candidate.match];
        for (std::uint32_t k = 0; k < match.hypothesis_length; ++k) {
            const std::size_t bit = (match.hypothesis_start + k) & (ring_ - 1);
            bits[bit / 64] |= std::uint64_t{1} << (bit % 64);
        }
        choices_.push_back({match, paths_.back().chain});
        paths_.back().chain = static_cast<std::uint32_t>(choices_.size() - 1);
    }
    used_.swap(next_used_);
    if (choices_.size() > choice_limit_) forget_dead_choices();
}

// Keeps memory in proportion to the text: paths that fell out of the beam leave choices behind.
void MeteorAligner::forget_dead_choices() {
    renumbered_.assign(choices_.size(), none);
    for (const Path& path : paths_) {
        for (std::uint32_t c = path.chain; c != none && renumbered_[c] == none;
             c = choices_[c].previous) {
            renumbered_[c] = 0;
        }
    }
    std::uint32_t kept = 0;
    for (std::uint32_t c = 0; c < choices_.size(); ++c) {  // a choice comes after its previous one
        if (renumbered_[c] == none) continue;
        Choice choice = choices_[c];
        if (choice.previous != none) choice.previous = renumbered_[choice.previous];
        renumbered_[c] = kept;
        choices_[kept++] = choice;
    }
    choices_.resize(kept);
    for (Path& path : paths_) {
        if (path.chain != none) path.chain = renumbered_[path.chain];
    }
    choice_limit_ = std::max(choice_limit_, 2 * choices_.size());
}

}  // namespace tertium::metrics::meteor
