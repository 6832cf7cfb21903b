package AotigenHostile;

# AotigenHostile.pm - what the tests of hostile packages share: a sound package of one wrapper and
# one kernel, changes to it, and what must hold when aotigen refuses or takes the result.
#
#   package_of(\%change, @more)   the members of the sound package: NAME => text replaces a member,
#                                 NAME => undef leaves it out; @more follow (see AotigenZip)
#   with_member(@more)            the sound package and these members
#   body_of($text, $body)         the wrapper or the kernel with this text within
#   refused($what, $says, %how)   a test: aotigen refuses $at/model.pt2 with one line that matches
#                                 $says and exit status 1, within 300 MiB; it runs nothing of the
#                                 package and leaves nothing behind
#   refused_package($what, $says, \@members, %how)   the same for a package of these members
#   accepted($what, \@members, %how)                 tests: aotigen takes it, with the same limits
#   generate(\@words, %how)       one run of aotigen -> run_cmd(), with kb: its peak memory
#   compiler_ran()                whether the last run started a compiler
#   all_of($directory)            name => size, times and place of each file below it
#
# %how: input and output (names of the files), words (all arguments), env, under (a command to run
# aotigen under), compiles (1: a compiler may run before the refusal; 2: and its own errors follow),
# confine (parser and compilers run confined; else what refuses is a check of the text alone),
# unchecked (no text is checked: aotigen-unchecked),
# elsewhere (the message need not name the package), kb (another limit of memory), keep (leave the
# files in $at), zip (see AotigenZip).
# aotigen runs in $at, with $tmp for temporary files, below $dir; $torch is a made-up torch.

use strict;
use warnings;
use Aotigen;
use AotigenZip;
use File::Find ();
use POSIX ();

use parent 'Exporter';
our @EXPORT = qw($dir $tmp $at $torch $wrapper $kernel $launching $so $object $sound $noting
    $in $x_wrapper $x_kernel $x_so $x_object MAX_KB package_of with_member body_of
    generate refused refused_package accepted compiler_ran all_of zip);

# A sanitizer needs memory of its own.
use constant MAX_KB => (build() =~ m{/san$} ? 3 : 1) * 300 * 1024;

our $dir = tempdir();
our ($tmp, $at, $torch) = ("$dir/tmp", "$dir/at", "$dir/site-packages");
File::Path::make_path($tmp, $at, "$dir/bin", "$dir/outside", "$torch/torch/lib",
    "$torch/torch/include/torch/csrc/inductor", "$torch/torch/include/torch/csrc/api/include");
spew("$torch/torch/version.py", "__version__ = '2.11.0'\n");
spew("$torch/torch/include/torch/csrc/inductor/cpp_prefix.h", "#pragma once\n");
spew("$torch/torch/include/torch/csrc/inductor/tiny.h", <<'END');
#pragma once
typedef void *AtenTensorHandle;
struct constant_info { const char *name; unsigned long data_size; bool from_folded; };
struct AOTInductorModelBase {
  AOTInductorModelBase(int, int, int, bool) {}
  constant_info constants_info_[1];
};
struct AOTInductorModel : AOTInductorModelBase {
  AOTInductorModel(int);
  void run_impl();
  void run_impl(AtenTensorHandle *, AtenTensorHandle *);
};
END
spew("$torch/torch/include/torch/csrc/inductor/launch.h", <<'END');
#pragma once
#include <torch/csrc/inductor/tiny.h>
#include <utility>
#include <vector>
struct RAIIAtenTensorHandle {
  AtenTensorHandle h;
  RAIIAtenTensorHandle(AtenTensorHandle x = 0) : h(x) {}
  void *data_ptr() const { return h; }
  AtenTensorHandle get() const { return h; }
  operator AtenTensorHandle() const { return h; }
  AtenTensorHandle release() { return h; }
};
inline std::vector<RAIIAtenTensorHandle> steal_from_raw_handles_to_raii_handles(AtenTensorHandle *,
                                                                                unsigned n) {
  return std::vector<RAIIAtenTensorHandle>(n);
}
END
spew("$dir/outside/secret.h", "int SECRET123;\n");
symlink "$dir/outside/secret.h", "$torch/torch/include/leads_out.h";

# ---- the sound package

our $wrapper = <<'END';
#include <torch/csrc/inductor/tiny.h>
extern "C" const unsigned char _binary_constants_bin_start[];
extern "C" const unsigned char _binary_constants_bin_end[];
extern "C" void cpp_fused_0(float *);
AOTInductorModel::AOTInductorModel(int x)
    : AOTInductorModelBase(1, 1, 1, true) {
    constants_info_[0].name = "w";
    constants_info_[0].data_size = 4096;
    constants_info_[0].from_folded = false;
}
void AOTInductorModel::run_impl() {}
extern "C" const void *weights() { return _binary_constants_bin_start; }
/*BODY*/
// Compile cmd
// g++ x.wrapper.cpp -fPIC -std=c++17 -O0 -c -o x.wrapper.o
// Link cmd
// g++ x.wrapper.o x.kernel.o -shared -fPIC -o x.wrapper.so
END
our $kernel = <<'END';
#include <torch/csrc/inductor/cpp_prefix.h>
/*BODY*/
extern "C" void cpp_fused_0(float *) {}
// Compile cmd
// g++ x.kernel.cpp -fPIC -std=c++17 -O0 -c -o x.kernel.o
END

