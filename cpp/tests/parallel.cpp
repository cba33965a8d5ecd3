#include "core/parallel.hpp"

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/check.hpp"

namespace tertium::tests {
namespace {

// Every index of [0, count) exactly once, in blocks of the size asked for.
void check_blocks(std::size_t count, std::size_t block) {
    std::vector<std::atomic<int>> visits(count);
    std::atomic<std::size_t> workers{0};
    std::atomic<bool> odd{false};
    core::for_each_block(count, block, [&] {
        ++workers;
        return [&](std::size_t begin, std::size_t end) {
            const bool last = end == count;
            if (begin % block != 0 || begin >= end || (!last && end != begin + block)) odd = true;
            for (std::size_t i = begin; i < end; ++i) ++visits[i];
        };
    });
    CHECK(!odd);
    for (std::size_t i = 0; i < count; ++i) CHECK_EQUAL(visits[i].load(), 1);
    const std::size_t blocks = (count + block - 1) / block;
    CHECK(workers <= std::max<std::size_t>(1, std::min<std::size_t>(core::worker_count(), blocks)));
}

}  // namespace

TEST(every_index_is_visited_once) {
    for (const unsigned threads : {1u, 2u, 7u}) {
        core::set_worker_count(threads);
        for (const std::size_t count : {0u, 1u, 2u, 63u, 64u, 65u, 1000u}) {
            for (const std::size_t block : {1u, 3u, 64u, 5000u}) check_blocks(count, block);
        }
    }
    core::set_worker_count(0);
}

TEST(a_worker_is_one_threads_own) {
    core::set_worker_count(4);
    std::mutex guard;
    std::set<std::thread::id> threads;
    std::atomic<bool> moved{false};
    core::for_each_block(200, 1, [&] {
        return [&, home = std::this_thread::get_id()](std::size_t, std::size_t) {
            if (home != std::this_thread::get_id()) moved = true;
            const std::lock_guard lock(guard);
            threads.insert(home);
        };
    });
    CHECK(!moved);
    CHECK(threads.size() >= 1 && threads.size() <= 4);
    core::set_worker_count(0);
}

TEST(the_first_failure_ends_the_work_and_comes_back) {
    for (const unsigned threads : {1u, 4u}) {
        core::set_worker_count(threads);
        std::atomic<int> blocks{0};
        bool caught = false;
        try {
            core::for_each_block(100000, 1, [&] {
                return [&](std::size_t begin, std::size_t) {
                    ++blocks;
                    if (begin == 10) throw std::invalid_argument("ten");
                    // So slow that the one which throws has its turn long before the end.
                    if (begin > 10) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                };
            });
        } catch (const std::invalid_argument& error) {
            caught = std::string(error.what()) == "ten";
        }
        CHECK(caught);
        CHECK(blocks < 100000);
    }
    core::set_worker_count(0);
}

TEST(a_failure_to_make_a_worker_comes_back_too) {
    bool caught = false;
    try {
        core::for_each_block(10, 1, []() -> void (*)(std::size_t, std::size_t) {
            throw std::length_error("no worker");
        });
    } catch (const std::length_error&) {
        caught = true;
    }
    CHECK(caught);
}

TEST(workers_are_as_many_as_asked_for) {
    core::set_worker_count(3);
    CHECK_EQUAL(core::worker_count(), 3u);
    core::set_worker_count(100000);
    CHECK_EQUAL(core::worker_count(), 1024u);
    core::set_worker_count(0);
    CHECK(core::worker_count() >= 1);
}

}  // namespace tertium::tests
