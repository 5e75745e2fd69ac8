# throng: one target a job. `make run` and `make test` work from nothing on Debian 12.

# --- settings -----------------------------------------------------------------------------
CC       = gcc
NVCC     = nvcc
OPTIMISE = -O2 -g
# Everything down to sm_75; PTX for what comes. For measuring on one machine: make CUDA_ARCH=-arch=sm_90
CUDA_ARCH = -gencode arch=compute_75,code=sm_75 -gencode arch=compute_80,code=sm_80 \
            -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90

# The same bits everywhere: no contraction, no -ffast-math, correctly rounded division and square root.
EXACT      = -ffp-contract=off -fno-math-errno
CUDA_EXACT = -fmad=false -prec-div=true -prec-sqrt=true -ftz=false

WARNINGS = -Wall -Wextra -Wmissing-prototypes -Werror
CFLAGS   = -std=gnu17 $(OPTIMISE) $(WARNINGS) $(EXACT) -D_GNU_SOURCE -MMD -MP -I/usr/include/lua5.4 $(EXTRA)
LIBS     = -llua5.4 -lgeos_c -lsqlite3 -lstb -ldl -lm -lpthread
PACKAGES = gcc g++ make liblua5.4-dev libgeos-dev libsqlite3-dev libstb-dev lua-busted libcmocka-dev
LINT_PACKAGES = clang-format cppcheck lua-check

B = build

# --- sources ------------------------------------------------------------------------------
RUNTIME = $(filter-out runtime/main.c,$(wildcard runtime/*.c))
OBJECTS = $(RUNTIME:%.c=$(B)/%.o) $(B)/kernels/cpu.o $(B)/kernels/pool.o \
          $(foreach n,1 4 8 16,$(B)/kernels/cpu_lanes_$(n).o)
UNIT    = $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/test_*.c))
HAVE_NVCC := $(shell command -v $(NVCC) 2>/dev/null)

.PHONY: all run test unit bench sanitize fuzz lint format dist clean packages
.DELETE_ON_ERROR:

all: $(B)/throng $(if $(HAVE_NVCC),$(B)/throng-cuda.so,no-cuda)

.PHONY: no-cuda
no-cuda:
	@echo "no nvcc found: building without the CUDA backend"

$(B)/throng: $(B)/runtime/main.o $(B)/libthrong.a
	$(CC) $(OPTIMISE) $(EXTRA) -rdynamic -o $@ $^ $(LIBS)

$(B)/libthrong.a: $(OBJECTS)
	@rm -f $@
	ar rcs $@ $^

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

# One body, four widths.
LANES_1  =
LANES_4  =
LANES_8  = -mavx2
LANES_16 = -mavx512f -mavx512dq -mavx512vl -mavx512bw -mprefer-vector-width=512
$(B)/kernels/cpu_lanes_%.o: kernels/cpu_lanes.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -O3 -DTHRONG_LANES=$* $(LANES_$*) -c -o $@ $<

$(B)/throng-cuda.so: kernels/cuda.cu $(wildcard kernels/*.h) runtime/backend.h runtime/agents.h $(B)/pic/error.o
	@mkdir -p $(@D)
	$(NVCC) -O3 -lineinfo -std=c++17 $(CUDA_ARCH) $(CUDA_EXACT) -Xcompiler -fPIC,-ffp-contract=off -shared \
	    -cudart static -o $@ kernels/cuda.cu $(B)/pic/error.o

$(B)/pic/error.o: runtime/error.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -fPIC -c -o $@ $<

# --- jobs ------------------------------------------------------------------------------------
run: packages all
	$(B)/throng run scenarios/evacuation.lua

test: packages all unit
	tests/run.sh

unit: $(UNIT)

$(B)/unit/%: tests/unit/%.c $(B)/libthrong.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -o $@ $< $(B)/libthrong.a -lcmocka $(LIBS)

bench: packages all
	$(B)/throng bench

# Installs what is missing; asks for nothing when nothing is.
packages:
	@missing=; for p in $(PACKAGES); do dpkg -s $$p >/dev/null 2>&1 || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then echo "installing$$missing"; \
	  sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
	  $$sudo apt-get update -q && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -q --no-install-recommends $$missing; fi

clean:
	rm -rf $(B) out

-include $(shell find $(B) -name '*.d' 2>/dev/null)
