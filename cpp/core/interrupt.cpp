#include "core/interrupt.hpp"

#include <csignal>
#include <cstddef>
#include <mutex>

namespace tertium::core {
namespace {

std::mutex guard;
std::size_t scopes = 0;  // those alive

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
Action previous{};
bool installed = false;

extern "C" void request_interrupt(int number) {
    detail::interrupt_requested.store(true, std::memory_order_relaxed);
    action_function(previous)(number);
}

void install() {
#ifdef _WIN32
    previous = std::signal(SIGINT, SIG_IGN);
    installed = previous != SIG_DFL && previous != SIG_IGN && previous != SIG_ERR;
    std::signal(SIGINT, installed ? request_interrupt : previous);
#else
    installed = sigaction(SIGINT, nullptr, &previous) == 0 && !(previous.sa_flags & SA_SIGINFO) &&
                previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN;
    if (!installed) return;
    Action ours = previous;
    ours.sa_handler = request_interrupt;
    installed = sigaction(SIGINT, &ours, nullptr) == 0;
#endif
}

// Leaves alone what somebody else has put in place meanwhile.
void restore() {
    if (!installed) return;
#ifdef _WIN32
    const Action found = std::signal(SIGINT, previous);
    if (found != request_interrupt) std::signal(SIGINT, found);
#else
    Action found;
    if (sigaction(SIGINT, nullptr, &found) == 0 && found.sa_handler == request_interrupt) {
        sigaction(SIGINT, &previous, nullptr);
    }
#endif
    installed = false;
}

}  // namespace

InterruptScope::InterruptScope() {
    const std::lock_guard lock(guard);
    if (scopes++ == 0) install();
}

InterruptScope::~InterruptScope() {
    const std::lock_guard lock(guard);
    if (--scopes > 0) return;
    restore();
    detail::interrupt_requested = false;  // work outside of any scope was never asked to end
}

}  // namespace tertium::core
