// The best derivations of a forest by the metric, each word sequence once.
#pragma once

#include <cstddef>
#include <cstdint>

#include "decode/oracle/automaton.hpp"
#include "decode/oracle/forest.hpp"

namespace tertium::decode::oracle {

template <class Value>
ForestOracles best_derivations(const OracleForest&, const OracleReference&, const OracleUnits&,
                               std::int64_t k, std::size_t count, const ForestPruning&);

}  // namespace tertium::decode::oracle
