// Runs cases without libFuzzer, built with any compiler:
//   replay                          lists all targets
//   replay TARGET FILE              runs the cases of a file, a line of hexadecimal digits each
//   replay TARGET FILE RUNS SEED    … and then so many cases that are made up from them
//   replay TARGET FILE memory MOST  … again and again, while the n-th request for memory fails, for
//                                   MOST values of n in a case (0: for all)
// The case that ends the program is written to standard error, as a line for the file.
#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "fuzz/made_up.hpp"
#include "fuzz/target.hpp"

namespace {

// Requests for memory, of which one fails, or that one and all later ones.
struct Memory {
    std::size_t requests = 0;
    std::size_t failing = 0;  // the number of the first that fails, from 1; 0: none
    bool persistent = false;
    std::size_t failed = 0;
    std::ptrdiff_t held = 0;  // blocks that were not given back

    void* given(std::size_t size, std::size_t alignment) {
        ++requests;
        if (failing != 0 && (requests == failing || (persistent && requests > failing))) {
            ++failed;
            throw std::bad_alloc();
        }
        void* const block =
            alignment > alignof(std::max_align_t)
                ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)
                : std::malloc(std::max<std::size_t>(size, 1));
        if (block == nullptr) throw std::bad_alloc();
        ++held;
        return block;
    }
    void taken_back(void* block) {
        if (block != nullptr) --held;
        std::free(block);
    }
};

Memory memory;

}  // namespace

// All others of the standard library call these.
void* operator new(std::size_t size) {
    return memory.given(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return memory.given(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept {
    memory.taken_back(block);
}
void operator delete(void* block, std::size_t) noexcept {
    memory.taken_back(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
    memory.taken_back(block);
}
void operator delete(void* block, std::size_t, std::align_val_t) noexcept {
    memory.taken_back(block);
}

namespace {

using namespace tertium::fuzz;

const Case* running = nullptr;

// What was run is known in any case: memory may be broken, but not that of the case.
extern "C" void tell_case(int number) {
    if (running != nullptr) {
        for (const std::uint8_t byte : *running) std::fprintf(stderr, "%02x", byte);
        std::fputc('\n', stderr);
    }
    std::signal(number, SIG_DFL);
    std::raise(number);
}

void run(const Target& target, const Case& bytes) {
    running = &bytes;
    Input input(bytes.data(), bytes.size());
    target.run(input);
    running = nullptr;
}

std::vector<Case> read_cases(std::ifstream& file) {
    std::vector<Case> cases;
    for (std::string line; std::getline(file, line);) {
        Case& bytes = cases.emplace_back();
        for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
            bytes.push_back(static_cast<std::uint8_t>(std::stoul(line.substr(i, 2), nullptr, 16)));
        }
    }
    return cases;
}

// Runs a case in which requests for memory fail. What is thrown for want of memory comes out of the
// core; whatever else happens ends the program.
std::size_t run_short(const Target& target, const Case& bytes, std::size_t failing,
                      bool persistent) {
    memory.requests = memory.failed = 0;
    memory.failing = failing;
    memory.persistent = persistent;
    try {
        run(target, bytes);
    } catch (const std::bad_alloc&) {
    }
    memory.failing = 0;
    return memory.failed;
}

int run_short_of_memory(const Target& target, const std::vector<Case>& cases, std::size_t most) {
    std::size_t tried = 0;
    for (const Case& one : cases) {
        run(target, one);  // what is made once and kept is there
        const std::ptrdiff_t held = memory.held;
        memory.requests = 0;
        run(target, one);
        const std::size_t requests = memory.requests;
        const std::size_t step = most == 0 ? 1 : std::max<std::size_t>(1, requests / most);
        for (const bool persistent : {false, true}) {
            for (std::size_t n = 1; n <= requests; n += step) {
                tried += run_short(target, one, n, persistent) != 0;
            }
        }
        run(target, one);  // as well as before
        if (memory.held > held) {
            std::fprintf(stderr, "%td blocks of memory were not given back\n", memory.held - held);
            running = &one;
            std::abort();
        }
    }
    std::printf("%s: %zu requests for memory failed\n", target.name, tried);
    return 0;
}

int run_all(const Target& target, const std::vector<Case>& cases, std::size_t runs,
            std::uint64_t seed) {
    for (const Case& one : cases) run(target, one);
    std::printf("%zu cases\n", cases.size());
    if (runs == 0) return 0;
    MadeUpCases made_up(cases, seed);
    for (std::size_t i = 0; i < runs; ++i) run(target, made_up.next());
    std::printf("%zu made up\n", runs);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3 && argc != 5) {
        for (const Target& target : all_targets()) std::puts(target.name);
        return 0;
    }
    tertium::core::set_worker_count(1);  // cases are small
    for (const int number : {SIGABRT, SIGSEGV, SIGFPE, SIGILL}) std::signal(number, tell_case);
    std::ifstream file(argv[2]);
    if (!file) {
        std::fprintf(stderr, "%s: cannot be read\n", argv[2]);
        return 2;
    }
    const std::vector<Case> cases = read_cases(file);
    for (const Target& target : all_targets()) {
        if (std::strcmp(target.name, argv[1]) != 0) continue;
        if (argc == 3) return run_all(target, cases, 0, 0);
        if (std::strcmp(argv[3], "memory") == 0) {
            return run_short_of_memory(target, cases, std::stoul(argv[4]));
        }
        return run_all(target, cases, std::stoul(argv[3]), std::stoull(argv[4]));
    }
    std::fprintf(stderr, "%s: no such target\n", argv[1]);
    return 2;
}