# The same with something to instrument.
our $launching = $wrapper =~ s/(cpp_fused_0\(float \*)\)/$1, float *)/r;
$launching =~ s/tiny\.h/launch.h/;
$launching =~ s{void AOTInductorModel::run_impl\(\) \{\}}{<<'END'}e;
void AOTInductorModel::run_impl(AtenTensorHandle* input_handles, AtenTensorHandle* output_handles) {
    auto inputs = steal_from_raw_handles_to_raii_handles(input_handles, 1);
    auto arg0_1 = std::move(inputs[0]);
    RAIIAtenTensorHandle buf0(0);
    cpp_fused_0((float*)(arg0_1.data_ptr()), (float*)(buf0.data_ptr()));
    output_handles[0] = buf0.release();
}
END

# The plain model's .so leaves a file behind if it is ever loaded.
spew("$dir/old.c", <<"END");
#include <fcntl.h>
__asm__(".section .lrodata,\\"a\\"\\n.balign 64\\n"
        ".globl _binary_constants_bin_start\\n_binary_constants_bin_start: .fill 4096,1,7\\n"
        ".hidden _binary_constants_bin_start, _binary_constants_bin_end\\n"
        ".globl _binary_constants_bin_end\\n_binary_constants_bin_end:\\n.text");
__attribute__((constructor)) static void ran(void) { open("$dir/outside/ran", O_CREAT, 0600); }
END
for my $made (['so', '-shared'], ['o', '-c']) {
    my ($suffix, $how) = @$made;
    my $r = run_cmd(['gcc', $how, '-fPIC', '-o', "$dir/old.$suffix", "$dir/old.c"]);
    die "gcc does not make old.$suffix:\n$r->{err}" if $r->{status};
}
our ($so, $object) = map { slurp("$dir/old.$_") } qw(so o);

our $in = 'model/data/aotinductor/model/';
our ($x_wrapper, $x_kernel, $x_so, $x_object) = map { "${in}x.$_" } qw(wrapper.cpp kernel.cpp
    wrapper.so weights.o);

# The members, some of them changed: name => text, or undef to leave it out; others follow.
sub package_of {
    my ($change, @more) = @_;
    my @members = ([$x_wrapper, $wrapper], [$x_kernel, $kernel], ["${in}x.wrapper_metadata.json",
        '{"a": 1}'], [$x_so, $so], ['model/archive_format', 'pt2'], ['model/byteorder', 'little']);
    return [(map { my ($name, $data) = @$_; exists $change->{$name}
        ? (defined $change->{$name} ? { name => $name, data => $change->{$name} } : ())
        : { name => $name, data => $data } } @members), @more];
}

our $sound = package_of({});

sub with_member { return package_of({}, @_) }

sub body_of { my ($text, $body) = @_; return $text =~ s{/\*BODY\*/}{$body}r }

# ---- one run

# A compiler that notes that it was run, and runs g++.
our $noting = spew("$dir/bin/noting",
    "#!/bin/sh\ncase \$1 in --version|-xc++) ;; *) echo \"\$@\" >>$dir/compiled ;; esac\n"
    . "exec g++ \"\$@\"\n");
chmod 0755, $noting;

# Runs a command and writes its status and peak memory (with that of its children) to a file.
my %getrusage = (x86_64 => 98, aarch64 => 165);
my ($machine) = (POSIX::uname())[4];
my $measure = <<'END';
my ($to, $number, @command) = @ARGV;
my $child = fork // die;
if (!$child) { exec { $command[0] } @command or POSIX::_exit(127) }
waitpid $child, 0;
my $status = $?;
my $usage = "\0" x 256;
syscall($number, -1, $usage) if $number;
open my $out, '>', $to or die;
print $out "$status ", (unpack 'q<*', $usage)[4];
END

sub all_of {
    my ($in_dir) = @_;
    my %all;
    File::Find::find({ no_chdir => 1, wanted => sub { my @s = lstat; $all{ substr $_,
        length $in_dir } = join ' ', @s[1, 2, 7], -d _ ? () : $s[9] } }, $in_dir);
    return \%all;
}

my $compiles;
sub compiler_ran { return $compiles }

