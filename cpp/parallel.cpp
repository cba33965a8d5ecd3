#include "parallel.hpp"

#include <cstdlib>
#ifdef __linux__
#include <sched.h>
#endif

namespace tertium {

unsigned worker_count() {
    if (const char* wanted = std::getenv("TERTIUM_THREADS")) {
        const long threads = std::strtol(wanted, nullptr, 10);
        if (threads > 0) return static_cast<unsigned>(std::min(threads, 1024L));
    }
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        return std::max(1, CPU_COUNT(&allowed));
    }
#endif
    return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace tertium
