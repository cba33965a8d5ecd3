// METEOR of every candidate against every pseudo reference.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/meteor/meteor.hpp"

namespace tertium::decode::mbr {

// What can match at a place of a reference follows from its word and the phrases that begin there.
// The places of all references are of a few kinds, and for each candidate the matches of each kind
// are found once. References in alphabetical order share their first words with the one before, and
// so the paths of the search.
class MeteorPairs {
  public:
    // `hypotheses` continue `references`, one column each, and outlive the object.
    MeteorPairs(const metrics::meteor::MeteorWords& hypotheses,
                const metrics::meteor::MeteorWords& references,
                const metrics::meteor::MeteorParameters& parameters,
                const metrics::meteor::MeteorPhrases* phrases);

    // Row (h, r) is number h · references + r.
    void rows(double* rows) const;

  private:
    class Worker;

    struct Kind {
        std::uint32_t place;   // in kind_words_
        std::uint32_t length;  // words of its longest phrase, at least 1
    };

    void name_kinds();
    void sort_references();
    std::span<const std::uint32_t> kinds_of(std::size_t reference) const {
        return std::span(kinds_of_places_)
            .subspan(reference_begins_[reference],
                     reference_begins_[reference + 1] - reference_begins_[reference]);
    }

    const metrics::meteor::MeteorWords& hypotheses_;
    const metrics::meteor::MeteorWords& references_;
    const metrics::meteor::MeteorParameters& parameters_;
    const metrics::meteor::MeteorPhrases* phrases_;
    std::vector<metrics::meteor::Word> kind_words_;  // of all kinds, one behind the other
    std::vector<Kind> kinds_;
    std::vector<std::uint32_t> kinds_of_places_;  // of all references
    std::vector<std::size_t> reference_begins_;
    std::vector<std::size_t> order_;   // of the references
    std::vector<std::size_t> shared_;  // kinds that each has in common with the one before
};

}  // namespace tertium::decode::mbr
