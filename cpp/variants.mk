# Builds of the core that no user gets: fuzzed, sanitized, for another processor. No Python takes part.
#   make -C cpp -f variants.mk OUT=../build/fuzz CXX=clang++ FLAGS='-O1 -fsanitize=…' fuzz
OUT ?= ../build/variant
FLAGS ?= -O1
LINK ?=
FUZZER ?= $(OUT)/driver.o
# A library of the core that is built already will do, if nothing is to be sanitized.
CORE ?= $(OUT)/core.a
WARNINGS ?= -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Werror
# The tables of Unicode, which compilers make, take more steps than they allow themselves; GCC's only
# where bounds are checked.
STEPS := $(if $(findstring clang,$(CXX)),-fconstexpr-steps=100000000,-fconstexpr-ops-limit=500000000)
ALL_FLAGS := -std=c++20 $(STEPS) -pthread -ffp-contract=off -I. $(WARNINGS) $(FLAGS)

everything := $(shell find . -name '*.cpp' -not -path './bindings/*' | sort)
tests := $(filter ./tests/%,$(everything))
drivers := $(wildcard ./fuzz/*.cpp ./portable/*.cpp)
targets := $(filter-out $(drivers),$(filter ./fuzz/%,$(everything)))
core := $(filter-out $(tests) $(targets) $(drivers),$(everything))
objects = $(patsubst ./%.cpp,$(OUT)/%.o,$(1))

.PHONY: fuzz
.SECONDARY:

fuzz: $(patsubst ./fuzz/%.cpp,$(OUT)/bin/%,$(targets))

$(OUT)/bin/%: $(OUT)/fuzz/%.o $(OUT)/fuzz/libfuzzer.o $(CORE) $(FUZZER)
	@mkdir -p $(@D)
	$(CXX) $(ALL_FLAGS) $^ $(LINK) -o $@

# libFuzzer has vectors of the standard library compiled into it, which no sanitizer looks at. They
# are made its own, or the linker would take them for ours.
$(OUT)/driver.o:
	$(LD) -r --force-group-allocation -o $@ --whole-archive \
		$$($(CXX) -print-file-name=libclang_rt.fuzzer-$$(uname -m).a)
	objcopy --wildcard --localize-symbol='_ZNSt*' --localize-symbol='_ZNKSt*' \
		--localize-symbol='_ZSt*' $@

# All targets in one program, which is given cases instead of making them up.
$(OUT)/replay: $(call objects,$(targets)) $(OUT)/fuzz/replay.o $(CORE)
	$(CXX) $(ALL_FLAGS) $^ $(LINK) -o $@

$(OUT)/unit-tests: $(call objects,$(tests)) $(CORE)
	$(CXX) $(ALL_FLAGS) $^ $(LINK) -o $@

$(OUT)/digests: $(OUT)/portable/main.o $(CORE)
	$(CXX) $(ALL_FLAGS) $^ $(LINK) -o $@

# One kernel at a time, for tools/instructions.py.
$(OUT)/instructions: $(OUT)/portable/instructions.o $(CORE)
	$(CXX) $(ALL_FLAGS) $^ $(LINK) -o $@

$(OUT)/core.a: $(call objects,$(core))
	rm -f $@
	$(AR) rcs $@ $^

# What was compiled by another compiler or with other flags is compiled again.
said := $(shell mkdir -p $(OUT) && echo '$(CXX) $(ALL_FLAGS)' >$(OUT)/asked \
	&& { cmp -s $(OUT)/asked $(OUT)/flags || cp $(OUT)/asked $(OUT)/flags; })

$(OUT)/%.o: %.cpp $(OUT)/flags
	@mkdir -p $(@D)
	$(CXX) $(ALL_FLAGS) -MMD -MP -c $< -o $@

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
