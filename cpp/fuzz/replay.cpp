// Runs cases without libFuzzer, built with any compiler:
//   replay                          lists all targets
//   replay TARGET FILE              runs the cases of a file, a line of hexadecimal digits each
//   replay TARGET FILE RUNS SEED    … and then so many cases that are made up from them
// The case that ends the program is written to standard error, as a line for the file.
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "fuzz/made_up.hpp"
#include "fuzz/target.hpp"

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

int run_all(const Target& target, const char* path, std::size_t runs, std::uint64_t seed) {
    std::ifstream file(path);
    if (!file) {
        std::fprintf(stderr, "%s: cannot be read\n", path);
        return 2;
    }
    const std::vector<Case> cases = read_cases(file);
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
    const std::size_t runs = argc == 5 ? std::stoul(argv[3]) : 0;
    const std::uint64_t seed = argc == 5 ? std::stoull(argv[4]) : 0;
    for (const Target& target : all_targets()) {
        if (std::strcmp(target.name, argv[1]) == 0) return run_all(target, argv[2], runs, seed);
    }
    std::fprintf(stderr, "%s: no such target\n", argv[1]);
    return 2;
}
