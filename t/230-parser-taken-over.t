# A source that takes over the parser: where libclang's function is looked for, one is found that
# runs in the parser's process and answers what it likes. Of that, nothing gets further than a
# source's own text could.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;

plan(skip_all => 'a sanitizer wants to be the first library') if build() =~ m{/san$};

# ACT: "answer", what the file of that name holds; "many", zeros without end; "wait"; "secret", an
# answer where the variable SECRET is still in memory.
spew("$dir/over.c", <<'END');
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char answer[1 << 20], act[16], *secret;
static size_t n;
__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("ANSWER");
  int fd = file ? open(file, O_RDONLY) : -1;
  ssize_t got = fd >= 0 ? read(fd, answer, sizeof answer) : 0;
  n = got > 0 ? (size_t)got : 0;
  if (getenv("ACT")) strncpy(act, getenv("ACT"), sizeof act - 1);
  secret = getenv("SECRET");
}
static int parse(void) {
  static const char zeros[4096];
  while (!strcmp(act, "wait")) pause();
  while (!strcmp(act, "many"))
    if (write(3, zeros, sizeof zeros) < 0) _exit(1);
  if (strcmp(act, "secret") || (secret && *secret)) _exit(write(3, answer, n) != (ssize_t)n);
  _exit(1);
}
void *dlsym(void *library, const char *name) {
  static void *(*find)(void *, const char *);
  if (!find) *(void **)&find = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
  return strcmp(name, "clang_parseTranslationUnit2") ? find(library, name) : (void *)parse;
}
END
my $made = run_cmd(['gcc', '-shared', '-fPIC', '-o', "$dir/over.so", "$dir/over.c"]);
die "gcc does not make over.so:\n$made->{err}" if $made->{status};

# As rewritten_put() writes it.
sub text { my ($text) = @_; return pack('Q<', length $text) . $text }
sub string {
    my ($text) = @_;
    return defined $text ? pack('Q<', 1 + length $text) . $text : "\0" x 8;
}

sub answer {
    my ($text, %how) = @_;
    my @messages = @{ $how{messages} // [] };
    return (defined $how{printed} ? text($how{printed}) : '')
        . pack('Q<4', 0, $how{status} // 0, $how{hidden} // 0, scalar @messages)
        . join('', map { my ($kind, $file, $says) = @$_; pack('Q<3', $kind, 3, 4) . string($file)
            . string($says) } @messages)
        . text($text) . pack('Q<7', (0) x 7)
        . pack('Q<7', 0, $how{sites} // 0, 4096, 0, 1, $how{pch_failed} // 0, 0);
}

sub taken_over {
    my ($answer, %how) = @_;
    spew("$dir/answer", $answer);
    return (confine => 1, compiles => 2, words => ['--no-cache', '--limits=parser=1', 'model.pt2',
        '-o', 'out.pt2'], %how, env => { CXX => 'g++', LD_PRELOAD => "$dir/over.so",
            ANSWER => "$dir/answer", SECRET => 'SECRET123', ACT => $how{act} // 'answer' });
}

sub answers {
    my ($what, $says, $answer, %how) = @_;
    return refused_package($what, $says, $sound, taken_over($answer, %how));
}

# ---- the text

my $r = accepted('the source itself as an answer', $sound, taken_over(answer($wrapper)));
like($r->{err}, qr/nothing instrumented/, 'is compiled as it is') or diag($r->{err});
unlike($r->{err}, qr/confined/, 'confined') if $r->{err} !~ /Landlock/;
accepted('an answer with the #line of an instrumented one', $sound, taken_over(answer(
    "#line 1 \"model.pt2/$x_wrapper\"\n#line 7\n$wrapper")));

my $line = qr/line \d+ of the text that the parser's process made of it/;
for my $case (['#include "/etc/passwd"', 'includes'], ['#include "../../secret.txt"', 'includes'],
    ['asm(".incbin \\"/etc/passwd\\"");', 'holds assembler text'],
    ["#include <sys/cdefs.h>\n__CONCAT(as, m)(\"x\"); _Pragma(\"x\")", 'hides a pragma'],
    ['#if __has_include("/etc/passwd")', 'asks which files'],
    ['#line 1 "/etc/passwd"', 'names another file'],
    ["#line 1 \"model.pt2/$x_wrapper\" 3", 'names another file'],
    ['__attribute__((section("x"))) int x;', 'names a section'], ["as\\\nm(\"x\");", 'joins two']) {
    my ($text, $why) = @$case;
    answers("an answer with $text", qr/$line $why/, answer("$text\n$wrapper", sites => 1));
}

# Without that check the kernel's rules hold.
SKIP: {
    skip 'the compilers are not confined here', 2 if $r->{err} =~ /Landlock/;
    answers("unchecked: $_", qr/cannot be compiled/, answer("$_\n$wrapper"), unchecked => 1)
        for 'asm(".incbin \\"/etc/passwd\\"");', '#include "/etc/passwd"';
}

# ---- the rest of the answer

my $nonsense = qr/the parser's answer makes no sense/;
my $good = answer($wrapper);
answers('no answer', $nonsense, '');
answers('half of an answer', $nonsense, substr $good, 0, length($good) / 2);
answers('more than an answer', $nonsense, "${good}x");
answers('a text with a NUL', $nonsense, answer("$wrapper\0"));
answers('a length beyond the end', $nonsense, pack('Q<4', 0, 0, 0, ~0));
answers('messages beyond the end', $nonsense, pack('Q<3', 0, 0, ~0));
answers("status $_", $nonsense, answer($wrapper, status => $_)) for 2, 3, 4, ~0;
answers('an error of its own', qr/^\\x1b\[2Jwhere:3:4: error: \\x1b\]0;evil\\x07\\naotigen: /,
    answer($wrapper, messages => [[0, "\e[2Jwhere", "\e]0;evil\a\naotigen: all is well"]]),
    elsewhere => 1);
answers('an answer without end', qr/its result is too large/, '', act => 'many');
answers('no end', qr/takes the parser too long/, '', act => 'wait');

# A variable that is not passed on is not in the memory of the process either.
answers('what it finds in memory', qr/the parser gave up on it/, $good, act => 'secret');
$r = generate(['--confine=off', '--no-cache', 'w.cpp', '-o', 'out.cpp'],
    do { spew("$at/w.cpp", $wrapper); taken_over($good, act => 'secret') });
is($r->{status}, 0, "but the user's own wrapper has all of the environment") or diag($r->{err});
unlink glob("$at/*");

# What it prints of a package does not control the terminal.
zip("$at/model.pt2", $sound);
$r = generate(['list', 'model.pt2'], taken_over(answer('', printed => "\e]0;evil\a\n")));
is($r->{out}, "\\x1b]0;evil\\x07\n", 'what is listed is escaped');
done_testing;
