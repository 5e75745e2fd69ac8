# throng: one target a job. `make run` and `make test` work from nothing on Debian 12.

# --- settings -----------------------------------------------------------------------------
CC       = gcc
NVCC     = nvcc
OPTIMISE = -O2 -g
# Kernels for this machine's devices (sm_90 where none is) and, for others from sm_75 on, PTX, which their drivers compile
# when it is first used. Looked for once, when kernels are compiled. For measuring on one machine: make CUDA_ARCH=-arch=sm_90
CUDA_ARCH = $(eval CUDA_ARCH := $(foreach d,$(DEVICES:sm_%=%),-gencode arch=compute_$d,code=sm_$d) \
            -gencode arch=compute_75,code=compute_75)$(CUDA_ARCH)
DEVICES   = $(or $(filter $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | \
            sed 's/^/sm_/; s/\.//'),$(shell $(NVCC) --list-gpu-code)),sm_90)
# Those of `make dist`: everything down to sm_75, PTX for what comes. They take twice as long to compile.
DIST_ARCH = -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80 \
            -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90

# The same bits everywhere: no contraction, no -ffast-math, correctly rounded division and square root. gcc 12 takes
# (double)(float)x for x where it makes vectors of two such numbers.
EXACT      = -ffp-contract=off -fno-math-errno -fno-tree-slp-vectorize
# Everything may go into a shared library, and calls within a file stay calls within a file.
SHARED     = -fPIC -fno-semantic-interposition
CUDA_EXACT = -fmad=false -prec-div=true -prec-sqrt=true -ftz=false

comma := ,

# Headers are named from the root (kernels/lane/lane.h) or from runtime/ (map/map.h); those of the same folder by name alone.
INCLUDE  = -I. -Iruntime
WARNINGS = -Wall -Wextra -Wmissing-prototypes -Werror
CFLAGS   = -std=gnu17 $(EXACT) $(OPTIMISE) $(WARNINGS) $(SHARED) -D_GNU_SOURCE -MMD -MP $(INCLUDE) -I/usr/include/lua5.4 $(EXTRA)
WRAP     = $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc aligned_alloc strdup strndup free) # to runtime/base/memory.c
LIBRARIES = -llua5.4 -lgeos_c -lexpat -lsqlite3 -lstb -lchipmunk -ldl -lm -lpthread
LIBS     = $(WRAP) $(LIBRARIES)
PACKAGES = gcc g++ make liblua5.4-dev libgeos-dev libexpat1-dev libsqlite3-dev libstb-dev libchipmunk-dev libsdl2-dev libedit2 libnlopt0 lua-busted libcmocka-dev
TEST_PACKAGES = xvfb xdotool locales chromium python3-numpy lua5.4 libgdal32 # a display, a mouse and a keyboard; what locales are made of; a browser; drawings
TEST_PACKAGES += python3-nbclient python3-ipykernel python3-pandas # the notebook
TEST_PACKAGES += abigail-tools # what programs know of the library
TEST_PACKAGES += $(ROCK_PACKAGES)
ROCK_PACKAGES = luarocks
DEB_PACKAGES  = dpkg-dev chrpath
LINT_PACKAGES = clang-format cppcheck lua-check lua5.4 nodejs

B = build

# Of libthrong.so: another one when programs must be compiled again.
SOVERSION = 0

# To build on all processors, unless `make -j` says on how many.
JOBS = --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