sub generate {
    my ($words, %how) = @_;
    unlink "$dir/compiled", "$dir/measured";
    my @confine = $how{confine} || $words->[0] =~ /^(?:list|build)$/ ? () : '--confine=off';
    my @command = (@{ $how{under} // [] },
        build() . '/aotigen' . ($how{unchecked} ? '-unchecked' : ''), "--torch=$torch", @confine,
        @$words);
    my $r = run_cmd([$^X, '-e', $measure, "$dir/measured", $getrusage{$machine} // 0, @command],
        cwd => $at, timeout => 100, env => { TMPDIR => $tmp, XDG_CACHE_HOME => "$dir/cache",
            CXX => $noting, %{ $how{env} // {} } });
    my ($status, $kb) = -s "$dir/measured" ? split(' ', slurp("$dir/measured")) : (0xffff, 0);
    @$r{qw(status signal kb)} = ($status >> 8, $status & 127, $kb);
    $compiles = -e "$dir/compiled";
    return $r;
}

# One test for each case: its failure names everything that is wrong.
my (%slow, %large);
sub refused {
    my ($what, $says, %how) = @_;
    my $input = $how{input} // 'model.pt2';
    my $before = all_of($at);
    my $r = generate($how{words} // [$input, '-o', $how{output} // 'out.pt2'], %how);
    my @errors = $r->{err} =~ /^(.*\berror: .*)$/mg;
    @errors = $errors[0] if ($how{compiles} // 0) == 2; # the compiler's own follow
    my @wrong;
    push @wrong, 'died of signal ' . $r->{signal} if $r->{signal};
    push @wrong, 'ran out of time' if $r->{timed_out};
    push @wrong, "exit status $r->{status}" if $r->{status} != 1;
    push @wrong, scalar(@errors) . ' lines of errors' if @errors != 1;
    push @wrong, 'does not begin with its name'
        if @errors && !$how{elsewhere} && $errors[0] !~ m{^\Q$input\E(?:/.*?)?(?::\d+)*: error: };
    push @wrong, "does not say $says" if !grep { /$says/ } @errors;
    push @wrong, 'writes control characters' if $r->{err} =~ /[^\n\t -~\x80-\xff]|\xc2[\x80-\x9f]/;
    push @wrong, 'quotes a secret' if $r->{err} =~ /SECRET123/;
    push @wrong, "takes $r->{kb} kB" if $r->{kb} > ($how{kb} // MAX_KB);
    push @wrong, 'runs a compiler' if $compiles && !$how{compiles};
    my @left = glob "$tmp/* $tmp/.a*";
    push @wrong, "leaves @left" if @left;
    push @wrong, 'keeps a cache' if -e "$dir/cache";
    push @wrong, 'runs what it holds' if -e "$dir/outside/ran";
    my $after = all_of($at);
    push @wrong, 'changes ' . join ' ',
        grep { ($before->{$_} // '') ne ($after->{$_} // '') } keys %{ { %$before, %$after } }
        if join("\n", %$before{ sort keys %$before }) ne join("\n", %$after{ sort keys %$after });
    ok(!@wrong, "$what: refused") or diag(join(', ', @wrong), "\n", substr $r->{err}, 0, 1500);
    ($slow{$what}, $large{$what}) = @$r{qw(seconds kb)};
    unlink "$dir/outside/ran";
    File::Path::remove_tree("$dir/cache");
    unlink glob("$at/*") if !$how{keep};
    return $r;
}

sub refused_package {
    my ($what, $says, $members, %how) = @_;
    zip("$at/model.pt2", $members, %{ $how{zip} // {} });
    return refused($what, $says, %how);
}

sub accepted {
    my ($what, $members, %how) = @_;
    my $input = $how{input} // 'model.pt2';
    zip("$at/$input", $members, %{ $how{zip} // {} }) if $members;
    my $r = generate($how{words} // [$input, '-o', $how{output} // 'out.pt2'], %how);
    ok($r->{status} == 0 && !$r->{signal} && -s "$at/" . ($how{output} // 'out.pt2'),
        "$what: taken") or diag($r->{err});
    is(join(' ', glob "$tmp/* $tmp/.a* $at/.a*"), '', "$what: nothing is left");
    cmp_ok($r->{kb}, '<=', MAX_KB, "$what: within 300 MiB");
    ok(!-e "$dir/outside/ran", "$what: nothing of it was run");
    File::Path::remove_tree("$dir/cache");
    unlink glob("$at/*") if !$how{keep};
    return $r;
}

# SLOW=1 shows which cases took most time and memory.
END {
    if ($ENV{SLOW}) {
        for my $by (['%6.2f s  %s', \%slow], ['%6d kB %s', \%large]) {
            my ($form, $of) = @$by;
            my @most = grep { defined } (sort { $of->{$b} <=> $of->{$a} } keys %$of)[0 .. 9];
            diag(sprintf $form, $of->{$_}, $_) for @most;
        }
    }
}

1;
