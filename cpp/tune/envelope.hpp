// The upper envelope of straight lines: which hypothesis a model prefers as its weights move along
// a line (Och 2003; Macherey et al. 2008).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tertium::tune {

// A hypothesis whose score is intercept + step · slope. On an envelope it is the best one from
// the step `from` on, until the next line takes over.
struct ScoreLine {
    double slope;
    double intercept;
    double from;
    std::uint32_t label;
};

// Leaves the lines of the upper envelope, by ascending slope; the first begins at −∞. Of lines
// with equal slopes the highest counts, of equal lines the one with the smallest label. A line
// that is best at a single step only is not part of the envelope.
void keep_upper_envelope(std::vector<ScoreLine>& lines);

// The same for lines that lie in columns, whose label is their place. Most of many lines are on no
// envelope: they are told by looking at a few steps, without sorting them.
class EnvelopeFinder {
  public:
    std::vector<double> slopes;
    std::vector<double> intercepts;

    void clear() {
        slopes.clear();
        intercepts.clear();
    }

    // The envelope of the lines, at least one; valid until the next call.
    const std::vector<ScoreLine>& find();

  private:
    std::size_t steepest(double sign) const;
    bool probe(std::size_t left, std::size_t right);
    void add(std::size_t line) {
        found_.push_back({slopes[line], intercepts[line], 0, static_cast<std::uint32_t>(line)});
    }

    std::vector<ScoreLine> found_;
    std::vector<std::pair<std::size_t, std::size_t>> open_;
};

// Σ aᵢ·bᵢ; both have the same size.
inline double dot(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

// A rectangle of numbers, row by row.
struct MatrixView {
    const double* data;
    std::size_t rows;
    std::size_t columns;

    std::span<const double> row(std::size_t index) const {
        return {data + index * columns, columns};
    }
};

// Searches: from each row of `points` into the same row of `directions`.
struct Searches {
    MatrixView points;
    MatrixView directions;

    std::size_t size() const { return points.rows; }
};

// For every search the envelopes of all segments, behind one another: envelope e of a search and
// a segment has the steps starts[offsets[e]] … and the hypotheses that are best from there on.
struct Envelopes {
    std::vector<std::int64_t> offsets{0};
    std::vector<double> starts;
    std::vector<std::int32_t> hypotheses;
};

}  // namespace tertium::tune