# --- sources ------------------------------------------------------------------------------
VIEW    = $(wildcard runtime/view/*.c runtime/editor/editor_*.c)
MAIN    = runtime/command/main.c
RUNTIME = $(filter-out $(MAIN) $(VIEW),$(wildcard runtime/*/*.c))
KERNELS = $(filter-out %/cpu_lanes.c,$(wildcard kernels/cpu/*.c))
OBJECTS = $(foreach n,1 4 8 16 counted,$(B)/kernels/cpu/cpu_lanes_$(n).o) $(B)/kernels/cpu/cpu_paths_counted.o \
          $(KERNELS:%.c=$(B)/%.o) $(RUNTIME:%.c=$(B)/%.o)
UNIT    = $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/test_*.c))
HAVE_NVCC := $(shell command -v $(NVCC) 2>/dev/null)

.PHONY: all run test unit install install-only wheel wheel-only bench sanitize moving fuzz-api fuzz-windows tsan valgrind seams fuzz fresh lint format dist clean packages
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

all:
	@$(MAKE) $(JOBS) everything

.PHONY: everything # what takes longest first
everything: $(if $(HAVE_NVCC),$(B)/throng-cuda.so,no-cuda) $(B)/throng $(B)/libthrong.so.$(SOVERSION) $(B)/static/libthrong.a $(B)/module/throng.so docs view

# What editors and `throng help` read, and lua/reference.md, from the comments beside the bindings.
.PHONY: docs
docs: $(B)/throng
	$(B)/throng help --write lua $(wildcard runtime/script/bind_*.c runtime/script/script_*.c kernels/planners/*.h lua/throng/*.lua)

# Looked for now and not when make starts: `make run` may just have installed it.
.PHONY: no-cuda view
view:
	@if [ -e /usr/include/SDL2/SDL.h ]; then $(MAKE) $(JOBS) $(B)/throng-view.so; \
	else echo "no SDL2 found: building without throng view"; fi

no-cuda:
	@echo "no nvcc found: building without the CUDA backend"

# All of the library: what is loaded later may need any of it.
$(B)/throng: $(MAIN:%.c=$(B)/%.o) $(B)/libthrong.a
	$(CC) $(OPTIMISE) $(EXTRA) -rdynamic -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/lib' -o $@ $< \
	    -Wl,--whole-archive $(B)/libthrong.a -Wl,--no-whole-archive $(LIBS)

$(B)/libthrong.a: $(OBJECTS)
	@rm -f $@
	ar rcs $@ $^

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

$(B)/runtime/command/cli_info.o: LICENSE runtime/command/licences.txt
$(B)/runtime/report/report_template.o: $(wildcard runtime/report/page*)

# A thread beside the frame does these for every agent: vectors keep it in step.
$(foreach n,record_compact run_keep run_occupancy run_trajectories,$(B)/runtime/record/$(n).o): OPTIMISE += -O3

# Dense matrices, whose inner loops are over columns.
$(foreach n,field_fronts field_eliminate,$(B)/runtime/navigation/$(n).o): OPTIMISE += -O3

# One body, four widths.
LANES_1  =
LANES_4  =
LANES_8  = -mavx2
LANES_16 = -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512
# To track where variables are, for debuggers, took a third longer and leaves the code as it is.
# They have no doubles to round, and gain from vectors.
$(foreach n,1 4 8 16,$(B)/kernels/cpu/cpu_lanes_$(n).o): OPTIMISE += -O3 -fno-var-tracking -ftree-slp-vectorize
$(B)/kernels/cpu/cpu_lanes_%.o: kernels/cpu/cpu_lanes.c
	@mkdir -p $(@D)
	$(CC) $(filter-out $(if $(filter-out 1,$*),$(WIDE_WITHOUT)),$(CFLAGS)) -DTHRONG_LANES=$* $(LANES_$*) -c -o $@ $<

# The bodies with floats that count (kernels/cpu/cpu_counted.h), which takes C++. With few optimisations: -O2 took 40 s
# instead of 6, and counts no faster. Without sanitizers, with which compiling takes minutes: cpu_lanes_1 has the same
# bodies with them.
$(B)/kernels/cpu/cpu_lanes_counted.o $(B)/kernels/cpu/cpu_paths_counted.o: $(B)/kernels/cpu/%_counted.o: kernels/cpu/%.c kernels/cpu/cpu_counted.h
	@mkdir -p $(@D)
	g++ -std=c++20 -fpermissive -w -fno-exceptions -fno-rtti -Og -g -fno-var-tracking $(EXACT) $(SHARED) -D_GNU_SOURCE -MMD -MP $(INCLUDE) $(filter-out -fsanitize=%,$(EXTRA)) \
	    -DTHRONG_LANES=1 -DTHRONG_TABLE=counted -Dcpu_paths_run=cpu_paths_run_counted \
	    -Dcpu_paths_free=cpu_paths_free_counted -include kernels/cpu/cpu_counted.h -x c++ -c -o $@ $<

CUDA = $(patsubst %.cu,$(B)/%.o,$(wildcard kernels/cuda/*.cu))
$(B)/throng-cuda.so: $(CUDA) $(B)/runtime/base/error.o
	$(NVCC) -shared -cudart static -o $@ $^

$(B)/kernels/%.o: kernels/%.cu
	@mkdir -p $(@D)
	$(NVCC) -O3 -lineinfo -std=c++17 $(CUDA_ARCH) $(CUDA_EXACT) -Xcompiler -fPIC,-ffp-contract=off,-fvisibility=hidden \
	    $(INCLUDE) -MMD -MP -c -o $@ $<

# The viewer and the map maker alone need SDL2; everything else they take from the executable that loads them.
$(B)/throng-view.so: $(VIEW:%.c=$(B)/%.o)
	$(CC) $(OPTIMISE) $(EXTRA) -shared -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/lib' -o $@ $^ -lSDL2 -lm

# Without the bodies that count, which are a fifth of it, and which `throng bench` alone asks for.
LEAN  = $(addsuffix =0,$(addprefix -Wl$(comma)--defsym=,cpu_lanes_counted cpu_paths_run_counted cpu_paths_free_counted))
EMBED = $(patsubst %,$(B)/runtime/embed/%.o,sim build edit floors snapshot env events)
# The engine for other programs: what runtime/throng.h declares, and nothing else that it is made of.
$(B)/libthrong.so.$(SOVERSION): $(B)/libthrong.a runtime/embed/exports.map
	$(CC) $(OPTIMISE) $(EXTRA) -shared $(LEAN) -Wl,-soname,$(@F),--version-script=runtime/embed/exports.map,--no-undefined \
	    -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/lib' -o $@ \
	    $(EMBED) $< $(LIBS)
	ln -sf $(@F) $(B)/libthrong.so

# The same for programs that link it in: one object, and what is not declared there is its own.
$(B)/static/libthrong.a: $(B)/libthrong.a runtime/embed/exports.map
	@mkdir -p $(@D)
	$(CC) -r -nostdlib $(LEAN) $(WRAP) -o $(@D)/throng.o $(EMBED) $<
	sed -n 's/global://p' runtime/embed/exports.map | tr -d ' \n' | tr ';' '\n' >$(@D)/exports
	objcopy --strip-debug --wildcard --keep-global-symbols=$(@D)/exports $(@D)/throng.o
	@rm -f $@
	ar rcs $@ $(@D)/throng.o

# require "throng" in a Lua of another program's, whose Lua library it uses.
$(B)/module/throng.so: $(B)/libthrong.a runtime/embed/module.map
	@mkdir -p $(@D)
	$(CC) $(OPTIMISE) $(EXTRA) -shared $(LEAN) -Wl,--version-script=runtime/embed/module.map,--no-undefined \
	    -o $@ $(B)/runtime/script/script_guest.o $< $(LIBS)

# May programs go on with this library that were built with an older throng.h? ABI is what these know of it, to which
# abi-accept adds what is new. Where something is gone or changed they break: keep it, or raise SOVERSION and remove ABI.
# And the functions that API declares are those that the library shows: diff names the others.
API   = runtime/throng.h
ABI   = runtime/embed/abi.xml
ABIDW = abidw --exported-interfaces-only --drop-private-types --header-file runtime/throng.h --no-corpus-path \
        --no-show-locs --no-comp-dir-path --no-elf-needed --no-parameter-names --type-id-style hash
ABIDIFF = abidiff --suppressions runtime/embed/abi.ini
.PHONY: abi abi-only abi-accept
abi: all test-packages
	@$(MAKE) --no-print-directory abi-only
abi-only:
	@sed -n 's/^THRONG_API [^(]*[ *]\([a-z0-9_]*\)(.*/\1/p' $(API) | LC_ALL=C sort >$(B)/declared
	@nm -D --defined-only $(B)/libthrong.so.$(SOVERSION) | sed 's/.* //' | LC_ALL=C sort | diff -U0 $(B)/declared -
	@$(ABIDW) --out-file $(B)/abi.xml $(B)/libthrong.so.$(SOVERSION)
	@$(ABIDIFF) $(ABI) $(B)/abi.xml
abi-accept: all test-packages
	@$(ABIDW) --out-file $(B)/abi.xml $(B)/libthrong.so.$(SOVERSION)
	@[ ! -e $(ABI) ] || $(ABIDIFF) --no-added-syms $(ABI) $(B)/abi.xml
	@cp $(B)/abi.xml $(ABI)

# --- jobs ------------------------------------------------------------------------------------
.PHONY: hashes
hashes: $(B)/throng
	tests/hashes.sh $(B)/throng > $(B)/hashes.txt
	mv $(B)/hashes.txt tests/hashes.txt

.PHONY: pictures
pictures: all
	THRONG=$(B)/throng sh scenarios/pictures/draw.sh $(NAMES)

run: packages
	$(MAKE) $(JOBS) everything
	$(B)/throng run scenarios/evacuation.lua

test: test-packages
	$(MAKE) $(JOBS) unit
	tests/run.sh

# And are the fuzz targets still C? Only make fuzz builds them.
unit: all
	@$(MAKE) $(JOBS) $(UNIT)
	@$(CC) $(filter-out -MMD -MP,$(CFLAGS)) -fsyntax-only $(wildcard tests/fuzz/*.c)

# It interrupts.
$(B)/unit/test_failures: LINK = -Wl,--wrap=throng_given_up
# It finds halls too large.
$(B)/unit/test_field: LINK = -Wl,--wrap=throng_field_dissect
# It runs out of stacks.
$(B)/unit/test_fibers: LINK = -Wl,--wrap=mmap
$(B)/unit/%: tests/unit/%.c $(B)/libthrong.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $< $(B)/libthrong.a $(LINK) -lcmocka $(LIBS)

bench: packages
	$(MAKE) $(JOBS) everything
	$(B)/throng bench

# The tables and drawings of tests/people: crowds under all planners beside what was measured of people, SEEDS (default 5)
# seeds of each. About 25 minutes of one core, shared out among all there are; PLANNERS=orca,rvo: those alone.
.PHONY: people
CORES = $(shell nproc)
people: packages lint-packages # lua5.4
	$(MAKE) $(JOBS) everything
	rm -rf out/people
	$(B)/throng test --deadline 0 --jobs $(CORES) --parts $$((4 * $(CORES))) tests/people/pieces.lua
	lua5.4 tests/people/results.lua tests/people out/people/*.jsonl

# tests/people/EXPERIMENTS.md: scenarios/experiments beside the recordings in the folder RECORDINGS, which are others'.
.PHONY: experiments
experiments: packages
	$(MAKE) $(JOBS) everything
	RECORDINGS=$(RECORDINGS) $(B)/throng test --deadline 0 tests/people/experiments.lua

# tests/standards/RESULTS.md: the verification suites under all planners, what is of chance at most RUNS times (fewer say
# less of it), shared out among all cores. Cases that fail are in the table, and no failure here.
.PHONY: standards
RUNS = 500
standards: packages lint-packages # lua5.4
	$(MAKE) $(JOBS) everything
	rm -rf out/standards
	-$(B)/throng test --suite all --planner all --runs $(RUNS) --jobs $(CORES) --parts 10
	lua5.4 tests/standards/results.lua $(RUNS) out/standards/*.jsonl > $(B)/RESULTS.md
	sed -n '/^## Mutations/,$$p' tests/standards/RESULTS.md >> $(B)/RESULTS.md
	mv $(B)/RESULTS.md tests/standards/RESULTS.md

# Each case with a model or a scenario that is wrong as its mutations say, under the default planner: it fails where a case
# passes, and writes what each assertion was seen to fail on into tests/standards/RESULTS.md. About 5
# minutes on two cores.
.PHONY: standards-mutations
standards-mutations: packages lint-packages # lua5.4
	$(MAKE) $(JOBS) everything
	rm -rf out/standards/mutations
	$(B)/throng test --suite all --tags mutation --jobs $(CORES) --parts $(CORES); \
	    failed=$$?; lua5.4 tests/standards/mutations.lua tests/standards/RESULTS.md out/standards/mutations/*.jsonl; exit $$failed

# The tables of tests/bench/RESULTS.md from what machines measured; on each of them, when it is idle:
#   build/throng bench --results tests/bench/results-<machine>.json
# or, piece by piece: build/throng bench NAME... --results tests/bench/results-<machine>.<part>.json
.PHONY: results
results: lint-packages # lua5.4
	lua5.4 tests/bench/results.lua tests/bench/tried.txt $(sort $(wildcard tests/bench/results-*.json)) \
	    $(wildcard tests/bench/earlier/results-*.json) > $(B)/RESULTS.md
	mv $(B)/RESULTS.md tests/bench/RESULTS.md

# Every test again, built with the address and undefined-behaviour sanitizers; with SPECS="tests/specs/maps_spec.lua ..."
# of the Lua tests those alone. Where variables are is not tracked through what those add: gcc took twenty minutes for the
# lanes, and takes one.
SPECS =
SANITIZE  = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# Optimised so little, gcc 12 takes variables of kernels for uninitialised (kernels/planners/pairs.h).
O1        = -O1 -g -fno-var-tracking -Wno-maybe-uninitialized
SANITIZED = $(MAKE) $(JOBS) B=$(B)/sanitize OPTIMISE="$(O1)" EXTRA="$(SANITIZE)"
sanitize: test-packages
	$(SANITIZED) $(B)/sanitize/throng unit-sanitize

.PHONY: unit-sanitize
unit-sanitize: $(B)/throng $(UNIT)
	tests/run.sh $(B) $(SPECS)

# The same in a build that moves each array whenever it might have grown (runtime/base/array.h), so that who has kept a
# pointer is found at once. Wide lanes are without sanitizers: cpu_lanes_1 has the same bodies.
moving: test-packages
	$(MAKE) $(JOBS) B=$(B)/moving OPTIMISE="$(O1)" EXTRA="$(SANITIZE) -DTHRONG_MOVE_ARRAYS" \
	    WIDE_WITHOUT=-fsanitize=% $(B)/moving/throng unit-sanitize

# Every scenario under ThreadSanitizer, with 4 threads and its recording; eight simulations on eight threads, the worlds of
# environments, and worlds that share a map.
TSAN_UNIT = $(addprefix $(B)/tsan/unit/,test_fibers test_sim test_build test_env test_together)
tsan: packages
	$(MAKE) $(JOBS) B=$(B)/tsan OPTIMISE="$(O1)" EXTRA="-fsanitize=thread -fno-omit-frame-pointer" $(B)/tsan/throng $(TSAN_UNIT)
	for t in $(TSAN_UNIT); do TSAN_OPTIONS="halt_on_error=1 exitcode=66" setarch -R $$t || exit 1; done
	TSAN_OPTIONS="halt_on_error=1 exitcode=66" tests/scenarios.sh "setarch -R $(B)/tsan/throng" "--threads 4 --steps 20" scenarios/*.lua

# Five scenarios under valgrind, which knows no AVX-512.
valgrind: valgrind-packages
	$(MAKE) $(JOBS) everything
	tests/scenarios.sh "valgrind -q --error-exitcode=66 --leak-check=full --errors-for-leak-kinds=definite $(B)/throng" \
	    "--simd 4 --threads 2 --steps 20" $(patsubst %,scenarios/%.lua,evacuation idle_walkers parade zombies two_doors)

# A million crossings of seams between floors and stairs, a tenth of them under each planner.
seams: all
	SEAM_CROSSINGS=100000 $(B)/throng test --deadline 0 tests/specs/seams_spec.lua --filter 'lose nobody'

# Ten minutes (or FUZZ_SECONDS) of every fuzz target, from the corpus in tests/fuzz/; of the Lua API, from a seed
# (tests/fuzz/api_spec.lua). `make fuzz-api FUZZ_SECONDS=1` makes 50,000 calls, for CI.
FUZZ_SECONDS = 600
fuzz: fuzz-packages $(B)/libthrong.a
	LIBS="$(LIBS)" tests/fuzz/run.sh $(B)/fuzz $(FUZZ_SECONDS)
	@$(MAKE) --no-print-directory fuzz-api fuzz-windows

fuzz-api: packages
	$(SANITIZED) $(B)/sanitize/throng $(B)/sanitize/fuzz/reload
	FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_OUT=$(B)/fuzz/api $(B)/sanitize/throng test --deadline 0 tests/fuzz/api_spec.lua

$(B)/fuzz/reload: tests/fuzz/reload.c $(B)/libthrong.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $< $(B)/libthrong.a $(LIBS)
	ln -sf ../throng-cuda.so $(@D)/ # where a program looks for it: beside itself

fuzz-windows: packages
	$(SANITIZED) $(B)/sanitize/throng $(B)/sanitize/throng-view.so $(B)/sanitize/fuzz/windows
	FUZZ_SECONDS=$(FUZZ_SECONDS) FUZZ_OUT=$(B)/fuzz/windows $(B)/sanitize/throng test --deadline 0 tests/fuzz/windows_spec.lua

$(B)/fuzz/windows: tests/fuzz/windows.c $(B)/libthrong.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -rdynamic -o $@ $< -Wl,--whole-archive $(B)/libthrong.a -Wl,--no-whole-archive $(LIBS) -lSDL2
	ln -sf ../throng-view.so $(@D)/

# The README's two commands on a bare Debian 12 in a folder of its own; as root, with 3 GB and twenty minutes.
fresh: fresh-packages
	tests/fresh.sh

# make install PREFIX=/usr/local: the command, the library with its header, and what both of them read.
PREFIX = /usr/local
VERSION = $(shell sed -n 's/.*THRONG_VERSION "\(.*\)"/\1/p' runtime/base/version.h)
define PKG_CONFIG
prefix=$(PREFIX)
Name: throng
Description: crowds scripted in Lua
Version: $(VERSION)
Cflags: -I$${prefix}/include
Libs: -L$${prefix}/lib -lthrong
Libs.private: $(LIBRARIES)
endef
export PKG_CONFIG
install: all
	@$(MAKE) --no-print-directory install-only
install-only:
	@mkdir -p $(addprefix $(DESTDIR)$(PREFIX)/,bin include lib/throng lib/pkgconfig lib/lua/5.4 share/throng share/doc/throng)
	@cp $(B)/throng $(DESTDIR)$(PREFIX)/bin/
	@cp -P $(B)/libthrong.so $(B)/libthrong.so.$(SOVERSION) $(B)/static/libthrong.a $(DESTDIR)$(PREFIX)/lib/
	@for l in throng-cuda throng-view; do [ ! -f $(B)/$$l.so ] || cp $(B)/$$l.so $(DESTDIR)$(PREFIX)/lib/throng/; done
	@cp runtime/throng.h $(DESTDIR)$(PREFIX)/include/
	@cp $(B)/module/throng.so $(DESTDIR)$(PREFIX)/lib/lua/5.4/
	@cp -r lua $(DESTDIR)$(PREFIX)/share/throng/
	@cp LICENSE runtime/command/licences.txt $(DESTDIR)$(PREFIX)/share/doc/throng/
	@echo "$$PKG_CONFIG" > $(DESTDIR)$(PREFIX)/lib/pkgconfig/throng.pc

# A rock of the Lua module, which luarocks installs without a network: what is built, packed. Debian's libraries that it
# needs are those of the machine.
ROCK = $(B)/rock
.PHONY: rock rock-only
rock: all rock-packages
	@$(MAKE) --no-print-directory rock-only
rock-only:
	@rm -rf $(ROCK)
	@mkdir -p $(ROCK)/throng $(ROCK)/doc
	@cp -r lua/throng $(ROCK)/throng/lua
	@strip -g -o $(ROCK)/throng.so $(B)/module/throng.so
	@cp LICENSE runtime/command/licences.txt $(ROCK)/doc/
	@files=$$(cd $(ROCK) && for f in throng/lua/*.lua; do m=$$(basename $$f .lua); echo "[\"throng.lua.throng.$$m\"] = \"$$f\","; done); \
	    sed "s/@VERSION@/$(VERSION)/; s|@FILES@|$$(echo $$files)|" runtime/embed/throng.rockspec > $(ROCK)/throng-$(VERSION)-1.rockspec
	@cd $(ROCK) && luarocks --lua-version 5.4 --tree tree make --deps-mode none --pack-binary-rock throng-$(VERSION)-1.rockspec >luarocks.log 2>&1 || \
	    { cat luarocks.log; exit 1; }
	@echo $(ROCK)/throng-$(VERSION)-1.*.rock

# Debian packages, for the Debian that they are built on: `apt install build/deb/*.deb`.
DEB = $(B)/deb
.PHONY: deb deb-only
deb: all deb-packages
	@$(MAKE) --no-print-directory deb-only
deb-only:
	@rm -rf $(DEB)
	@$(MAKE) --no-print-directory install-only DESTDIR=$(abspath $(DEB))/all PREFIX=/usr
	@runtime/embed/debian/deb.sh $(DEB) $(VERSION) $(SOVERSION)
# Installed, used and purged in a bare Debian 12 in a folder of its own; as root, some minutes.
.PHONY: deb-fresh
deb-fresh: deb fresh-packages
	tests/deb.sh $(DEB)

# A project for Godot 4 with the addon in it: open it, or copy addons/throng of it into a game.
GODOT = $(B)/godot
.PHONY: godot godot-only
godot: all
	@$(MAKE) --no-print-directory godot-only
godot-only:
	@rm -rf $(GODOT)
	@mkdir -p $(GODOT)/addons/throng/bin/lib
	@cp runtime/embed/godot/example/* $(GODOT)/
	@# a first `godot --headless --import` that finds an extension by itself crashes (Godot issue 111048)
	@mkdir $(GODOT)/.godot && echo 'res://addons/throng/throng.gdextension' > $(GODOT)/.godot/extension_list.cfg
	@cp runtime/embed/godot/addon/* LICENSE $(GODOT)/addons/throng/
	@$(CC) -std=gnu17 $(OPTIMISE) $(WARNINGS) -fPIC -fvisibility=hidden -Iruntime -shared \
	    -Wl,--disable-new-dtags,-rpath,'$$ORIGIN' -o $(GODOT)/addons/throng/bin/libthrong-godot.so \
	    runtime/embed/godot/godot.c runtime/embed/godot/simulation.c $(B)/libthrong.so.$(SOVERSION)
	@strip -g -o $(GODOT)/addons/throng/bin/libthrong.so.$(SOVERSION) $(B)/libthrong.so.$(SOVERSION)
	@[ ! -f $(B)/throng-cuda.so ] || cp $(B)/throng-cuda.so $(GODOT)/addons/throng/bin/
	@cp -r lua $(GODOT)/addons/throng/bin/
	@$(call libraries_of,$(B)/libthrong.so.$(SOVERSION)) | xargs -I{} cp -L {} $(GODOT)/addons/throng/bin/lib/
	@cp runtime/command/licences.txt $(GODOT)/addons/throng/
	@echo $(GODOT)

# An extension for Visual Studio Code, which `code --install-extension` takes.
.PHONY: vsix
vsix:
	@mkdir -p $(B)
	@python3 runtime/embed/vscode/vsix.py $(VERSION) LICENSE $(B)/throng-$(VERSION).vsix

# A Python package that runs with nothing but NumPy installed: libraries, Lua side, and the CUDA backend where there is one.
WHEEL = $(B)/wheel
wheel: all
	@$(MAKE) --no-print-directory wheel-only
wheel-only:
	@rm -rf $(WHEEL)
	@mkdir -p $(WHEEL)/throng/lib $(WHEEL)/throng-$(VERSION).dist-info
	@cp runtime/embed/python/*.py $(WHEEL)/throng/
	@touch $(WHEEL)/throng/py.typed
	@strip -g -o $(WHEEL)/throng/libthrong.so.$(SOVERSION) $(B)/libthrong.so.$(SOVERSION)
	@[ ! -f $(B)/throng-cuda.so ] || cp $(B)/throng-cuda.so $(WHEEL)/throng/
	@cp -r lua $(WHEEL)/throng/
	@$(call libraries_of,$(B)/libthrong.so.$(SOVERSION)) | xargs -I{} cp -L {} $(WHEEL)/throng/lib/
	@cp LICENSE runtime/command/licences.txt $(WHEEL)/throng-$(VERSION).dist-info/
	@python3 runtime/embed/wheel.py $(WHEEL) $(VERSION) README.md

SOURCES = $(wildcard runtime/*.h runtime/*/*.c runtime/*/*.h $(addprefix runtime/embed/godot/,godot.c godot.h simulation.c) kernels/*.h kernels/*/*.c kernels/*/*.h kernels/*/*.cu kernels/*/*.cuh tests/unit/*.c tests/unit/*.h tests/fuzz/*.c tests/fuzz/*.h)
# cppcheck does not know that luaL_error and throng_raise never return, nor what constant arguments rule out in the
# kernel bodies: its null-pointer guesses are left out there, and that a vector of one lane is indexed.
lint: lint-packages
	@clang-format --dry-run --Werror $(filter-out runtime/picture/font.c,$(SOURCES)) || \
	    { echo "make lint: these files are not formatted: make format does that"; exit 1; }
	@cppcheck --quiet --error-exitcode=1 --std=c11 --inline-suppr --enable=warning,portability --suppress=missingIncludeSystem \
	    --suppress=preprocessorErrorDirective --suppress=uninitvar:kernels/* --suppress=nullPointer:kernels/* --suppress=ctunullpointer:kernels/* \
	    --suppress=nullPointerRedundantCheck --suppress=nullPointerArithmeticRedundantCheck --suppress=objectIndex:kernels/planners/clearpath_nearest.h -DTHRONG_LANES=1 $(INCLUDE) runtime $(KERNELS)
	luacheck -q lua scenarios tests
	lua5.4 tests/layers.lua
	lua5.4 tests/people/draw.lua # loads what `make people` draws with
	for page in runtime/report/*.html; do \
	    grep -o '{{page_[a-z]*\.js}}' $$page | sed 's,[{}],,g; s,^,runtime/report/,' | xargs cat | node --check - || exit 1; done
	node --check runtime/embed/vscode/extension.js

format: lint-packages
	clang-format -i $(filter-out runtime/picture/font.c,$(SOURCES))

# A folder that runs on another x86-64 Linux machine with nothing installed: libraries, Lua side, scenarios, maps. SDL2
# stays that machine's own: it belongs to its display, and only `throng view` wants it.
DIST = $(B)/dist/throng
libraries_of = ldd $(1) | awk '$$3 ~ /^\// {print $$3}' | grep -vE '/lib(c|m|dl|pthread|rt)\.so'
LUA_MODULES = busted busted.lua luassert say pl cliargs cliargs.lua mediator.lua term dkjson.lua system
dist: packages
	$(MAKE) $(JOBS) everything
	$(if $(HAVE_NVCC),$(MAKE) $(JOBS) B=$(B)/dist/build CUDA_ARCH="$(DIST_ARCH)" $(B)/dist/build/throng-cuda.so,rm -f $(B)/dist/build/throng-cuda.so)
	rm -rf $(DIST)
	mkdir -p $(DIST)/lib $(DIST)/lua/share $(DIST)/lua/lib
	cp $(B)/throng $(DIST)/
	strip -g -o $(DIST)/libthrong.so.$(SOVERSION) $(B)/libthrong.so.$(SOVERSION)
	cp runtime/throng.h $(DIST)/
	for l in dist/build/throng-cuda throng-view; do [ ! -f $(B)/$$l.so ] || cp $(B)/$$l.so $(DIST)/; done
	cp -r lua scenarios maps README.md $(DIST)/
	mkdir -p $(DIST)/tests && cp -r tests/standards $(DIST)/tests/
	cp LICENSE $(DIST)/
	sed -n '/^## Changes/,$$p' .github/CONTRIBUTING.md > $(DIST)/CHANGES.md
	$(call libraries_of,$(B)/throng) | xargs -I{} cp -L {} $(DIST)/lib/
	for m in $(LUA_MODULES); do for d in /usr/share/lua/5.4 /usr/share/lua/5.1; do \
	    [ ! -e $$d/$$m ] || { cp -rL $$d/$$m $(DIST)/lua/share/; break; }; done; done
	for m in lfs system term; do cp -rL /usr/lib/*/lua/5.4/$$m* $(DIST)/lua/lib/ 2>/dev/null || true; done
	mkdir -p $(DIST)/licences
	$(B)/throng info --licences > $(DIST)/licences/throng.txt
	cp /usr/share/common-licenses/GPL-3 $(DIST)/licences/
	for f in $$(cd $(DIST)/lib; printf 'x86_64-linux-gnu/%s ' *) $(LUA_MODULES:%=lua/5.?/%) lua/5.4/lfs.so; do dpkg -S "*/$$f" 2>/dev/null; done | sed 's/:.*//' | sort -u | \
	    while read p; do cp -L /usr/share/doc/$$p/copyright $(DIST)/licences/$$p.txt; done
	tests/dist.sh $(DIST)
	tar -C $(B)/dist -czf $(B)/dist/throng-linux-x86_64.tar.gz throng
	@echo "$(B)/dist/throng-linux-x86_64.tar.gz"

# Installs what is missing; asks for nothing when nothing is.
define install
	@missing=; for p in $(1); do dpkg -s $$p >/dev/null 2>&1 || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then echo "installing$$missing"; \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends $$missing; fi
endef

.PHONY: fuzz-packages lint-packages test-packages valgrind-packages fresh-packages rock-packages deb-packages
packages:
	$(call install,$(PACKAGES))
fuzz-packages: packages
	$(call install,clang libclang-rt-14-dev)
test-packages: packages
	$(call install,$(TEST_PACKAGES))
valgrind-packages: packages
	$(call install,valgrind libc6-dbg)
fresh-packages:
	$(call install,debootstrap)
deb-packages:
	$(call install,$(DEB_PACKAGES))
rock-packages:
	$(call install,$(ROCK_PACKAGES))
lint-packages:
	$(call install,$(LINT_PACKAGES))

clean:
	rm -rf $(B) out

-include $(shell find $(B) -name '*.d' 2>/dev/null)
