# What the macros in an entry point make of an exception: inside each of the two forms of torch's
# own handlers, and around a whole body.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $dir = tempdir();
my $root = root();
spew("$dir/entries.cpp", <<'CPP');
#include "aotigen.h"
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#ifdef AOTIGEN_ON
static aotigen_model aotigen_model_;
static const char *message;
static int asked, deleted;
static std::string heard;
const char *aotigen_entry_failed(aotigen_model *m, const char *what) {
  asked += m == &aotigen_model_;
  heard = what ? what : "NULL";
  return message;
}
static int in_flight;
extern "C" int aotigen_entry_begin(aotigen_model *m, const char *name) {
  in_flight += m == &aotigen_model_ && *name;
  return 7;
}
static int unwound;
extern "C" void aotigen_entry_end(int place, int unwinding) {
  in_flight -= place == 7;
  unwound += unwinding;
}
void aotigen_entry_deletes(aotigen_model *m) { deleted += m == &aotigen_model_; }
#endif

enum { NOTHING, TORCH, OTHER, EARLY };
static std::string last_error;

/* As of torch 2.6 to 2.14. */
#define CONVERT(...)                                          \
  try { AOTIGEN_ENTRY();                                      \
    __VA_ARGS__                                               \
  AOTIGEN_ENTRY_END();} catch (const std::exception& e) {    \
    last_error = e.what();                                    \
    return 1;                                                 \
  } catch (...) {                                             \
    last_error = "unknown";                                   \
    return 2;                                                 \
  }                                                           \
  return 0;

/* As of torch 2.15. */
static int record(const std::exception& e) noexcept { last_error = e.what(); return 1; }
static int record_unknown() noexcept { last_error = "unknown"; return 2; }
#define TRY(...)                                              \
  try { AOTIGEN_ENTRY();                                      \
    last_error.clear();                                       \
    __VA_ARGS__                                               \
  AOTIGEN_ENTRY_END();} catch (const std::exception& e) {    \
    return record(e);                                         \
  } catch (...) {                                             \
    return record_unknown();                                  \
  }

static void work(int what) {
  std::string held(100, 'x');
  if (what == TORCH) throw std::system_error(std::make_error_code(std::errc::io_error), "torch");
  if (what == OTHER) throw 7;
}

extern "C" {
int old_form(int what) {
  AOTIGEN_ENTRY();
  if (what == EARLY) throw std::out_of_range("early");
  CONVERT({ work(what); })
  AOTIGEN_ENTRY_END();
}

int new_form(int what) TRY({
  work(what);
  return 0;
})

int deletes(int what) { AOTIGEN_ENTRY_DELETES();
  CONVERT({ work(what); })
}
}

static void say(const char *name, int (*entry)(int), int what) {
  last_error = "none";
  try {
    int status = entry(what);
    std::printf("%s: %d %s", name, status, last_error.empty() ? "empty" : last_error.c_str());
  } catch (const std::out_of_range &e) {
    std::printf("%s: threw out_of_range %s", name, e.what());
  } catch (const std::exception &e) {
    std::printf("%s: threw %s", name, e.what());
  }
#ifdef AOTIGEN_ON
  std::printf(", asked %d of '%s', deleted %d", asked, heard.c_str(), deleted);
  if (in_flight) std::printf(", still in flight");
  if (unwound != asked) std::printf(", %d ended by an exception", unwound);
  asked = deleted = unwound = 0;
  heard.clear();
#endif
  std::printf("\n");
}

int main() {
#ifdef AOTIGEN_ON
  for (int i = 0; i < 2; i++, message = "aotigen: device error")
#endif
  {
    say("old", old_form, NOTHING);
    say("old", old_form, TORCH);
    say("old", old_form, OTHER);
    say("old", old_form, EARLY);
    say("new", new_form, NOTHING);
    say("new", new_form, TORCH);
    say("new", new_form, OTHER);
    say("deletes", deletes, NOTHING);
    say("deletes", deletes, TORCH);
  }
}
CPP
my $plain = <<'END';
old: 0 none
old: 1 torch: Input/output error
old: 2 unknown
old: threw out_of_range early
new: 0 empty
new: 1 torch: Input/output error
new: 2 unknown
deletes: 0 none
deletes: 1 torch: Input/output error
END
my @asked = (
    "0 of ''",
    "1 of 'torch: Input/output error'",
    "1 of 'NULL'",
    "1 of 'early'",
    "0 of ''",
    "1 of 'torch: Input/output error'",
    "1 of 'NULL'",
    "0 of ''",
    "1 of 'torch: Input/output error'",
);
my @lines = split /\n/, $plain;
my $unchanged = join '', map {
    "$lines[$_], asked $asked[$_], deleted " . ($lines[$_] =~ /^deletes/ ? 1 : 0) . "\n"
} 0 .. $#lines;
# Every exception is replaced, one of an unknown type too.
my $replaced = $unchanged =~ s{^(old|new|deletes): (?:[12] [^,]*|threw [^,]*),}
    {"$1: " . ($& =~ m/threw/ ? 'threw' : 1) . ' aotigen: device error,'}mger;
my @compilers = grep { run_cmd([$_, '--version'])->{status} == 0 }
    'g++', 'clang++', ($ENV{LLVM} // '/usr/lib/llvm-19') . '/bin/clang++';
for my $compiler (@compilers) {
    for my $how ([qw(-std=c++17 -O0)], [qw(-std=c++20 -O2)]) {
        my @command = ($compiler, @$how, qw(-Wall -Wextra -Wshadow -pedantic -Werror), '-I',
            "$root/shared/wrapper",
            "$dir/entries.cpp", '-o', "$dir/entries");
        my $what = "$compiler @$how";
        my $r = run_cmd([@command, '-DAOTIGEN_ON']);
        is($r->{err}, '', "$what: compiles without a warning");
        is(run_cmd(["$dir/entries"])->{out}, $unchanged . $replaced,
            "$what: an exception goes on as it is, or its message is replaced, "
                . 'before the handlers see it');
        $r = run_cmd(\@command);
        is($r->{err}, '', "$what: so does level 0");
        is(run_cmd(["$dir/entries"])->{out}, $plain, "$what: which adds nothing");
        unlike(run_cmd(['nm', '-C', "$dir/entries"])->{out}, qr/aotigen/,
            "$what: no symbol of ours");
    }
}
done_testing;
