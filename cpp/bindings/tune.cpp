#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "bindings/convert.hpp"
#include "tune/graph_envelopes.hpp"
#include "tune/line_search.hpp"

namespace tertium::bindings {
using namespace tune;

namespace {

template <class Number>
using Column = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
template <class Number>
using Result = nb::ndarray<nb::numpy, Number, nb::ndim<1>>;
using EnvelopeArrays = std::tuple<Result<std::int64_t>, Result<double>, Result<std::int32_t>>;

MatrixView view(const Matrix& matrix) {
    return {matrix.data(), matrix.shape(0), matrix.shape(1)};
}

template <class Number>
std::span<const Number> view(const Column<Number>& column) {
    return {column.data(), column.shape(0)};
}

// A vector handed over to numpy without a copy.
template <class Number, class... Shape>
auto array(std::vector<Number>&& numbers) {
    auto* kept = new std::vector<Number>(std::move(numbers));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
    return Result<Number>(kept->data(), {kept->size()}, owner);
}

Rows matrix(std::vector<double>&& numbers, std::size_t columns) {
    auto* kept = new std::vector<double>(std::move(numbers));
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    const std::size_t rows = columns == 0 ? 0 : kept->size() / columns;
    return Rows(kept->data(), {rows, columns}, owner);
}

void require(bool holds, const std::string& message) {
    if (!holds) throw std::invalid_argument(message);
}

Searches searches_of(const Matrix& points, const Matrix& directions, std::size_t features) {
    require(points.shape(0) == directions.shape(0) && points.shape(1) == features &&
                directions.shape(1) == features,
            "found points and directions of another shape, expected a row for each search with " +
                std::to_string(features) + " features");
    return {view(points), view(directions)};
}

// Ascending from 0 to `size`, no step of nothing.
void check_offsets(const Column<std::int64_t>& offsets, std::size_t size) {
    const auto all = view(offsets);
    require(!all.empty() && all.front() == 0 && all.back() == static_cast<std::int64_t>(size) &&
                std::adjacent_find(all.begin(), all.end(), std::greater_equal<>()) == all.end(),
            "found offsets that do not fit, expected at least one hypothesis for each segment, " +
                std::to_string(size) + " in all");
}

EnvelopeArrays arrays(Envelopes&& found) {
    return {array(std::move(found.offsets)), array(std::move(found.starts)),
            array(std::move(found.hypotheses))};
}

EnvelopeArrays nbest(const Matrix& features, const Column<std::int64_t>& offsets,
                     const Matrix& points, const Matrix& directions) {
    check_offsets(offsets, features.shape(0));
    require(features.shape(0) < (std::size_t{1} << 31), "found 2^31 hypotheses, expected fewer");
    const Searches searches = searches_of(points, directions, features.shape(1));
    Envelopes found;
    {
        const Unlocked unlocked;
        found = nbest_envelopes({view(features), view(offsets)}, searches);
    }
    return arrays(std::move(found));
}

std::tuple<Result<std::int64_t>, Result<double>, Rows> sums(const Column<std::int64_t>& offsets,
                                                            const Column<double>& starts,
                                                            const Column<std::int32_t>& hypotheses,
                                                            std::size_t segments,
                                                            const Matrix& statistics) {
    check_offsets(offsets, starts.shape(0));
    require(hypotheses.shape(0) == starts.shape(0) && segments > 0 &&
                (offsets.shape(0) - 1) % segments == 0,
            "found envelopes that do not fit, expected one for each search and segment");
    for (const std::int32_t one : view(hypotheses)) {
        require(one >= 0 && static_cast<std::size_t>(one) < statistics.shape(0),
                "found a hypothesis without statistics, expected a row for each");
    }
    IntervalSums found;
    {
        const Unlocked unlocked;
        found = interval_sums(view(offsets), view(starts), view(hypotheses), segments,
                              view(statistics));
    }
    return {array(std::move(found.offsets)), array(std::move(found.starts)),
            matrix(std::move(found.sums), statistics.shape(1))};
}

template <class Number>
std::vector<Number> copy(const Column<Number>& column) {
    return {column.data(), column.data() + column.shape(0)};
}

DerivationGraph hypergraph(std::size_t nodes, const Column<std::int32_t>& heads,
                           const Column<std::int32_t>& tail_offsets,
                           const Column<std::int32_t>& tails,
                           const Column<std::int32_t>& symbol_offsets,
                           const Column<std::int32_t>& symbols, const Matrix& features) {
    require(features.shape(0) == heads.shape(0),
            "found features of another size, expected a row for each edge");
    DerivationGraph graph{nodes,
                          copy(heads),
                          copy(tail_offsets),
                          copy(tails),
                          copy(symbol_offsets),
                          copy(symbols),
                          {features.data(), features.data() + features.size()},
                          features.shape(1)};
    check(graph);
    return graph;
}

// Hypotheses from number `first` on: segment and words of each.
std::tuple<Result<std::int32_t>, Result<std::int64_t>, Result<std::int32_t>> since(
    GraphHypotheses& table, std::size_t first) {
    const std::lock_guard alone(table.guard());
    first = std::min(first, table.size());
    const auto owners = table.owners().subspan(first);
    const auto ends = table.word_offsets().subspan(first);
    const auto words = table.words().subspan(static_cast<std::size_t>(ends[0]));
    std::vector<std::int64_t> offsets(ends.begin(), ends.end());
    for (std::int64_t& one : offsets) one -= ends[0];
    return {array(std::vector<std::int32_t>(owners.begin(), owners.end())),
            array(std::move(offsets)),
            array(std::vector<std::int32_t>(words.begin(), words.end()))};
}

}  // namespace

void bind_tune(nb::module_& module) {
    module.def("nbest_envelopes", &nbest, nb::arg("features"), nb::arg("offsets"),
               nb::arg("points"), nb::arg("directions"),
               "Upper envelopes of all segments for each search: offsets, starts, hypotheses.");
    module.def("interval_sums", &sums, nb::arg("offsets"), nb::arg("starts"), nb::arg("hypotheses"),
               nb::arg("segments"), nb::arg("statistics"),
               "Steps of all segments merged, for each search: offsets, starts, sums.");
    nb::class_<DerivationGraph>(module, "DerivationGraph",
                                "A forest, or a lattice as one, ready for envelopes.")
        .def(
            "__init__",
            [](DerivationGraph* self, std::size_t nodes, const Column<std::int32_t>& heads,
               const Column<std::int32_t>& tail_offsets, const Column<std::int32_t>& tails,
               const Column<std::int32_t>& symbol_offsets, const Column<std::int32_t>& symbols,
               const Matrix& features) {
                new (self) DerivationGraph(hypergraph(nodes, heads, tail_offsets, tails,
                                                      symbol_offsets, symbols, features));
            },
            nb::arg("nodes"), nb::arg("heads"), nb::arg("tail_offsets"), nb::arg("tails"),
            nb::arg("symbol_offsets"), nb::arg("symbols"), nb::arg("features"));
    nb::class_<GraphHypotheses>(module, "GraphHypotheses",
                                "The hypotheses that envelopes of some graphs have come upon.")
        .def(
            "__init__",
            [](GraphHypotheses* self, const std::vector<const DerivationGraph*>& graphs) {
                std::vector<DerivationGraph> copies;
                for (const DerivationGraph* one : graphs) copies.push_back(*one);
                new (self) GraphHypotheses(std::move(copies));
            },
            nb::arg("graphs"))
        .def("__len__",
             [](GraphHypotheses& self) {
                 const std::lock_guard alone(self.guard());
                 return self.size();
             })
        .def(
            "envelopes",
            [](GraphHypotheses& self, const Matrix& points, const Matrix& directions) {
                const Searches searches = searches_of(points, directions, self.columns());
                Envelopes found;
                {
                    const Unlocked unlocked;
                    const std::lock_guard alone(self.guard());
                    found = self.envelopes(searches);
                }
                return arrays(std::move(found));
            },
            nb::arg("points"), nb::arg("directions"),
            "Upper envelopes of all graphs for each search: offsets, starts, hypotheses.")
        .def("since", &since, nb::arg("first"),
             "Segment, word offsets and words of the hypotheses from this number on.");
}

}  // namespace tertium::bindings
