#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "bindings/convert.hpp"
#include "decode/oracle/forest.hpp"
#include "decode/oracle/lattice.hpp"
#include "metrics/edit/grr.hpp"

namespace tertium::bindings {
using namespace metrics::edit;
using namespace decode::oracle;

namespace {

using Integers = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Merits = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

template <class Array>
auto span_of(const Array& array) {
    return std::span(array.data(), array.size());
}

template <class Array>
auto copy_of(const Array& array) {
    const auto span = span_of(array);
    return std::vector(span.begin(), span.end());
}

nb::list list_of(const std::vector<OraclePath>& paths) {
    nb::list result;
    for (const OraclePath& path : paths) {
        nb::list edges;
        for (const std::int32_t edge : path.edges) edges.append(edge);
        result.append(nb::make_tuple(path.numerator, edges));
    }
    return result;
}

template <class Structure>
Merits merits(const Structure& structure) {
    auto values = std::make_unique<std::vector<double>>();
    {
        const Unlocked unlocked;
        *values = structure.merits();
    }
    std::vector<double>* raw = values.release();
    nb::capsule owner(raw, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return Merits(raw->data(), {raw->size()}, owner);
}

void make_lattice(OracleLattice* self, std::size_t nodes, const Integers& sources,
                  const Integers& targets, const Integers& labels, const Numbers& scores) {
    new (self)
        OracleLattice(nodes, copy_of(sources), copy_of(targets), copy_of(labels), copy_of(scores));
}

void make_forest(OracleForest* self, std::size_t nodes, const Integers& heads,
                 const Integers& symbol_offsets, const Integers& symbols,
                 const Integers& tail_offsets, const Integers& tails, const Numbers& scores) {
    new (self) OracleForest(nodes, copy_of(heads), span_of(symbol_offsets), span_of(symbols),
                            span_of(tail_offsets), span_of(tails), copy_of(scores));
}

nb::list lattice_best(const OracleLattice& lattice, const Integers& reference, std::int64_t k,
                      double alpha, double beta, std::size_t count, double mix) {
    const GramWeights weights(k, alpha, beta);
    std::vector<OraclePath> found;
    {
        const Unlocked unlocked;
        found = lattice.best(span_of(reference), weights, count, mix);
    }
    return list_of(found);
}

nb::tuple forest_best(const OracleForest& forest, const Integers& reference, std::int64_t k,
                      double alpha, double beta, std::size_t count, std::optional<std::size_t> band,
                      std::optional<std::size_t> beam, double mix) {
    const GramWeights weights(k, alpha, beta);
    if (beam == std::size_t{0}) throw std::invalid_argument("beam is 0, expected at least 1");
    ForestOracles found;
    {
        const Unlocked unlocked;
        found = forest.best(span_of(reference), weights, count, {band, beam}, mix);
    }
    return nb::make_tuple(list_of(found.paths), found.complete);
}

}  // namespace

void bind_oracle(nb::module_& module) {
    nb::class_<OracleLattice>(module, "OracleLattice",
                              "A lattice in canonical form, for oracles; labels below 0 are empty.")
        .def("__init__", &make_lattice, nb::arg("nodes"), nb::arg("sources"), nb::arg("targets"),
             nb::arg("labels"), nb::arg("scores"))
        .def(
            "best", &lattice_best, nb::arg("reference"), nb::kw_only(), nb::arg("k"),
            nb::arg("alpha"), nb::arg("beta"), nb::arg("count"), nb::arg("mix") = 0.0,
            nb::sig("def best(self, reference: Annotated[NDArray[numpy.int32], "
                    "dict(shape=(None,), order='C', device='cpu', writable=False)], *, k: int, "
                    "alpha: float, beta: float, count: int, mix: float = 0.0) -> list[tuple[float, "
                    "list[int]]]"),
            "The best word sequences: numerator of the rate plus mix times the model's score, arcs "
            "from start to end.")
        .def("merits", &merits<OracleLattice>,
             "For each arc the best model score of any path over it.");
    nb::class_<OracleForest>(module, "OracleForest", "A forest in canonical form, for oracles.")
        .def("__init__", &make_forest, nb::arg("nodes"), nb::arg("heads"),
             nb::arg("symbol_offsets"), nb::arg("symbols"), nb::arg("tail_offsets"),
             nb::arg("tails"), nb::arg("scores"))
        .def("best", &forest_best, nb::arg("reference"), nb::kw_only(), nb::arg("k"),
             nb::arg("alpha"), nb::arg("beta"), nb::arg("count"), nb::arg("band") = nb::none(),
             nb::arg("beam") = nb::none(), nb::arg("mix") = 0.0,
             nb::sig("def best(self, reference: Annotated[NDArray[numpy.int32], "
                     "dict(shape=(None,), order='C', device='cpu', writable=False)], *, k: int, "
                     "alpha: float, beta: float, count: int, band: int | None = None, "
                     "beam: int | None = None, mix: float = 0.0) -> tuple[list[tuple[float, "
                     "list[int]]], bool]"),
             "The best word sequences: numerator of the rate plus mix times the model's score, "
             "hyperedges from the goal down; and "
             "whether there were as many as asked for, or no more in the forest.")
        .def("merits", &merits<OracleForest>,
             "For each hyperedge the best model score of any derivation with it.")
        .def_prop_ro("left_branching", &OracleForest::left_branching,
                     "Whether every derivation is a path, so that the forest is a lattice.");
}

}  // namespace tertium::bindings
