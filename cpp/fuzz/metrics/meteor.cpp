#include "metrics/meteor/meteor.hpp"

#include <cmath>
#include <cstring>

#include "decode/mbr/meteor_pairs.hpp"
#include "fuzz/target.hpp"

namespace tertium::fuzz {
namespace {

using namespace metrics::meteor;

// Tables of words that the seeds are made of, built once.
struct Tables {
    std::vector<std::uint64_t> lexicon_memory, phrase_memory;
    MeteorLexicon lexicon;
    MeteorPhrases phrases;

    Tables()
        : lexicon_memory(aligned(
              MeteorLexicon::build("a\n1 2\nb\n2 3\nc\n3\n", "a\nas\n", "a\nthe\n", "", "sum"))),
          phrase_memory(aligned(phrase_table())),
          lexicon(std::as_bytes(std::span(lexicon_memory))),
          phrases(std::as_bytes(std::span(phrase_memory))) {}

    static std::string phrase_table() {
        PhraseTableBuilder builder;
        builder.feed("0.5\na b\nc\n0.5\nc\na b\n0.2\nb c d\na\n0.1\nd\ne f\n0.1\nd d\ne\n");
        return builder.finish("sum");
    }
    static std::vector<std::uint64_t> aligned(const std::string& bytes) {
        std::vector<std::uint64_t> out((bytes.size() + 7) / 8);
        std::memcpy(out.data(), bytes.data(), bytes.size());
        return out;
    }
};

const Tables& tables() {
    static const Tables built;
    return built;
}

std::shared_ptr<MeteorWords> words_of(const text::Texts& texts,
                                      std::shared_ptr<const MeteorWords> base) {
    const std::vector<const text::Texts*> columns{&texts};
    auto words = std::make_shared<MeteorWords>(columns, std::move(base));
    const text::Texts fresh = words->fresh_words();
    text::Texts stems;
    for (std::size_t i = 0; i < fresh.size(); ++i) stems.append(fresh[i].substr(0, 1));
    words->learn(fresh, &stems, &tables().lexicon, true, &tables().phrases);
    return words;
}

// No word is matched twice, and matches lie within the texts.
void check_alignment(std::span<const Match> matches, std::size_t words, std::size_t positions) {
    std::vector<char> used(words), reached(positions);
    for (const Match& match : matches) {
        EXPECT(match.hypothesis_start + match.hypothesis_length <= words);
        EXPECT(match.start + match.length <= positions);
        for (std::uint32_t i = 0; i < match.hypothesis_length; ++i) {
            EXPECT(used[match.hypothesis_start + i]++ == 0);
        }
        for (std::uint32_t i = 0; i < match.length; ++i) EXPECT(reached[match.start + i]++ == 0);
    }
}

}  // namespace

// Alignments are alignments; all pairs at once have the rows of each pair.
FUZZ_TARGET(meteor) {
    const bool by_stage = input.byte() % 4 == 0;
    const std::size_t beam = 1 + input.below(40);
    const std::size_t count = 1 + input.below(3);
    const text::Texts references = input.texts(count), hypotheses = input.texts(count);
    if (hypotheses.byte_size() + references.byte_size() > 400) return;
    MeteorParameters parameters{0.85, 0.2, 0.6, 0.75, {}, {}, beam, by_stage};
    parameters.stages = {Stage::exact, Stage::stem, Stage::synonym};
    parameters.weights = {1, 0.6, 0.8};
    if (!by_stage) {
        parameters.stages.push_back(Stage::paraphrase);
        parameters.weights.push_back(0.6);
    }
    const auto base = words_of(references, nullptr);
    const auto words = words_of(hypotheses, base);
    const std::size_t columns = MeteorKernel::columns(parameters.stages.size());
    MeteorKernel kernel(parameters, &tables().phrases);
    AnyAligner aligner(match_stages(parameters.stages, &tables().phrases), beam, by_stage);
    std::vector<double> row(columns), rows(count * count * columns);
    if (!by_stage) {
        decode::mbr::MeteorPairs(*words, *base, parameters, &tables().phrases).rows(rows.data());
    }
    for (std::size_t h = 0; h < count; ++h) {
        for (std::size_t r = 0; r < count; ++r) {
            const auto hypothesis = words->words(0, h), reference = base->words(0, r);
            check_alignment(aligner.align(*words, hypothesis, reference), hypothesis.size(),
                            reference.size());
            kernel.compare(*words, hypothesis, reference, row.data());
            const double score = kernel.score(row.data());
            EXPECT(score >= 0 && score <= 1 + 1e-12);
            if (by_stage) continue;
            EXPECT(
                std::equal(row.begin(), row.end(),
                           rows.begin() + static_cast<std::ptrdiff_t>((h * count + r) * columns)));
        }
    }
}

}  // namespace tertium::fuzz
