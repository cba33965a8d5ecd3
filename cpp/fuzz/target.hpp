// A target is what is run on arbitrary bytes: it must end, stay within memory, and keep what it
// promises. `make fuzz` lets libFuzzer make up the bytes, one program for each target; replay.cpp
// holds all of them and reads cases from files.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "fuzz/input.hpp"

namespace tertium::fuzz {

struct Target {
    const char* name;
    void (*run)(Input&);
};

inline std::vector<Target>& all_targets() {
    static std::vector<Target> targets;
    return targets;
}

struct Registered {
    Registered(const char* name, void (*run)(Input&)) { all_targets().push_back({name, run}); }
};

// Ends the program, so that libFuzzer keeps the case.
inline void expect(bool holds, const char* text, const char* file, int line) {
    if (holds) return;
    std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, text);
    std::abort();
}

}  // namespace tertium::fuzz

#define FUZZ_TARGET(name)                                               \
    static void name(tertium::fuzz::Input& input);                      \
    static const tertium::fuzz::Registered name##_target{#name, &name}; \
    static void name([[maybe_unused]] tertium::fuzz::Input& input)

#define EXPECT(condition) \
    tertium::fuzz::expect(static_cast<bool>(condition), #condition, __FILE__, __LINE__)
