// Shared by the binding files: results as numpy arrays, work without the interpreter lock.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>

#include "core/interrupt.hpp"
#include "text/references.hpp"
#include "text/texts.hpp"

namespace tertium::bindings {

namespace nb = nanobind;

// Every binding translates text and tokens; each file names its own kernels' namespaces.
using namespace core;
using namespace text;
using namespace text::tokens;

using Rows = nb::ndarray<nb::numpy, double, nb::ndim<2>>;

// An interrupt that came before the scope did, which Python alone has seen.
struct NoPendingSignal {
    NoPendingSignal() {
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }
};

// Native work: other Python threads run meanwhile, and Ctrl-C reaches the kernels.
struct Unlocked {
    InterruptScope interrupts;
    NoPendingSignal none;
    nb::gil_scoped_release lock;
};

// A fresh (segments × columns) array which `fill(double*)` writes with the lock released.
template <class Fill>
Rows make_rows(std::size_t segments, std::size_t columns, Fill&& fill) {
    // Zeros that the system gives page by page, to whichever thread first writes there.
    std::unique_ptr<double, decltype(&std::free)> data(
        static_cast<double*>(
            std::calloc(std::max<std::size_t>(1, segments * columns), sizeof(double))),
        &std::free);
    if (!data) throw std::bad_alloc();
    {
        const Unlocked unlocked;
        fill(data.get());
    }
    nb::capsule owner(data.get(), [](void* p) noexcept { std::free(p); });
    return Rows(data.release(), {segments, columns}, owner);
}

inline void check_equal_sizes(const Texts& hypotheses, std::size_t references) {
    if (hypotheses.size() != references) {
        throw std::invalid_argument("hypotheses: " + std::to_string(hypotheses.size()) +
                                    " segments, expected " + std::to_string(references) +
                                    " (references)");
    }
}

inline void check_sizes(const Texts& hypotheses, const References& references) {
    check_equal_sizes(hypotheses, references.size());
}

// Statistics of a kernel(segment, index, row); `make_kernel()` is called once per thread.
template <class MakeKernel>
Rows indexed_rows(const Texts& hypotheses, const References& references, std::size_t columns,
                  MakeKernel&& make_kernel) {
    check_sizes(hypotheses, references);
    return make_rows(hypotheses.size(), columns, [&](double* rows) {
        for_each_segment(hypotheses, references, columns, rows, make_kernel);
    });
}

// The same for a kernel(segment, row) to which all segments are alike.
template <class MakeKernel>
Rows segment_rows(const Texts& hypotheses, const References& references, std::size_t columns,
                  MakeKernel&& make_kernel) {
    return indexed_rows(hypotheses, references, columns, [&] {
        return [kernel = make_kernel()](const Segment& segment, std::size_t, double* row) mutable {
            kernel(segment, row);
        };
    });
}

inline void check_index(std::size_t index, std::size_t size) {
    if (index >= size) throw nb::index_error("segment index out of range");
}

// One segment as a kernel sees it, as long as this lives.
class OneSegment {
  public:
    OneSegment(const Texts& hypotheses, const References& references, std::size_t index)
        : interner_(references) {
        check_sizes(hypotheses, references);
        check_index(index, hypotheses.size());
        segment_ = interner_.segment(hypotheses[index], index);
    }
    const Segment* operator->() const { return &segment_; }

  private:
    Interner interner_;
    Segment segment_;
};

// One letter per step: '=' match, 'S' substitution, 'I' insertion, 'D' deletion.
inline constexpr char move_letters[] = {'=', 'S', 'I', 'D'};

void bind_text(nb::module_& module);
void bind_arrow(nb::module_& module);
void bind_bleu(nb::module_& module);
void bind_error_rates(nb::module_& module);
void bind_ter(nb::module_& module);
void bind_ter_pairs(nb::module_& module);
void bind_terp(nb::module_& module);
void bind_nist(nb::module_& module);
void bind_grr(nb::module_& module);
void bind_gtm(nb::module_& module);
void bind_rouge(nb::module_& module);
void bind_ribes(nb::module_& module);
void bind_chrf(nb::module_& module);
void bind_amber(nb::module_& module);
void bind_inference(nb::module_& module);
void bind_meteor(nb::module_& module);
void bind_oracle(nb::module_& module);
void bind_tune(nb::module_& module);
void bind_mbr(nb::module_& module);
void bind_meta(nb::module_& module);
void bind_matching(nb::module_& module);
void bind_audit(nb::module_& module);
void bind_compare(nb::module_& module);

}  // namespace tertium::bindings
