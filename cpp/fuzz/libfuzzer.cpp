// The entry of libFuzzer: the program's only target.
#include "core/parallel.hpp"
#include "fuzz/target.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    // Cases are small, and threads would only hide what a case covers.
    tertium::core::set_worker_count(1);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tertium::fuzz::Input input(data, size);
    tertium::fuzz::all_targets().front().run(input);
    return 0;
}
