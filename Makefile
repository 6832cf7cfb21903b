# aotigen - GNU make. `make` builds, `make demo` shows, `make check` tests; `make help` lists all.
#
# Everything is built below $(B). What a target does beyond compiling is a script in t/setup/ or
# samples/.

B ?= build
K ?= $B/kernels# of compiled kernels: no compiler of C and no sanitizer changes them
LLVM ?= /usr/lib/llvm-19
TORCH_VERSION ?= 2.11.0
NVCC ?= $(firstword $(wildcard $(addsuffix /nvcc,$(subst :, ,$(PATH))) /usr/local/cuda/bin/nvcc))
# What is installed here runs on the GPUs that are here, unless kernels were compiled before.
ifeq ($(origin CUDA_ARCHS),undefined)
here_gpus = $(shell nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null)
here_archs := $(if $(filter install,$(MAKECMDGOALS)),$(if $(wildcard $K/*.fatbin),,$(here_gpus)))
CUDA_ARCHS := $(or $(sort $(subst .,,$(here_archs))),80 90 100)
endif
PERL ?= perl
PROVE ?= prove
PROVE_FLAGS ?= -j2
PREFIX ?= /usr/local
export LLVM TORCH TORCH_VERSION PYTHON PREFIX DESTDIR
export TMPDIR = $(abspath build/tmp)
export AOTIGEN_BUILD = $(abspath $B)

CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
sanitize := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
SAN := $(if $(SANITIZE),$(sanitize))
# For the hundred programs of the tests: binutils' other linker takes a quarter of the time.
unit_ld := $(if $(shell command -v ld.gold),-fuse-ld=gold)
# Short lines; V=1 shows the commands.
Q := $(if $V,,@)
say = @$(if $V,:,printf '  %-5s %s\n')
c_flags = -std=c11 -D_GNU_SOURCE= $(WARN) $(CFLAGS) $(SAN)
all_cflags = $(c_flags) -MMD -MP
gen_cflags = -I. -Igen -isystem $(LLVM)/include
unit_cflags = -I. -Iruntime -Ikernels
run_cflags = $(unit_cflags) -fPIC -fvisibility=hidden -fno-fast-math -ffp-contract=off
# Loaded by this name (gen/parse/libclang.c), and found where the run path says.
libclang ?= libclang-19.so.19
clang_path ?= -Wl,-rpath,$(LLVM)/lib
tree_sitter_lib ?= -l:libtree-sitter.a
deflate_lib ?= -l:libdeflate.a
gen_libs = $(clang_path) $(tree_sitter_lib) $(deflate_lib) -lcjson -lelf -lzip -lseccomp \
  -lunistring -lm -ldl
run_libs = -lm -ldl -lpthread

# What generator and runtime agree on is compiled once, as the runtime is.
shared_objs := $(patsubst shared/%.c,$B/shared/%.o,$(wildcard shared/*.c))
gen_objs := $(patsubst gen/%.c,$B/gen/%.o,$(wildcard gen/*.c gen/*/*.c))
# Python that the program carries.
scripts := $B/gen/host_script.o $B/gen/hosting_script.o $B/gen/compare_script.o \
  $B/gen/matching_script.o $B/gen/comparison_script.o $B/gen/reference_script.o \
  $B/gen/bisection_script.o $B/gen/pairing_script.o $B/gen/judgement_script.o \
  $B/gen/runs_script.o
grammar := build/grammar/tree-sitter-python/src
grammar_objs := $B/grammar/parser.o $B/grammar/scanner.o
gen_unit := $(filter-out $B/gen/main.o,$(gen_objs)) $B/gen/templates.o $(scripts) \
  $(grammar_objs) \
  $(shared_objs)
# The entry points of a watch package are in its library alone.
watch_entries := $B/runtime/watch/entries.o
run_objs := $(filter-out $(watch_entries),$(patsubst runtime/%.c,$B/runtime/%.o,\
  $(wildcard runtime/*/*.c))) $(shared_objs)
kernels := $(if $(NO_KERNELS),,$(if $(NVCC),$(wildcard kernels/*.cu)))
no_nvcc := no nvcc here: kernels/ is left out, a CUDA tensor is scanned through a copy on the host
fat_objs := $(patsubst kernels/%.cu,$B/kernels/%_fatbin.o,$(kernels))
gen_tests := $(patsubst t/%.c,$B/t/%,$(wildcard t/[12]*.c))
# A program of t/5xx is run by the .t file of its name.
run_tests := $(patsubst %.c,$B/t/%,$(notdir $(wildcard t/[35]*.c t/5xx/[0-9]*.c)))
test_main := $B/t/main.o $B/t/expected.o
fake_shim := $B/t/shim.o
unload := $B/t/526-host $B/t/526-model.so
unchecked := $B/aotigen-unchecked
dumps := $B/aotigen-dumps
completions := $B/completion/aotigen $B/completion/_aotigen

.PHONY: all program units demo check san san-build fuzz fuzz-build bench bench-cuda install \
  uninstall dist dist-check wheel bundle clean help
.DELETE_ON_ERROR:
.SECONDARY:

all: program units $B/bench/scan $B/bench/filtered

program: $B/aotigen $B/libaotigen.a $B/libaotigen-open.so $B/libaotigen-watch.so \
  $B/aotigen-replay-host $(completions)

units: $(gen_tests) $(run_tests) $(unload) $(unchecked) $(dumps)

# ---- the generator

$B/aotigen: $B/gen/main.o $(gen_unit)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(SAN) $(LDFLAGS) -o $@ $^ $(gen_libs)

$B/gen/%.o: gen/%.c | $B/packages
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(all_cflags) $(gen_cflags) -c -o $@ $<

$B/gen/parse/libclang.o: gen_cflags += -DAOTIGEN_LIBCLANG_NAME='"$(libclang)"'

$B/gen/templates.c: $(wildcard templates/*.tpl) t/setup/embed.pl templates
	@mkdir -p $(@D)
	$(say) EMBED $@
	$(Q)$(PERL) t/setup/embed.pl templates $(sort $(filter %.tpl,$^)) >$@

$B/gen/host_script.c: gen/replay/host.py
$B/gen/hosting_script.c: gen/replay/hosting.py
$B/gen/compare_script.c: gen/compare/compare.py
$B/gen/matching_script.c: gen/compare/matching.py
$B/gen/comparison_script.c: gen/compare/comparison.py
$B/gen/reference_script.c: gen/compare/reference.py
$B/gen/bisection_script.c: gen/compare/bisection.py
$B/gen/pairing_script.c: gen/compare/pairing.py
$B/gen/judgement_script.c: gen/compare/judgement.py
$B/gen/runs_script.c: gen/compare/runs.py
$(scripts:.o=.c): t/setup/embed.pl
	@mkdir -p $(@D)
	$(say) EMBED $@
	$(Q)$(PERL) t/setup/embed.pl bytes $(basename $(@F)) $(filter %.py,$^) >$@

$B/gen/templates.o $(scripts): %.o: %.c | $B/packages
	$(say) CC $@
	$(Q)$(CC) $(all_cflags) $(gen_cflags) -c -o $@ $<

# The grammar of Python is fetched, and compiled as it is; in C23 its '()' means '(void)'.
$(grammar)/parser.c: t/setup/grammar.sh t/setup/fetch.sh | $B/packages
	@t/setup/grammar.sh

$(grammar)/scanner.c: $(grammar)/parser.c ;

$(grammar_objs): $B/grammar/%.o: $(grammar)/%.c $(wildcard t/setup/grammar/tree_sitter/*.h)
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) -std=c2x $(CFLAGS) $(SAN) -It/setup/grammar -c -o $@ $<

# The shells' completions are made from --help.
$(completions): t/setup/completion.pl $B/aotigen
	@mkdir -p $(@D)
	$(say) MAKE $@
	$(Q)$(PERL) t/setup/completion.pl $(if $(findstring /_,$@),zsh,bash) $B/aotigen >$@

# ---- the runtime

# One object with its kernels: kernel_image.o refers to them weakly, and a weak reference alone
# takes no member out of an archive.
$B/kernel_image.o: $B/runtime/cuda/kernel_image.o $(fat_objs)
	$(if $(kernels)$(NO_KERNELS),,@echo "aotigen: $(no_nvcc)")
	$(say) LD $@
	$(Q)$(CC) -r -nostdlib -o $@ $^

$B/libaotigen.a: $(filter-out $B/runtime/cuda/kernel_image.o,$(run_objs)) $B/kernel_image.o Makefile
	@rm -f $@
	$(say) AR $@
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

# NVTX is fetched: headers alone.
nvtx := build/nvtx/include
$(nvtx)/nvtx3/nvToolsExt.h: t/setup/nvtx.sh t/setup/fetch.sh | $B/packages
	@t/setup/nvtx.sh

$B/runtime/base/nvtx.o: run_cflags += -isystem $(nvtx)
$B/runtime/base/nvtx.o $B/t/356-nvtx.o: $(nvtx)/nvtx3/nvToolsExt.h
$B/t/356-nvtx.o: unit_cflags += -isystem $(nvtx)

# Its handler jumps to the host's, which a compiler does where it optimizes (crash_signals.c).
$B/runtime/state/crash_signals.o: run_cflags += -O2

$B/runtime/%.o: runtime/%.c | $B/packages
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(all_cflags) $(run_cflags) -c -o $@ $<

$B/shared/%.o: shared/%.c | $B/packages
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(all_cflags) $(run_cflags) -c -o $@ $<

# What `aotigen run` preloads: into any program, so without a sanitizer.
$B/libaotigen-open.so: $(wildcard preload/*.[ch]) shared/limits.h | $B/packages
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE= $(WARN) -I. -O2 -g -fPIC -fvisibility=hidden -shared \
	  -o $@ $(filter %.c,$^) -ldl

# What runs the inputs of a capsule, beside torch: so without a sanitizer.
$B/aotigen-replay-host: $(wildcard host/*.[ch]) preload/member.c preload/member.h \
  shared/dtypes.def | $B/packages
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) -std=c11 -D_GNU_SOURCE= $(WARN) -I. -O2 -g $(LDFLAGS) -o $@ $(filter %.c,$^) \
	  -ldl -lm

# What stands in a watch package in the place of torch's library, which lies beside it: the linker
# is shown an empty one of its name.
$B/watch/torch_model.so: | $B/packages
	@mkdir -p $(@D)
	$(Q)echo | $(CC) -shared -x c -o $@ - -Wl,-soname,'$$ORIGIN/torch_model.original'

$B/libaotigen-watch.so: $(watch_entries) $B/libaotigen.a $B/watch/torch_model.so
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) -shared -Wl,--no-as-needed -Wl,--exclude-libs,ALL -Wl,--gc-sections \
	  -Wl,--strip-debug $(LDFLAGS) -o $@ $^ $(run_libs)

# ---- CUDA kernels: SASS for each architecture and PTX of the first, embedded

oldest := compute_$(firstword $(CUDA_ARCHS))
gencode = $(foreach a,$(CUDA_ARCHS),-gencode arch=compute_$a,code=sm_$a) \
  -gencode arch=$(oldest),code=$(oldest)

$K/%.fatbin: kernels/%.cu $(wildcard kernels/*.h kernels/*.cuh) | $B/packages
	@mkdir -p $(@D)
	$(say) NVCC "$@: for GPUs of $(CUDA_ARCHS), about 40 s for each (CUDA_ARCHS)"
	$(Q)$(NVCC) -std=c++17 -O3 -Ikernels -fatbin -Xfatbin -compress-all $(gencode) \
	  -Werror all-warnings -Xptxas -v -o $@ $< >$(@:.fatbin=.log) 2>&1 || \
	  { cat $(@:.fatbin=.log) >&2; rm -f $@; exit 1; }
	@echo $(CUDA_ARCHS) >$(@:.fatbin=.archs)

$K/%_fatbin.c: $K/%.fatbin t/setup/embed.pl
	$(say) EMBED $@
	$(Q)$(PERL) t/setup/embed.pl bytes aotigen_$*_fatbin $< >$@

$B/kernels/%_fatbin.o: $K/%_fatbin.c
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(all_cflags) $(run_cflags) -c -o $@ $<

# ---- unit tests: 1xx and 2xx see the generator, 3xx and 5xx the runtime, on a fake shim

of_gen := t/1% t/2% t/fuzz/gen%
vpath %.c t t/lib t/5xx t/fuzz

$B/t/%.o: %.c | $B/packages
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(all_cflags) -It $(if $(filter $(of_gen),$<),$(gen_cflags),$(unit_cflags)) \
	  -c -o $@ $<

# What is tested is optimized. What tests it is not, which takes a third of the time to compile, but
# for units that compute much themselves, and for t/351, where it is the unit's code that crashes.
optimized_units := 148% 156% 157% 168% 306% 337% 351% 500% 503%
plain_units := $(filter-out $(addprefix $B/t/,$(optimized_units)),$(gen_tests) $(run_tests))
$(addsuffix .o,$(plain_units)): c_flags += -O0

$B/t/148-growth: $B/t/gen_readers.o $B/t/gen_listings.o

$(gen_tests): $B/t/%: $B/t/%.o $(test_main) $(gen_unit)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(SAN) $(unit_ld) $(LDFLAGS) -o $@ $^ $(gen_libs) -lcmocka

$B/t/337-growth: $B/t/run_readers.o

$(run_tests): $B/t/%: $B/t/%.o $(test_main) $(fake_shim) $B/libaotigen.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(SAN) $(unit_ld) $(LDFLAGS) -rdynamic -o $@ $(filter %.o,$^) \
	  $B/libaotigen.a $(run_libs) -lcmocka

# For tests of what confines a package's parser and compilers: no text of it is checked before.
$(unchecked): $B/t/unchecked.o $B/gen/main.o $(gen_unit)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(SAN) $(LDFLAGS) -Wl,--wrap=include_audit_check_text \
	  -Wl,--wrap=include_audit_check_instrumented \
	  -Wl,--wrap=include_audit_check_files -Wl,--wrap=object_audit_check -o $@ $^ $(gen_libs)

# For the goldens, of which each wrapper has three: it parses once for all.
$(dumps): $B/t/dumps.o $B/gen/main.o $(gen_unit)
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(SAN) $(LDFLAGS) -Wl,--wrap=emit_edits -Wl,--wrap=edit_dump -o $@ $^ \
	  $(gen_libs)

$B/t/unchecked.o $B/t/dumps.o: $B/t/%.o: t/setup/%.c | $B/packages
	@mkdir -p $(@D)
	$(say) CC $@
	$(Q)$(CC) $(all_cflags) $(gen_cflags) -c -o $@ $<

# What 526 loads and unloads is linked here: a machine with the bundle may have no cmocka.h.
$B/t/526-host: t/5xx/unload_host.c | $B/packages
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(c_flags) $(LDFLAGS) -o $@ $^ -ldl

$B/t/526-model.so: t/5xx/unload_model.c t/lib/shim.c t/shim.h $B/libaotigen.a | $B/packages
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(c_flags) $(unit_cflags) -It -fPIC -shared $(LDFLAGS) -o $@ \
	  $(filter-out %.h,$^) $(run_libs) -lcmocka

# ---- targets that run something

$B/packages: t/setup/packages.sh
	@mkdir -p $(@D)
	@t/setup/packages.sh check
	@touch $@

# Torch is found or fetched while the build runs.
parallel = $(if $(findstring j,$(firstword -$(MAKEFLAGS))),,-j$(shell nproc))

# The demo is of a model on the CPU: it needs no test and no CUDA kernel.
demo:
	@t/setup/packages.sh install
	@+t/setup/prepare.sh $(MAKE) --no-print-directory $(parallel) NO_KERNELS=1 program
	@samples/demo.pl

check:
	@t/setup/packages.sh install
	@+t/setup/prepare.sh $(MAKE) --no-print-directory $(parallel) all
	@t/setup/shared-torch $(PROVE) $(PROVE_FLAGS) t/

# The units and the rewrites once more, under ASan and UBSan: lines are all that their reports need
# of debug information. Of the tests of 'aotigen check', which each run all of it over many
# programs, two, and one of the two units that run kernels; none of large inputs, whose time and
# memory would be the sanitizer's; none that runs nothing of this build; not t/120, whose thousands
# of files take a process each, and which t/149 reads with sanitizers; not t/205 and t/228, whose
# many programs are read as those of t/201 and t/220 to 224 are; not t/290, whose wrappers t/249 has
# checked, with all of their streams; not t/362, whose child of fork()
# may find the lock of the sanitizer's own allocator taken, and hangs there; not t/273 and t/279,
# whose hosts, without a sanitizer, load a library that has one. The wrappers of
# t/corpus are rewritten by t/201; t/200 would stop half-way.
san_tests := $(filter-out t/120-elf.c t/148-growth.c t/157-launch-endpoints.c t/200% \
  t/205-expected.t t/225% t/228-confined.t t/240% t/242% t/243% t/247% t/273-watch-counts.t \
  t/279-watch-thrown.t t/290-streams.t t/315-shim-headers.t \
  t/317-macros.t t/318-entry-macros.t t/321-room.t t/362-fork.c, \
  $(sort $(wildcard t/[123]*.[ct] t/5*-cuda-record*.t)))
san_run_tests := $(filter $B/t/3% $(patsubst t/%.t,$B/t/%,$(wildcard t/5*-cuda-record*.t)), \
  $(run_tests))

san:
	@$(MAKE) --no-print-directory B=build/san K=build/kernels SANITIZE=1 CFLAGS="-O1 -g1" \
	  san-build
	@AOTIGEN_BUILD=$(abspath build/san) $(PROVE) $(PROVE_FLAGS) $(san_tests)

san-build: program $(gen_tests) $(san_run_tests) $(unload) $(unchecked)

# The readers of untrusted texts, each for a part of SECONDS, with clang's libFuzzer.
SECONDS ?= 600
# The gate's short run takes -O0, which builds in half the time.
FUZZ_O ?= -O1
fuzz: fuzz-build
	@t/fuzz/run.pl $(SECONDS) $(READERS)

fuzz-build:
	@$(MAKE) --no-print-directory B=build/fuzz K=build/kernels NO_KERNELS=1 SANITIZE=1 \
	  CC=$(LLVM)/bin/clang CFLAGS="$(FUZZ_O) -gline-tables-only -fsanitize=fuzzer-no-link" \
	  build/fuzz/fuzz-gen build/fuzz/fuzz-run

$B/fuzz-gen: $B/t/target.o $B/t/gen_readers.o $B/t/gen_listings.o $(gen_unit)
	$(say) LINK $@
	$(Q)$(CC) $(SAN) -fsanitize=fuzzer $(LDFLAGS) -o $@ $^ $(gen_libs)

$B/fuzz-run: $B/t/target.o $B/t/run_readers.o $(fake_shim) $B/libaotigen.a
	$(say) LINK $@
	$(Q)$(CC) $(SAN) -fsanitize=fuzzer $(LDFLAGS) -rdynamic -o $@ $^ $(run_libs) -lcmocka

bench: all
	@t/setup/torch.sh
	@build/torch/python samples/bench/bench.py

# The units' fake torch is linked: what is measured never calls it.
bench_link = $(LDFLAGS) $(fake_shim) $B/libaotigen.a -rdynamic -lcmocka $(run_libs)

$B/bench/scan: samples/bench/scan.c $(fake_shim) $B/libaotigen.a
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(c_flags) -O2 -march=native -I. -Iruntime -o $@ $< $(bench_link)

$B/bench/filtered: samples/bench/filtered.cpp $(fake_shim) $B/libaotigen.a
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CXX) -std=c++17 -O1 $(SAN) -I. -Iruntime -o $@ $< $(bench_link)

# The plain read that the benchmark compares with is not part of the library.
$B/bench/read.fatbin: samples/bench/read.cu
	@mkdir -p $(@D)
	$(say) NVCC $@
	$(Q)$(NVCC) -std=c++17 -O3 -fatbin $(gencode) -o $@ $<

$B/bench/stats: samples/bench/stats.c $(wildcard kernels/*.h)
	@mkdir -p $(@D)
	$(say) LINK $@
	$(Q)$(CC) $(c_flags) -Ikernels $(LDFLAGS) -o $@ $< -ldl

bench-cuda: all $B/bench/stats $B/bench/read.fatbin $K/stats.fatbin
	@t/setup/torch.sh
	@build/torch/python samples/bench/cuda.py --write

install: program
	@t/setup/install.sh install

uninstall:
	@t/setup/install.sh uninstall

bundle dist wheel:
	@t/setup/$@.sh

dist-check: dist
	@t/setup/chroot.sh $(PT2)

clean:
	rm -rf $B

help:
	@sed -n 's/^# [?] //p' Makefile

# ? make           build/aotigen, build/libaotigen.a and the unit tests
# ? make demo      sets up, and shows a NaN found in a model that torch compiled
# ? make check     sets up, and runs every test that this machine can
# ? make san       units and golden rewrites under ASan and UBSan
# ? make fuzz      each reader of untrusted texts under libFuzzer, SECONDS=600 in all
# ? make bench     the measurements of samples/bench.md
# ? make bench-cuda  the measurements of samples/bench.md on a GPU
# ? make install   below PREFIX (/usr/local), itself below DESTDIR; make uninstall removes it
# ? make dist      build/aotigen-VERSION-linux-x86_64.tar.xz, which works where it is unpacked
# ? make wheel     build/aotigen-VERSION-*.whl, the same for pip, beside torch
# ? make dist-check  tries that archive on a bare Debian 12, as root with debootstrap
# ?                (PT2=FILE: on that package too)
# ? make bundle    build/bundle.tar.xz, sources and tests for a machine without network or libclang
# ?                settings: V=1 (show commands), CC, TORCH=DIR or TORCH_VERSION, CUDA_ARCHS, NVCC,
# ?                B (where to build)

-include $(wildcard $B/shared/*.d $B/gen/*.d $B/gen/*/*.d $B/runtime/*/*.d $B/t/*.d $B/kernels/*.d)
