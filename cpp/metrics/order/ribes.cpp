#include "metrics/order/ribes.hpp"

#include <algorithm>
#include <cmath>

namespace tertium::metrics::order {

void RibesKernel::operator()(const core::Segment& segment, double* row) {
    std::fill_n(row, columns, 0.0);
    if (segment.hypothesis.empty() && segment.vocabulary == 0) return;
    row[4] = 1;
    if (segment.hypothesis.empty()) return;
    double best = -1;
    for (const core::Tokens reference : segment.references) {
        const auto [correlation, precision, brevity] =
            parts(segment.hypothesis, reference, segment.vocabulary);
        const double score = correlation * std::pow(precision, alpha_) * std::pow(brevity, beta_);
        if (score <= best) continue;
        best = score;
        row[0] = score;
        row[1] = correlation;
        row[2] = precision;
        row[3] = brevity;
    }
}

RibesKernel::Parts RibesKernel::parts(core::Tokens hypothesis, core::Tokens reference,
                                      std::size_t vocabulary) {
    const auto length = static_cast<double>(hypothesis.size());
    const double brevity =
        std::exp(std::min(0.0, 1 - static_cast<double>(reference.size()) / length));
    const auto positions = order_.correspondence(hypothesis, reference, vocabulary);
    const auto matched = static_cast<double>(positions.size());
    if (positions.size() == 1 && reference.size() == 1) return {1, 1 / length, brevity};
    if (positions.size() < 2) return {0, 0, brevity};  // one word has no order
    const auto increasing = static_cast<double>(order_.increasing_pairs(positions));
    return {increasing / (matched * (matched - 1) / 2), matched / length, brevity};
}

}  // namespace tertium::metrics::order
