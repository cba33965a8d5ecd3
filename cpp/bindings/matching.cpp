#include "bindings/convert.hpp"
#include "metrics/matching/transport.hpp"

namespace tertium::bindings {
namespace {

using Weights = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Gains = nb::ndarray<const std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

std::int64_t value(const Weights& supplies, const Weights& demands, const Gains& gains) {
    if (gains.shape(0) != supplies.size() || gains.shape(1) != demands.size()) {
        throw std::invalid_argument("gains: a row for each supply, a column for each demand");
    }
    const Unlocked unlocked;
    return metrics::matching::transport_value({supplies.data(), supplies.size()},
                                              {demands.data(), demands.size()},
                                              {gains.data(), gains.size()});
}

}  // namespace

void bind_matching(nb::module_& module) {
    module.def("transport_value", &value, nb::arg("supplies"), nb::arg("demands"), nb::arg("gains"),
               "The largest sum of moved weight times gain, between supplies and demands.");
}

}  // namespace tertium::bindings
