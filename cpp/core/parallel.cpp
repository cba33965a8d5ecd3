#include "core/parallel.hpp"

#include <cstdlib>
#ifdef __linux__
#include <sched.h>
#endif

namespace tertium::core {

namespace {
constexpr unsigned most_workers = 1024;
std::atomic<unsigned> wanted_workers{0};
}  // namespace

void set_worker_count(unsigned count) {
    wanted_workers = std::min(count, most_workers);
}

unsigned worker_count() {
    if (const unsigned wanted = wanted_workers) return wanted;
    if (const char* wanted = std::getenv("TERTIUM_THREADS")) {
        const long threads = std::strtol(wanted, nullptr, 10);
        if (threads > 0) return static_cast<unsigned>(std::min<long>(threads, most_workers));
    }
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        return static_cast<unsigned>(std::max(1, CPU_COUNT(&allowed)));
    }
#endif
    return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace tertium::core
