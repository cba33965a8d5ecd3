// The alignment of Meteor 1.5: of all ways to choose matches that do not overlap, the one with
// the most matched words, then the fewest chunks, then the smallest distance, found by a beam.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/meteor/matches.hpp"
#include "metrics/meteor/short_search.hpp"

namespace tertium::metrics::meteor {

// Beyond this many words on a side, matches are looked for near the same relative place only, and
// with a narrower beam: the search takes time in proportion to the product of the lengths, and a
// line may hold a book.
inline constexpr std::size_t long_segment = 4096;
inline constexpr std::uint32_t long_segment_window = 128;
inline constexpr std::size_t long_segment_beam = 8;

class MeteorAligner {
  public:
    MeteorAligner(const MatchStages& stages, std::size_t beam)
        : matches_(stages), short_search_(beam), full_beam_(beam) {}

    // The chosen matches, in no particular order; valid until the next call.
    std::span<const Match> align(const MeteorWords& vocabulary, std::span<const Word> hypothesis,
                                 std::span<const Word> reference);
    std::size_t chunks() const { return chunks_; }

  private:
    static constexpr std::uint32_t none = UINT32_MAX;

    // A way to match the reference up to some place. Parents share their choices as a chain.
    struct Path {
        std::int64_t distance = 0;
        std::int32_t matched = 0;
        std::uint32_t chunks = 0;       // closed ones
        std::uint32_t reached = 0;      // reference place behind the last match or gap
        std::uint32_t open_end = none;  // hypothesis place behind an open chunk
        std::uint32_t chain = none;
    };
    struct Candidate {
        Path path;
        std::uint32_t parent;  // whose used words it inherits
        std::uint32_t match;   // what it adds to them, or `none`
    };
    struct Choice {
        Match match;
        std::uint32_t previous;
    };

    bool prepare_options();
    void fix_certain_matches();
    void extend(std::uint32_t place);
    void move_ring(std::uint32_t place);
    void keep_best();
    void forget_dead_choices();
    static void take(Path& path, const Match& match);
    bool is_free(std::uint32_t path, const Match& match) const;
    std::uint64_t* used(std::vector<std::uint64_t>& bits, std::size_t path) const {
        return bits.data() + path * stride_;
    }

    MeteorMatches matches_;
    MeteorShortSearch short_search_;
    std::vector<MatchOption> options_;
    std::vector<std::size_t> option_ends_;
    std::vector<MeteorShortSearch::Options> places_;
    std::size_t full_beam_, beam_ = 0;
    std::size_t chunks_ = 0;
    std::size_t hypothesis_size_ = 0, reference_size_ = 0;
    bool windowed_ = false;

    std::vector<Match> here_;
    std::vector<std::uint32_t> hypothesis_cover_, reference_cover_;
    std::vector<std::uint8_t> hypothesis_fixed_, reference_fixed_;
    std::vector<std::uint32_t> fixed_at_;  // by reference place: number in chosen_, or `none`
    std::vector<Match> chosen_;

    // Words of the hypothesis that a path has used, one bit each; a ring in long segments.
    std::size_t stride_ = 0, ring_ = 0, ring_end_ = 0;
    std::vector<std::uint64_t> used_, next_used_;
    std::vector<Path> paths_;
    std::vector<Candidate> candidates_;
    std::vector<std::uint32_t> order_;
    std::vector<Choice> choices_;
    std::size_t choice_limit_ = 0;
    std::vector<std::uint32_t> renumbered_;
};

}  // namespace tertium::metrics::meteor
