// Ctrl-C during native work: kernels whose work grows faster than their input ask from time to
// time whether the user still wants the answer.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>

namespace tertium::core {

// Thrown by `check_interrupt`; whoever called the kernel says what it means.
struct Interrupted : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

namespace detail {
inline std::atomic<bool> interrupt_requested{false};
}

// Costs one load: cheap enough for every row of a table, not for every cell.
inline void check_interrupt() {
    if (detail::interrupt_requested.load(std::memory_order_relaxed)) throw Interrupted{};
}

// The same for a loop of many cheap steps, such as one over all words of a text: asked in every
// 65536th.
inline void check_interrupt_at(std::size_t step) {
    if ((step & 0xFFFF) == 0) check_interrupt();
}

// From now on whatever asks the program to end (SIGTERM, SIGHUP) counts like an interrupt, as far
// as the program handles it. It is for a program whose handlers do end it.
void heed_endings();

// While one of these lives, an interrupt signal is seen by `check_interrupt`, and by whoever
// handled it before. Programs that ignore the signal, or let it end them, are left alone. Scopes
// may overlap, on any threads.
class InterruptScope {
  public:
    InterruptScope();
    ~InterruptScope();
    InterruptScope(const InterruptScope&) = delete;
    InterruptScope& operator=(const InterruptScope&) = delete;
};

}  // namespace tertium::core
