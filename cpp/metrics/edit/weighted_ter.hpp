// Shifts and edits with costs, as tercom 0.8.0 and TERp (Snover et al. 2009) search them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/segment.hpp"
#include "metrics/edit/shift.hpp"

namespace tertium::metrics::edit {

// What is known of a hypothesis word and a reference word, a bit each.
using Relation = std::uint8_t;
inline constexpr Relation equal_words = 1;
inline constexpr Relation equal_stems = 2;
inline constexpr Relation synonyms = 4;

enum class TerMove : std::uint8_t {
    match,
    substitution,
    insertion,
    deletion,
    stem,
    synonym,
    phrase,
};
inline constexpr std::size_t ter_moves = 7;

struct TerCosts {
    std::array<double, ter_moves> of{0, 1, 1, 1, 1, 1, 0};  // by move; phrases bring their own
    double shift = 1;
    double beam = 20;  // how much worse than the best of its column a cell may be
    std::size_t shift_length = 10;
    std::size_t shift_distance = 50;

    double operator[](TerMove move) const { return of[static_cast<std::size_t>(move)]; }
};

// Reference words that may be rendered by these hypothesis words.
struct TerPhrase {
    std::size_t positions;
    std::span<const core::Token> words;
    double cost;
};

// One hypothesis and one reference, with all that the search asks about them.
struct TerPair {
    std::size_t words = 0;
    std::size_t positions = 0;
    std::vector<Relation> relations;              // by word and position
    std::vector<core::Token> tokens;              // of the hypothesis; only for phrases
    std::vector<std::vector<TerPhrase>> phrases;  // by position; empty if there are none
    std::vector<std::uint8_t> word_stops;         // words that do not move alone; empty if none
    std::vector<std::uint8_t> position_stops;     // the same of the reference

    Relation relation(std::size_t word, std::size_t position) const {
        return relations[word * positions + position];
    }
};

struct TerStep {
    TerMove move;
    std::uint32_t words;
    std::uint32_t positions;
    double cost;
};

struct WeightedTerPath {
    std::vector<Shift> shifts;
    std::vector<TerStep> steps;  // of the words after all shifts
    double cost = 0;
};

class WeightedTerSearch {
  public:
    explicit WeightedTerSearch(const TerCosts& costs);

    // Throws std::invalid_argument when the table of distances is too large, as `search` does.
    static void check_size(std::size_t words, std::size_t positions);
    void search(const TerPair& pair, WeightedTerPath& path);

  private:
    // A shift that might help; `size` is the larger of its words and the positions it matches.
    struct Candidate {
        Shift shift;
        std::ptrdiff_t behind;  // the word it comes to stand behind, −1 for the beginning
        std::size_t size;
    };
    struct Cell {
        double cost;
        TerMove move;
        std::uint32_t words;
        std::uint32_t positions;
    };

    // The cells of a row that are visited, and the cheapest alignment of two words that leads into
    // it: what decides about the beam.
    struct RowState {
        std::size_t first, last;
        double best;
    };

    double distance(const TerPair& pair);
    void push_row(const double* substitutions, std::size_t positions, const double* own,
                  const RowState& state, double* next, RowState& next_state);
    double last_of_row(std::size_t positions, double* own, const RowState& state) const;
    void prepare_rows(const TerPair& pair);
    void prepare_bounds(const TerPair& pair);
    double bound_of_shift(std::size_t first, std::size_t end, std::size_t positions) const;
    double shifted_distance(const TerPair& pair, const Shift& shift, double current, double best);
    void trace(const TerPair& pair, std::vector<TerStep>& steps) const;
    void align(const TerPair& pair, const std::vector<TerStep>& steps);
    void gather(const TerPair& pair);
    void extend(const TerPair& pair, std::size_t start, std::size_t match, std::size_t words,
                std::size_t positions);
    void add_targets(std::size_t start, std::size_t match, std::size_t end, std::size_t match_end);
    bool worth_moving(const TerPair& pair, std::size_t start, std::size_t end, std::size_t match,
                      std::size_t match_end) const;
    template <class Visit>
    void for_each_phrase(const TerPair& pair, std::size_t word, std::size_t position,
                         Visit&& visit) const;

    TerCosts costs_;
    std::array<TerMove, 8> move_of_;  // by relation: the cheapest way to align two words
    std::vector<std::size_t> order_;  // the words as they stand: place → word of the pair
    std::vector<std::size_t> kept_order_;
    std::vector<Cell> cells_;                       // by place and position
    std::vector<double> substitutions_;             // costs by word and position
    std::vector<double> rows_, ways_on_;            // by place and position
    std::vector<RowState> states_;                  // by place
    std::vector<double> least_;                     // by position: least cost of all before it
    std::vector<double> reach_, leave_;             // by place and position, for bounds
    std::vector<double> own_, next_, full_, sums_;  // rows of a candidate
    std::vector<Candidate> candidates_;
    std::vector<std::ptrdiff_t> aligned_;  // by position: the place aligned with it, or before it
    std::vector<std::uint8_t> place_wrong_, position_wrong_;
};

}  // namespace tertium::metrics::edit
