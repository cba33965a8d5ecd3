#include "tune/envelope.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tertium::tune {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

void keep_upper_envelope(std::vector<ScoreLine>& lines) {
    std::sort(lines.begin(), lines.end(), [](const ScoreLine& a, const ScoreLine& b) {
        if (a.slope != b.slope) return a.slope < b.slope;
        if (a.intercept != b.intercept) return a.intercept > b.intercept;
        return a.label < b.label;
    });
    std::size_t kept = 0;
    for (std::size_t n = 0; n < lines.size(); ++n) {
        ScoreLine line = lines[n];
        if (kept > 0 && lines[kept - 1].slope == line.slope) continue;
        line.from = -infinity;
        while (kept > 0) {
            const ScoreLine& last = lines[kept - 1];
            line.from = (last.intercept - line.intercept) / (line.slope - last.slope);
            if (line.from > last.from) break;
            --kept;
            line.from = -infinity;
        }
        // Slopes that differ by next to nothing may cross out of sight.
        if (line.from == infinity) continue;
        lines[kept++] = line;
    }
    lines.resize(kept);
}

// As in quickhull (Barber et al. 1996): two lines of the envelope cross somewhere; the line that is
// highest there is on the envelope too, unless it is one of the two. Rounding may let a line in
// that only touches, so what is found goes through the exact sweep.
const std::vector<ScoreLine>& EnvelopeFinder::find() {
    found_.clear();
    const std::size_t left = steepest(-1), right = steepest(1);
    add(left);
    if (slopes[left] == slopes[right]) {
        found_.front().from = -infinity;
        return found_;
    }
    add(right);
    open_.assign(1, {left, right});
    while (!open_.empty()) {
        const auto [from, to] = open_.back();
        open_.pop_back();
        if (!probe(from, to)) {  // beyond what numbers can say: sort them all
            found_.clear();
            for (std::size_t line = 0; line < slopes.size(); ++line) add(line);
            break;
        }
    }
    keep_upper_envelope(found_);
    return found_;
}

// The first of the highest lines with the largest slope, or the smallest if the sign is −1.
std::size_t EnvelopeFinder::steepest(double sign) const {
    std::size_t best = 0;
    for (std::size_t line = 1; line < slopes.size(); ++line) {
        const double more = sign * (slopes[line] - slopes[best]);
        if (more > 0 || (more == 0 && intercepts[line] > intercepts[best])) best = line;
    }
    return best;
}

// Adds the line that is highest where two lines cross; says whether that place is a number.
bool EnvelopeFinder::probe(std::size_t left, std::size_t right) {
    constexpr std::size_t lanes = 4;
    const double step = (intercepts[left] - intercepts[right]) / (slopes[right] - slopes[left]);
    const auto height = [&](std::size_t line) { return intercepts[line] + step * slopes[line]; };
    // Four at a time, so that the processor can compare them side by side.
    double tops[lanes] = {-infinity, -infinity, -infinity, -infinity};
    const std::size_t size = slopes.size(), whole = size - size % lanes;
    for (std::size_t line = 0; line < whole; line += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const double here = height(line + lane);
            tops[lane] = here > tops[lane] ? here : tops[lane];
        }
    }
    double top = std::max(std::max(tops[0], tops[1]), std::max(tops[2], tops[3]));
    for (std::size_t line = whole; line < size; ++line) top = std::max(top, height(line));
    if (!(std::abs(top) < infinity) || !(std::abs(step) < infinity)) return false;
    if (!(top > std::max(height(left), height(right)))) return true;
    std::size_t line = 0;
    while (height(line) != top) ++line;
    if (!(slopes[left] < slopes[line] && slopes[line] < slopes[right])) return true;
    add(line);
    open_.emplace_back(left, line);
    open_.emplace_back(line, right);
    return true;
}

}  // namespace tertium::tune
