// The translation edit rate as tercom 0.8.0 searches it.
#pragma once

#include "core/segment.hpp"
#include "metrics/edit/ter.hpp"
#include "metrics/edit/weighted_ter.hpp"

namespace tertium::metrics::edit {

// Differs from TerSearch in what shifts it tries and in its beam, which is of costs, not of
// places; it tries any number of shifts.
class TercomSearch {
  public:
    explicit TercomSearch(const TerLimits& limits);

    void operator()(const core::Segment& segment, double* row);
    void search(core::Tokens hypothesis, core::Tokens reference, TerPath& path);

  private:
    WeightedTerSearch search_;
    TerPair pair_;
    WeightedTerPath weighted_;
    TerPath path_, best_path_;
};

}  // namespace tertium::metrics::edit
