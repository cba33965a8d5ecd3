#include "bindings/convert.hpp"
#include "meta/rated_groups.hpp"

namespace tertium::bindings {
namespace {

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Rows counts(const meta::RatedGroups& groups, const Numbers& thresholds) {
    return make_rows(thresholds.size(), 5, [&](double* row) {
        for (const meta::TieCounts& one : groups.counts({thresholds.data(), thresholds.size()})) {
            for (const double value : {one.rises, one.falls, one.pairs, one.below, one.above}) {
                *row++ = value;
            }
        }
    });
}

Rows pairs(const meta::RatedGroups& groups, const Numbers& lows, const Numbers& highs) {
    if (lows.size() != highs.size()) {
        throw std::invalid_argument("intervals: as many lower as upper ends are expected");
    }
    std::vector<meta::TiePair> found;
    {
        const Unlocked unlocked;
        std::vector<meta::Interval> intervals;
        for (std::size_t i = 0; i < lows.size(); ++i) {
            intervals.push_back({lows.data()[i], highs.data()[i]});
        }
        found = groups.pairs(intervals);
    }
    return make_rows(found.size(), 3, [&](double* row) {
        for (const meta::TiePair& one : found) {
            *row++ = one.distance;
            *row++ = one.gain;
            *row++ = static_cast<double>(one.interval);
        }
    });
}

}  // namespace

void bind_meta(nb::module_& module) {
    nb::class_<meta::RatedGroups>(module, "RatedGroups",
                                  "Rated outputs in groups, in each of which scores rise.")
        .def(nb::init<std::vector<std::int32_t>, std::vector<double>, std::vector<std::size_t>,
                      std::vector<double>>(),
             nb::arg("ranks"), nb::arg("scores"), nb::arg("starts"), nb::arg("weights"))
        .def("counts", &counts, nb::arg("thresholds"),
             "For each threshold: the weight of the pairs within it that a tie makes right, that "
             "of those it makes wrong, how many they are, and the nearest distances below and "
             "above.")
        .def("pairs", &pairs, nb::arg("lows"), nb::arg("highs"),
             "Distance, gain and interval of each pair with low < distance <= high that a tie "
             "changes.");
}

}  // namespace tertium::bindings
