// Runs cases that are kept, built with any compiler: replay TARGET FILE, where a line of the file
// is a case in hexadecimal digits. Without arguments, lists all targets.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "fuzz/target.hpp"

namespace {

using namespace tertium::fuzz;

int run_file(const Target& target, const char* path) {
    std::ifstream file(path);
    if (!file) {
        std::fprintf(stderr, "%s: cannot be read\n", path);
        return 2;
    }
    int cases = 0;
    for (std::string line; std::getline(file, line); ++cases) {
        std::vector<std::uint8_t> bytes;
        for (std::size_t i = 0; i + 1 < line.size(); i += 2) {
            bytes.push_back(static_cast<std::uint8_t>(std::stoul(line.substr(i, 2), nullptr, 16)));
        }
        Input input(bytes.data(), bytes.size());
        target.run(input);
    }
    std::printf("%d cases\n", cases);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        for (const Target& target : all_targets()) std::puts(target.name);
        return 0;
    }
    for (const Target& target : all_targets()) {
        if (std::strcmp(target.name, argv[1]) == 0) return run_file(target, argv[2]);
    }
    std::fprintf(stderr, "%s: no such target\n", argv[1]);
    return 2;
}
