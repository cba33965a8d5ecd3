#include "bindings/convert.hpp"

NB_MODULE(_native, module) {
    // Tables that Python caches live as long as the process; that is no leak.
    nanobind::set_leak_warnings(false);
    // Python's own handler has the first word: it knows what the program wants of the signal.
    nanobind::register_exception_translator([](const std::exception_ptr& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (const tertium::core::Interrupted&) {
            if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
        }
    });
    module.doc() = "The native core of tertium: text, tokens and metric statistics.";
    module.def(
        "heed_endings", &tertium::core::heed_endings,
        "Let SIGTERM and SIGHUP end native work like Ctrl-C, where the program handles them.");
    tertium::bindings::bind_text(module);
    tertium::bindings::bind_arrow(module);
    tertium::bindings::bind_bleu(module);
    tertium::bindings::bind_error_rates(module);
    tertium::bindings::bind_grr(module);
    tertium::bindings::bind_ter(module);
    tertium::bindings::bind_ter_pairs(module);
    tertium::bindings::bind_terp(module);
    tertium::bindings::bind_nist(module);
    tertium::bindings::bind_gtm(module);
    tertium::bindings::bind_matching(module);
    tertium::bindings::bind_rouge(module);
    tertium::bindings::bind_ribes(module);
    tertium::bindings::bind_chrf(module);
    tertium::bindings::bind_amber(module);
    tertium::bindings::bind_inference(module);
    tertium::bindings::bind_meteor(module);
    tertium::bindings::bind_oracle(module);
    tertium::bindings::bind_tune(module);
    tertium::bindings::bind_mbr(module);
    tertium::bindings::bind_meta(module);
    tertium::bindings::bind_audit(module);
    tertium::bindings::bind_compare(module);
}
