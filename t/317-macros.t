# The macros at the two ends of a run function: what becomes of an exception. They compile without
# a warning with each compiler, and to nothing at level 0.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $dir = tempdir();
my $root = root();
spew("$dir/ends.cpp", <<'CPP');
#include "aotigen.h"
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>
#ifdef AOTIGEN_ON
static aotigen_model aotigen_model_;
static const char *message;
static int asked, unwound, ended;
static std::string heard;
void aotigen_run_begin(aotigen_run *, aotigen_model *, int, void *) {}
void aotigen_run_end(aotigen_run *, int unwinding) {
  unwound += unwinding;
  ended++;
}
void aotigen_folding_begin(aotigen_model *, const void *) {}
int aotigen_folding_failed(aotigen_model *, const void *, const char *what) {
  return !std::strcmp(what, "kept");
}
const char *aotigen_run_failed(aotigen_run *, const char *what) {
  asked++;
  heard = what;
  return message;
}
#endif

[[maybe_unused]] static int asked_for;

enum { NOTHING, TORCH, OTHER, NO_EXCEPTION };

static int inner(int what) {
  AOTIGEN_RUN(nullptr);
  std::string held(100, 'x');
  if (what == TORCH) throw std::system_error(std::make_error_code(std::errc::io_error), "torch");
  if (what == OTHER) throw 7;
  return static_cast<int>(held.size());
  AOTIGEN_RUN_END();
}

template <class T>
static T outer(T what) {
  AOTIGEN_FOLD(nullptr);
  return inner(what);
  AOTIGEN_RUN_END();
}

static void alone() {
  AOTIGEN_RUN_UNCAUGHT(0, nullptr);
}

/* As const_run_impl(): what was folded, or nothing. */
static std::string folded(int what, bool initialization) {
  AOTIGEN_FOLDING(&asked_for);
  if (what == TORCH) throw std::runtime_error("kept");
  if (what == OTHER) throw std::runtime_error("torch");
  AOTIGEN_FOLDING_END(initialization, &asked_for);
  (void)initialization;
  return "folded";
}

static void say_folded(int what, bool initialization) {
  try {
    std::printf("%d%s ", what, folded(what, initialization).c_str());
  } catch (const std::exception &e) {
    std::printf("thrown %s ", e.what());
  }
}

static void say(int what) {
  try {
    std::printf("%d\n", outer(what));
  } catch (const std::system_error &e) {
    std::printf("system_error %s\n", e.what());
  } catch (const std::runtime_error &e) {
    std::printf("runtime_error %s\n", e.what());
  } catch (int e) {
    std::printf("int %d\n", e);
  }
#ifdef AOTIGEN_ON
  std::printf("asked %d of '%.6s', ended %d, unwinding %d\n", asked, heard.c_str(), ended, unwound);
  asked = ended = unwound = 0;
  heard.clear();
#endif
}

int main() {
  alone();
  say_folded(NO_EXCEPTION, true);
  say_folded(TORCH, true);
  say_folded(TORCH, false);
  say_folded(OTHER, true);
  say(NOTHING);
  say(TORCH);
  say(OTHER);
#ifdef AOTIGEN_ON
  message = "aotigen: device error";
  say(TORCH);
  say(OTHER);
#endif
}
CPP
for my $compiler (grep { run_cmd([$_, '--version'])->{status} == 0 } 'g++', 'clang++',
    ($ENV{LLVM} // '/usr/lib/llvm-19') . '/bin/clang++') {
    for my $how ([qw(-std=c++17 -O0)], [qw(-std=c++20 -O2)]) {
        my @command = ($compiler, @$how, qw(-Wall -Wextra -Wshadow -pedantic -Werror), '-I',
            "$root/shared/wrapper",
            "$dir/ends.cpp", '-o', "$dir/ends");
        my $what = "$compiler @$how";
        my $r = run_cmd([@command, '-DAOTIGEN_ON']);
        is($r->{err}, '', "$what: compiles without a warning");
        my $printed = <<'END';
3folded 1 thrown kept thrown torch 100
asked 0 of '', ended 3, unwinding 0
system_error torch: Input/output error
asked 2 of 'torch:', ended 2, unwinding 2
int 7
asked 0 of '', ended 2, unwinding 2
runtime_error aotigen: device error
asked 2 of 'aotige', ended 2, unwinding 2
int 7
asked 0 of '', ended 2, unwinding 2
END
        is(run_cmd(["$dir/ends"])->{out}, $printed,
            "$what: the type of an exception stays, its message is replaced where there is one");
        $r = run_cmd(\@command);
        is($r->{err}, '', "$what: so does level 0");
        is(run_cmd(["$dir/ends"])->{out}, "3folded thrown kept thrown kept "
            . "thrown torch 100\nsystem_error torch: Input/output error\nint 7\n",
            "$what: which adds nothing");
        unlike(run_cmd(['nm', '-C', "$dir/ends"])->{out}, qr/aotigen/, "$what: no symbol of ours");
    }
}
done_testing;
