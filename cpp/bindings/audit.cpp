#include "audit/gram_overlap.hpp"
#include "audit/known_words.hpp"
#include "audit/text_traits.hpp"
#include "bindings/convert.hpp"
#include "core/parallel.hpp"

namespace tertium::bindings {
namespace {

constexpr std::size_t block = 64;

using Places = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Rows text_traits(const Texts& texts) {
    constexpr std::size_t columns = audit::TextTraits::columns;
    return make_rows(texts.size(), columns, [&](double* rows) {
        for_each_block(texts.size(), block, [&] {
            return [&, traits = audit::TextTraits()](std::size_t begin, std::size_t end) mutable {
                for (std::size_t i = begin; i < end; ++i) traits(texts[i], rows + i * columns);
            };
        });
    });
}

Rows gram_overlaps(const Texts& left, const Texts& right, const Places& lefts,
                   const Places& rights) {
    const std::size_t pairs = lefts.size();
    if (rights.size() != pairs) throw std::invalid_argument("pairs: as many left as right places");
    for (std::size_t i = 0; i < pairs; ++i) {
        // A negative place is a very large one as well.
        check_index(static_cast<std::size_t>(lefts.data()[i]), left.size());
        check_index(static_cast<std::size_t>(rights.data()[i]), right.size());
    }
    return make_rows(pairs, 1, [&](double* rows) {
        for_each_block(pairs, block, [&] {
            return [&, overlap = audit::GramOverlap()](std::size_t begin, std::size_t end) mutable {
                for (std::size_t i = begin; i < end; ++i) {
                    rows[i] = overlap(left[static_cast<std::size_t>(lefts.data()[i])],
                                      right[static_cast<std::size_t>(rights.data()[i])]);
                }
            };
        });
    });
}

Rows known_words(const Texts& texts, const std::vector<const Texts*>& known) {
    return make_rows(texts.size(), 2, [&](double* rows) {
        audit::KnownWords words;
        for (const Texts* column : known) {
            for (std::size_t i = 0; i < column->size(); ++i) words.add((*column)[i]);
        }
        for_each_block(texts.size(), block, [&] {
            return [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                    const auto found = words.count(texts[i]);
                    rows[2 * i] = static_cast<double>(found.words);
                    rows[2 * i + 1] = static_cast<double>(found.known);
                }
            };
        });
    });
}

}  // namespace

void bind_audit(nb::module_& module) {
    module.def("text_traits", &text_traits, nb::arg("texts"),
               "Fingerprint, characters, words, words in a loop, whether the end is "
               "that of a sentence, and letters by script.");
    module.def("gram_overlaps", &gram_overlaps, nb::arg("left"), nb::arg("right"), nb::arg("lefts"),
               nb::arg("rights"),
               "The share of character trigrams that pairs of texts have in common.");
    module.def("known_words", &known_words, nb::arg("texts"), nb::arg("known"),
               "The words of each text, and how many of them occur in any of the known texts.");
}

}  // namespace tertium::bindings
