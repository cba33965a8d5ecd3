#include "core/interrupt.hpp"

#include <csignal>
#include <cstddef>
#include <mutex>

namespace tertium::core {
namespace {

std::mutex guard;
std::size_t scopes = 0;  // those alive
bool all_endings = false;

#ifdef _WIN32
using Action = void (*)(int);
Action action_function(Action action) {
    return action;
}
#else
using Action = struct sigaction;
void (*action_function(const Action& action))(int) {
    return action.sa_handler;
}
#endif

// Written before the handler is installed, read by it.
struct Watched {
    int number;
    Action previous{};
    bool installed = false;
};
Watched watched[] = {
    {SIGINT},
    {SIGTERM},
#ifdef SIGHUP
    {SIGHUP},
#endif
};

extern "C" void request_interrupt(int number) {
    detail::interrupt_requested.store(true, std::memory_order_relaxed);
    for (const Watched& one : watched) {
        if (one.number == number) return action_function(one.previous)(number);
    }
}

void install(Watched& one) {
#ifdef _WIN32
    one.previous = std::signal(one.number, SIG_IGN);
    one.installed = one.previous != SIG_DFL && one.previous != SIG_IGN && one.previous != SIG_ERR;
    std::signal(one.number, one.installed ? request_interrupt : one.previous);
#else
    const Action& previous = one.previous;
    one.installed = sigaction(one.number, nullptr, &one.previous) == 0 &&
                    !(previous.sa_flags & SA_SIGINFO) && previous.sa_handler != SIG_DFL &&
                    previous.sa_handler != SIG_IGN;
    if (!one.installed) return;
    Action ours = previous;
    ours.sa_handler = request_interrupt;
    one.installed = sigaction(one.number, &ours, nullptr) == 0;
#endif
}

// Leaves alone what somebody else has put in place meanwhile.
void restore(Watched& one) {
    if (!one.installed) return;
#ifdef _WIN32
    const Action found = std::signal(one.number, one.previous);
    if (found != request_interrupt) std::signal(one.number, found);
#else
    Action found;
    if (sigaction(one.number, nullptr, &found) == 0 && found.sa_handler == request_interrupt) {
        sigaction(one.number, &one.previous, nullptr);
    }
#endif
    one.installed = false;
}

}  // namespace

void heed_endings() {
    const std::lock_guard lock(guard);
    all_endings = true;
}

InterruptScope::InterruptScope() {
    const std::lock_guard lock(guard);
    if (scopes++ > 0) return;
    for (Watched& one : watched) {
        if (one.number == SIGINT || all_endings) install(one);
    }
}

InterruptScope::~InterruptScope() {
    const std::lock_guard lock(guard);
    if (--scopes > 0) return;
    for (Watched& one : watched) restore(one);
    detail::interrupt_requested = false;  // work outside of any scope was never asked to end
}

}  // namespace tertium::core
