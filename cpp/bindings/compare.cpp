#include "bindings/convert.hpp"
#include "compare/reference_grams.hpp"

namespace tertium::bindings {
namespace {

using Tokens32 = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Starts = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<nb::numpy, std::int32_t, nb::ndim<1>>;

template <class Number>
std::span<const Number> span_of(
    const nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>& array) {
    return {array.data(), array.size()};
}

Counts owned(std::unique_ptr<std::vector<std::int32_t>> numbers) {
    std::int32_t* data = numbers->data();
    const std::size_t size = numbers->size();
    nb::capsule owner(numbers.get(), [](void* vector) noexcept {
        delete static_cast<std::vector<std::int32_t>*>(vector);
    });
    numbers.release();
    return Counts(data, {size}, owner);
}

Counts count(const compare::ReferenceGrams& grams, const Tokens32& tokens, const Starts& starts) {
    auto right = std::make_unique<std::vector<std::int32_t>>(grams.entries().size());
    {
        const Unlocked unlocked;
        grams.count(span_of(tokens), span_of(starts), *right);
    }
    return owned(std::move(right));
}

}  // namespace

void bind_compare(nb::module_& module) {
    nb::class_<compare::ReferenceGrams>(module, "ReferenceGrams",
                                        "The n-grams that references expect, segment by segment.")
        .def(
            "__init__",
            [](compare::ReferenceGrams* self, const Tokens32& tokens, const Starts& references,
               const Starts& segments, std::size_t first, std::size_t last) {
                const Unlocked unlocked;
                new (self) compare::ReferenceGrams(span_of(tokens), span_of(references),
                                                   span_of(segments), first, last);
            },
            nb::arg("tokens"), nb::arg("references"), nb::arg("segments"), nb::arg("first"),
            nb::arg("last"))
        .def_prop_ro("grams", &compare::ReferenceGrams::grams, "How many different n-grams.")
        .def_prop_ro(
            "entries",
            [](const compare::ReferenceGrams& self) {
                return owned(std::make_unique<std::vector<std::int32_t>>(self.entries().begin(),
                                                                         self.entries().end()));
            },
            nb::rv_policy::automatic,
            "The n-gram of each entry; an entry is a different n-gram of a segment.")
        .def_prop_ro(
            "expected",
            [](const compare::ReferenceGrams& self) {
                return owned(std::make_unique<std::vector<std::int32_t>>(self.expected()));
            },
            nb::rv_policy::automatic,
            "For each entry the count of the reference that has most of it.")
        .def("count", &count, nb::arg("tokens"), nb::arg("starts"),
             "For each entry how often an output has it, clipped.")
        .def("words", &compare::ReferenceGrams::words, nb::arg("gram"), "The words of an n-gram.");
}

}  // namespace tertium::bindings
