// As much of a test framework as these tests need.
#pragma once

#include <exception>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tertium::tests {

struct Test {
    const char* name;
    void (*run)();
};

// All tests of the program, in the order of files and lines.
inline std::vector<Test>& all_tests() {
    static std::vector<Test> tests;
    return tests;
}

struct Registered {
    Registered(const char* name, void (*run)()) { all_tests().push_back({name, run}); }
};

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class Value, class Expected>
void check_equal(const Value& value, const Expected& expected, const char* text, int line) {
    if (value == expected) return;
    std::ostringstream message;
    message << "line " << line << ": " << text << " is " << value << ", expected " << expected;
    throw Failure(message.str());
}

}  // namespace tertium::tests

#define TEST(name)                                                    \
    static void name();                                               \
    static const tertium::tests::Registered name##_test{#name, name}; \
    static void name()

#define CHECK_EQUAL(value, expected) \
    tertium::tests::check_equal((value), (expected), #value, __LINE__)

#define CHECK(condition) CHECK_EQUAL(static_cast<bool>(condition), true)
