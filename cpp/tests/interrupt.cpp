#include "core/interrupt.hpp"

#include <atomic>
#include <csignal>

#include "core/parallel.hpp"
#include "tests/check.hpp"

namespace tertium::tests {
namespace {

std::atomic<int> handled{0};

extern "C" void count_signal(int) {
    ++handled;
}

bool interrupted() {
    try {
        core::check_interrupt();
    } catch (const core::Interrupted&) {
        return true;
    }
    return false;
}

}  // namespace

TEST(an_interrupt_is_seen_by_kernels_and_by_the_handler_before) {
    std::signal(SIGINT, count_signal);
    const int before = handled;
    {
        const core::InterruptScope scope;
        CHECK(!interrupted());
        std::raise(SIGINT);
        CHECK_EQUAL(handled.load(), before + 1);
        CHECK(interrupted());
        CHECK(interrupted());  // until the work has ended
    }
    CHECK(!interrupted());
    const core::InterruptScope next;
    CHECK(!interrupted());
    std::signal(SIGINT, SIG_DFL);
}

TEST(without_a_scope_the_signal_is_the_programs_own) {
    std::signal(SIGINT, count_signal);
    {
        const core::InterruptScope scope;
    }
    const int before = handled;
    std::raise(SIGINT);
    CHECK_EQUAL(handled.load(), before + 1);
    const core::InterruptScope scope;
    CHECK(!interrupted());
    std::signal(SIGINT, SIG_DFL);
}

TEST(scopes_may_overlap) {
    std::signal(SIGINT, count_signal);
    {
        const core::InterruptScope outer;
        {
            const core::InterruptScope inner;
        }
        std::raise(SIGINT);
        CHECK(interrupted());
        const core::InterruptScope late;  // the work around it is still to end
        CHECK(interrupted());
    }
    std::signal(SIGINT, SIG_DFL);
}

TEST(a_program_that_ignores_the_signal_is_left_alone) {
    std::signal(SIGINT, SIG_IGN);
    {
        const core::InterruptScope scope;
        std::raise(SIGINT);
        CHECK(!interrupted());
    }
    CHECK(std::signal(SIGINT, SIG_DFL) == SIG_IGN);
}

TEST(an_interrupt_ends_a_parallel_loop) {
    std::signal(SIGINT, count_signal);
    for (const unsigned threads : {1u, 3u}) {
        core::set_worker_count(threads);
        const core::InterruptScope scope;
        std::atomic<int> blocks{0};
        bool stopped = false;
        try {
            core::for_each_block(100000, 1, [&] {
                return [&](std::size_t begin, std::size_t) {
                    ++blocks;
                    if (begin == 5) std::raise(SIGINT);
                };
            });
        } catch (const core::Interrupted&) {
            stopped = true;
        }
        CHECK(stopped);
        CHECK(blocks < 100000);
    }
    core::set_worker_count(0);
    std::signal(SIGINT, SIG_DFL);
}

}  // namespace tertium::tests
