#include "metrics/ngram/weighted_subsequence.hpp"

#include <algorithm>
#include <cmath>

#include "core/interrupt.hpp"

namespace tertium::metrics::ngram {
namespace {

enum Move : char { match, skip_reference, skip_hypothesis };

constexpr std::size_t block_cells = std::size_t{1} << 20;

}  // namespace

double WeightedSubsequence::power(std::size_t length) {
    while (powers_.size() <= length) {
        powers_.push_back(std::pow(static_cast<double>(powers_.size()), weight_));
    }
    return powers_[length];
}

// The moves of the whole table would take too much memory for long texts. So rows are saved at
// the start of each block, and on the way back a block's moves are made again from there.
double WeightedSubsequence::size(core::Tokens hypothesis, core::Tokens reference) {
    const std::size_t width = hypothesis.size() + 1;
    power(std::min(hypothesis.size(), reference.size()) + 1);
    const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(reference.size())));
    const std::size_t height = std::max(block_cells / width, root + 1);
    const std::size_t blocks = (reference.size() + height - 1) / height;
    moves_.resize(std::min(height, reference.size()) * width);
    saved_.resize(std::max(saved_.size(), blocks));
    row_.best.assign(width, 0);
    row_.runs.assign(width, 0);
    for (std::size_t i = 0; i < reference.size(); ++i) {
        core::check_interrupt();
        if (i % height == 0) saved_[i / height] = row_;
        advance(row_, hypothesis, reference[i], moves_.data() + i % height * width);
    }
    hit_runs_.clear();
    std::uint32_t run = 0;
    std::size_t column = hypothesis.size();
    for (std::size_t block = blocks; block-- > 0 && column > 0;) {
        const std::size_t begin = block * height;
        const std::size_t end = std::min(begin + height, reference.size());
        if (block + 1 < blocks) {
            for (std::size_t i = begin; i < end; ++i) {
                core::check_interrupt();
                advance(saved_[block], hypothesis, reference[i],
                        moves_.data() + (i - begin) * width);
            }
        }
        for (std::size_t i = end; i > begin && column > 0;) {
            const char move = moves_[(i - 1 - begin) * width + column];
            if (move == skip_hypothesis) {
                --column;
                continue;
            }
            --i;
            if (move == match) {
                --column;
                ++run;
            } else if (run > 0) {
                hit_runs_.push_back(run);
                run = 0;
            }
        }
    }
    if (run > 0) hit_runs_.push_back(run);
    return sum_of_runs();
}

// From left to right, as ROUGE-1.5.5 adds them: the order decides about the last bit, and
// that about which of two references is the better one.
double WeightedSubsequence::sum_of_runs() const {
    double sum = 0;
    for (std::size_t k = hit_runs_.size(); k-- > 0;) sum += powers_[hit_runs_[k]];
    return sum;
}

void WeightedSubsequence::advance(Row& row, core::Tokens hypothesis, core::Token word,
                                  char* moves) {
    double diagonal = 0;
    std::uint32_t diagonal_run = 0;
    for (std::size_t j = 1; j <= hypothesis.size(); ++j) {
        core::check_interrupt();
        const double above = row.best[j];
        const std::uint32_t run = row.runs[j];
        if (hypothesis[j - 1] == word) {
            row.best[j] = diagonal + powers_[diagonal_run + 1] - powers_[diagonal_run];
            row.runs[j] = diagonal_run + 1;
            moves[j] = match;
        } else if (above >= row.best[j - 1]) {
            row.runs[j] = 0;
            moves[j] = skip_reference;
        } else {
            row.best[j] = row.best[j - 1];
            row.runs[j] = 0;
            moves[j] = skip_hypothesis;
        }
        diagonal = above;
        diagonal_run = run;
    }
}

}  // namespace tertium::metrics::ngram
