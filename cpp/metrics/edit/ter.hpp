// Translation edit rate (Snover et al. 2006): edits and shifts of blocks of words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/segment.hpp"
#include "metrics/edit/edit_distance.hpp"
#include "metrics/edit/shift.hpp"
#include "metrics/edit/ter_distance.hpp"

namespace tertium::metrics::edit {

struct TerLimits {
    std::int64_t shift_length = 10;    // words that move together
    std::int64_t shift_distance = 50;  // positions between where they stand and where they match
    std::int64_t beam = 25;
    std::int64_t shifts_tried = 1000;  // after so many, a segment is taken as it stands
};

// How one hypothesis becomes one reference.
struct TerPath {
    std::vector<Shift> shifts;  // in the order they are made
    std::vector<Edit> edits;    // of the words after all shifts
    std::int64_t distance = 0;  // edits that are no matches

    std::int64_t total() const { return distance + static_cast<std::int64_t>(shifts.size()); }
};

// edits, reference length, insertions, deletions, substitutions, shifts
inline constexpr std::size_t ter_columns = 6;

// The row of the path with the fewest edits, the first of several; `mean_length` is that of all
// references.
void ter_row(const TerPath& path, double mean_length, double* row);
double mean_length(const core::Segment& segment);

// The greedy search of Snover et al., with the choices and ties of sacreBLEU 2.6.0: as long as
// one shift lowers the distance, the one is made that lowers it most; of equal ones the longest,
// then the earliest block, then the earliest target.
class TerSearch {
  public:
    explicit TerSearch(const TerLimits& limits) : limits_(limits), distances_(limits.beam) {}

    // Statistics of a segment: fewest edits over the references, mean reference length.
    void operator()(const core::Segment& segment, double* row);
    void search(core::Tokens hypothesis, core::Tokens reference, std::size_t vocabulary,
                TerPath& path);

    // For many hypotheses of one reference, which must outlive them: only the number of edits.
    void set_reference(core::Tokens reference, std::size_t vocabulary);
    std::int64_t total(core::Tokens hypothesis);

  private:
    struct Best {
        std::int64_t gain = 0;
        Shift shift;
        std::size_t target = 0;
    };

    // A shift whose distance is not known yet.
    struct Candidate {
        Shift shift;
        std::size_t target;
    };

    std::int64_t find_shifts(core::Tokens hypothesis);
    std::int64_t common_words(core::Tokens hypothesis);
    void align();
    bool best_shift();
    void try_matches(std::size_t start, std::uint64_t matches);
    void try_block(std::size_t start, std::size_t match);
    void try_targets(std::size_t start, std::size_t length, std::size_t match);
    void consider(std::size_t start, std::size_t length, std::size_t target);
    std::int64_t needed_gain(const Candidate& candidate) const;
    void decide();

    TerLimits limits_;
    ShiftDistance distances_;
    core::Tokens reference_;
    std::size_t vocabulary_ = 0;
    std::int64_t tried_ = 0;
    std::int64_t distance_ = 0;  // of the words as they stand
    std::int64_t floor_ = 0;     // no order of the words can have fewer edits
    Best best_;
    std::array<Candidate, ShiftLanes::most> waiting_;
    std::size_t waiting_count_ = 0;
    std::vector<Shift> shifts_;
    std::vector<std::size_t> after_;            // by position: the word behind its aligned word
    std::vector<std::uint8_t> word_wrong_;      // by word
    std::vector<std::uint8_t> position_wrong_;  // by reference position
    // The same in bits, only if the reference fits into one block.
    std::vector<std::uint64_t> behind_;  // by word behind the aligned word: the positions
    std::uint64_t wrong_positions_ = 0;
    std::vector<std::int32_t> counts_;  // by token + 1; all zero between calls
    TerPath path_, best_path_;
};

}  // namespace tertium::metrics::edit
