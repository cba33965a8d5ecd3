#include "metrics/meteor/meteor.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>

namespace tertium::metrics::meteor {
namespace {

constexpr std::size_t hypothesis_length = 0, reference_length = 1;
constexpr std::size_t hypothesis_function = 2, reference_function = 3;
constexpr std::size_t chunk_count = 4, first_stage = 5;

}  // namespace

MatchStages match_stages(const std::vector<Stage>& stages, const MeteorPhrases* phrases) {
    const auto has = [&](Stage stage) { return std::ranges::count(stages, stage) > 0; };
    return {has(Stage::stem), has(Stage::synonym), has(Stage::paraphrase) ? phrases : nullptr};
}

std::span<const Match> AnyAligner::align(const MeteorWords& vocabulary,
                                         std::span<const Word> hypothesis,
                                         std::span<const Word> reference) {
    if (chosen_by_stage_ && std::max(hypothesis.size(), reference.size()) <= long_for_stages) {
        const auto matches = by_stage_.align(vocabulary, hypothesis, reference);
        chunks_ = by_stage_.chunks();
        return matches;
    }
    const auto matches = at_once_.align(vocabulary, hypothesis, reference);
    chunks_ = at_once_.chunks();
    return matches;
}

MeteorKernel::MeteorKernel(const MeteorParameters& parameters, const MeteorPhrases* phrases)
    : parameters_(parameters),
      aligner_(match_stages(parameters.stages, phrases), parameters.beam, parameters.by_stage),
      candidate_(columns(parameters.stages.size())) {
    if (parameters.stages.empty() || parameters.stages.front() != Stage::exact ||
        std::ranges::adjacent_find(parameters.stages, std::greater_equal<>{}) !=
            parameters.stages.end() ||
        parameters.weights.size() != parameters.stages.size() || parameters.beam == 0) {
        throw std::invalid_argument(
            "meteor: expected stages in order, exact first, and a weight "
            "for each; a beam of at least 1");
    }
    if (parameters.by_stage && parameters.stages.back() == Stage::paraphrase) {
        throw std::invalid_argument("meteor: found paraphrases, expected single words by stage");
    }
    for (std::size_t s = 0; s < parameters.stages.size(); ++s) {
        stage_columns_[static_cast<std::size_t>(parameters.stages[s])] = first_stage + 4 * s;
    }
}

void MeteorKernel::operator()(const MeteorWords& hypotheses, const MeteorWords& references,
                              std::size_t segment, double* row) {
    double best = -1;
    for (std::size_t r = 0; r < references.columns(); ++r) {
        if (references.missing(r, segment)) continue;
        compare(hypotheses, hypotheses.words(0, segment), references.words(r, segment),
                candidate_.data());
        const double found = score(candidate_.data());
        if (found > best) {  // the first among equals
            best = found;
            std::ranges::copy(candidate_, row);
        }
    }
    if (best < 0) {
        throw std::invalid_argument("segment " + std::to_string(segment + 1) +
                                    ": no reference, expected at least one");
    }
}

void MeteorKernel::compare(const MeteorWords& vocabulary, std::span<const Word> hypothesis,
                           std::span<const Word> reference, double* row) {
    const auto matches = aligner_.align(vocabulary, hypothesis, reference);
    count(vocabulary, hypothesis, reference, matches, aligner_.chunks(), row);
}

void MeteorKernel::count(const MeteorWords& vocabulary, std::span<const Word> hypothesis,
                         std::span<const Word> reference, std::span<const Match> matches,
                         std::size_t chunks, double* row) const {
    std::fill_n(row, candidate_.size(), 0.0);
    const auto is_function = [&](Word word) { return vocabulary.is_function_word(word); };
    row[hypothesis_length] = static_cast<double>(hypothesis.size());
    row[reference_length] = static_cast<double>(reference.size());
    row[hypothesis_function] = static_cast<double>(std::ranges::count_if(hypothesis, is_function));
    row[reference_function] = static_cast<double>(std::ranges::count_if(reference, is_function));
    std::size_t covered[2] = {0, 0};
    for (const Match& match : matches) {
        covered[0] += match.hypothesis_length;
        covered[1] += match.length;
        double* counts = row + stage_columns_[static_cast<std::size_t>(match.stage)];
        for (const Word word :
             hypothesis.subspan(match.hypothesis_start, match.hypothesis_length)) {
            ++counts[is_function(word) ? 2 : 0];
        }
        for (const Word word : reference.subspan(match.start, match.length)) {
            ++counts[is_function(word) ? 3 : 1];
        }
    }
    // A text that is wholly one chunk is not fragmented, and adds no chunk to a corpus either.
    const bool whole =
        chunks == 1 && covered[0] == hypothesis.size() && covered[1] == reference.size();
    row[chunk_count] = whole ? 0.0 : static_cast<double>(chunks);
}

double MeteorKernel::score(const double* row) const {
    const double delta = parameters_.delta;
    // Side 0 is the hypothesis, side 1 the reference.
    double rate[2], matched[2];
    for (std::size_t side = 0; side < 2; ++side) {
        const double function_words = row[hypothesis_function + side];
        const double length = delta * (row[side] - function_words) + (1 - delta) * function_words;
        double content = 0, function = 0;
        matched[side] = 0;
        for (std::size_t s = 0; s < parameters_.stages.size(); ++s) {
            const double* counts = row + first_stage + 4 * s + side;
            content += counts[0] * parameters_.weights[s] * delta;
            function += counts[2] * parameters_.weights[s] * (1 - delta);
            matched[side] += counts[0] + counts[2];
        }
        rate[side] = length > 0 ? (content + function) / length : 0;
    }
    if (rate[0] <= 0 || rate[1] <= 0) return 0;
    const double alpha = parameters_.alpha;
    const double mean = 1 / ((1 - alpha) / rate[0] + alpha / rate[1]);
    const double fragmentation = row[chunk_count] / ((matched[0] + matched[1]) / 2);
    return std::max(0.0,
                    mean * (1 - parameters_.gamma * std::pow(fragmentation, parameters_.beta)));
}

}  // namespace tertium::metrics::meteor
