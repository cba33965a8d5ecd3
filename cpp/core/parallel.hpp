// Work on segments in parallel: threads take blocks of indices until none are left.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "core/interrupt.hpp"

namespace tertium::core {

// What `set_worker_count` said last, else TERTIUM_THREADS when set to a positive number, else the
// processors this process may use.
unsigned worker_count();

// How many threads work from now on, at most 1024; 0 leaves it to the environment again.
void set_worker_count(unsigned count);

// Calls worker(begin, end) for blocks of [0, count). `make_worker` is called once per thread,
// so that a worker can own scratch memory. The first exception stops the work and is rethrown; so
// does an interrupt (interrupt.hpp), asked for before each block. Where the system gives no more
// threads, fewer work.
template <class MakeWorker>
void for_each_block(std::size_t count, std::size_t block, MakeWorker&& make_worker) {
    const std::size_t blocks = (count + block - 1) / block;
    const std::size_t threads = std::min<std::size_t>(worker_count(), blocks);
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_guard;
    const auto run = [&] {
        try {
            auto worker = make_worker();
            for (std::size_t b = next++; b < blocks; b = next++) {
                check_interrupt();
                worker(b * block, std::min(count, (b + 1) * block));
            }
        } catch (...) {
            const std::lock_guard lock(failure_guard);
            if (!failure) failure = std::current_exception();
            next = blocks;
        }
    };
    std::vector<std::jthread> pool;
    try {
        for (std::size_t t = 1; t < threads; ++t) pool.emplace_back(run);
    } catch (const std::system_error&) {  // the system gives no more: those that run do the work
    }
    run();
    pool.clear();  // joins
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tertium::core
