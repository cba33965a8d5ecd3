// Runs the tests that are named, or all; exits with the number of those that fail.
#include <cstring>
#include <iostream>

#include "tests/check.hpp"

int main(int count, char** words) {
    const auto wanted = [&](const char* name) {
        for (int i = 1; i < count; ++i) {
            if (std::strcmp(words[i], name) == 0) return true;
        }
        return count == 1;
    };
    int ran = 0;
    int failed = 0;
    for (const tertium::tests::Test& test : tertium::tests::all_tests()) {
        if (!wanted(test.name)) continue;
        ++ran;
        try {
            test.run();
        } catch (const std::exception& failure) {
            ++failed;
            std::cout << test.name << ": " << failure.what() << '\n';
        }
    }
    std::cout << ran << " ran, " << failed << " failed\n";
    return failed > 0 || ran == 0 ? 1 : 0;
}
