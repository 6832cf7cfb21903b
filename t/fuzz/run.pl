#!/usr/bin/perl
# run.pl [--runs=N] SECONDS [READER...] - fuzzes each reader, or those that are named, for an equal
# part of the time, and prints what was reached. Half of it goes to inputs of at most 200 bytes, of
# which many are read in a second, the other half to those of at most 1 MB. --runs: of each half, at
# most so many inputs.
#
# A reader's corpus is build/fuzz/corpus/READER, and READER-short: it grows with each run. It begins
# with t/fuzz/seeds/READER, where inputs that once failed are kept, and with what is made here of
# t/corpus. What fails is left in build/fuzz/found/READER-*; to repeat it:
#     AOTIGEN_READER=READER build/fuzz/fuzz-gen build/fuzz/found/READER-...
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../lib";
use AotigenZip;
use Ledger;
use File::Basename 'basename';
use File::Path 'make_path';
use List::Util 'max';
use Time::HiRes 'time';

chdir "$FindBin::Bin/../.." or die;
my ($runs) = ($ARGV[0] // '') =~ /^--runs=(\d+)$/;
shift @ARGV if defined $runs;
my ($seconds, @only) = @ARGV;
my $build = 'build/fuzz';
make_path("$build/corpus", "$build/found", 'build/tmp');
$ENV{TMPDIR} = "$ENV{PWD}/build/tmp" if !$ENV{TMPDIR};
$ENV{ASAN_OPTIONS} = 'detect_leaks=0:allocator_may_return_null=1';

sub slurp { my ($file) = @_; open my $in, '<:raw', $file or die "$file: $!\n"; local $/; <$in> }

# ---- seeds

my $count = 0;
sub seed {
    my ($reader, $text) = @_;
    my $dir = "$build/corpus/$reader";
    make_path($dir);
    open my $out, '>:raw', "$dir/seed-" . $count++ or die;
    print $out $text;
    close $out;
    return;
}

sub seed_kernel {
    my ($language, $text) = @_;
    seed("$_-$language", $text) for qw(kernel graph check);
    return;
}

# Seeds from wrappers and kernels that torch emitted, a few of each kind.
sub seed_sources {
    my (%many, %seen);
    for my $file (sort(glob('t/corpus/*/*/*/*.cpp'), glob('t/corpus/*/*/*/wrapper.json'))) {
        my $text = slurp($file);
        if ($file =~ /json$/) { seed('ops', $text) if $many{ops}++ < 5; next }
        seed('here-text', "g++ -march=native -mavx2 -DUSE_CUDA\n{\"AOTI_MACHINE\":\"x86_64\"}\n"
            . substr $text, -3000) if $many{here}++ < 8;
        seed('text', substr $text, -4000) if $many{text}++ < 12;
        seed('functions', $text) if length $text < 6000 && $many{functions}++ < 12;
        for ($text =~ m{^// (?:Compile|Link) cmd\n// (.*)$}mg) {
            seed('command', $_) if !$seen{s/\d+//gr}++ && $many{command}++ < 12;
        }
        while ($text =~ /^([^\n]*\bcpp_fused\w*\([^;{]*\)\n?\{.*?^\})/msg) {
            my $kernel = $1 =~ s/cpp_fused\w*\(/K(/r;
            seed_kernel('cpp', $kernel) if length $kernel < 4000 && $many{cpp}++ < 40;
        }
        while ($text =~ /(async_compile\.triton\('(\w+)'.*?''', device_str)/sg) {
            my ($source, $name) = ($1, $2);
            next if length $source > 5000;
            seed('triton', $source) if $many{triton}++ < 20;
            seed_kernel('triton', $source =~ s/def \Q$name\E\(/def K(/r) if $many{python}++ < 40;
        }
    }
    return;
}

# A model's '.so' that asks for a library and its versions: as the reader has it, for itself.
sub seed_library {
    my ($file) = @_;
    open my $out, '>', "$file.map" or die;
    print $out "V_1 { global: *; };\nV_2 { } V_1;\n";
    close $out;
    open $out, '>', "$file.c" or die;
    print $out "extern int g(void);\nint f(void) { return g(); }\n";
    close $out;
    my $shared = "cc -shared -fPIC -nostdlib -Wl,--version-script=$file.map";
    system("echo 'int g(void) { return 1; }' | $shared -Wl,-soname,100 -o $file.100 -x c - "
        . "&& $shared -Wl,-rpath,/proc/self/fd:/tmp -o $file $file.c $file.100") == 0 or return;
    seed('here-so', slurp($file));
    return;
}

sub seed_files {
    my $file = "$build/seed";
    zip($file, [{ name => 'm/data/aotinductor/m/a.wrapper.cpp', data => 'int x;' },
        { name => 'm/data/aotinductor/m/a.wrapper.so', data => 'x' },
        { name => 'm/data/aotinductor/m/a.kernel.cpp', data => 'a' x 300, deflate => 1 }]);
    seed('archive', slurp($file));
    zip($file, [{ name => 'm/a', data => 'x', extra => pack('v2 C V a3', 0x7075, 8, 1, 7, 'm/a') }],
        zip64 => {});
    seed('archive', slurp($file));
    open my $out, '>', "$file.c" or die;
    for my $name (map { "_binary_constants_bin_$_" } qw(start end)) {
        print $out qq{__asm__(".globl $name\\n$name: .quad 7");\n};
    }
    print $out "extern int k_start;\nint *f(void) { return &k_start; }\n";
    close $out;
    my $shared = '-shared -fPIC -nostdlib';
    seed_library("$file.so");
    for my $how ('-c', "$shared -s", "$shared -Wl,-z,max-page-size=64") {
        seed('elf', slurp($file)) if system("cc $how -o $file $file.c 2>/dev/null") == 0;
    }
    return;
}

# A cubin of each ABI, and a fatbin of PTX and a cubin.
sub seed_gpu_code {
    for my $x ([0x33, 0x5a055a], [0x41, 0x6005a04]) {
        seed('gpu-code', pack('C4 C5 x7 v2 V Q<3 V v6', 0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, $x->[0],
            8, 2, 190, 1, 0, 64, 64, $x->[1], 64, 56, 0, 64, 1, 0)
            . pack('V2 Q<4 V2 Q<2', 0, 7, 0, 0, 128, 16, 0, 0, 4, 0) . '-arch sm_90a -m ');
    }
    my $entries = join '', map { pack('v2 V Q< V3 V Q<', $_, 0x101, 48, 8, 0, 0, 0x10008, 80, 0)
        . pack('Q<', 0x11) . 'contents' } 1, 2;
    seed('gpu-code', pack('V v2 Q<', 0xba55ed50, 1, 16, length $entries) . $entries);
    seed('gpu-code', ".version 8.0\n.target sm_80\n");
    return;
}

sub seed_texts {
    seed('rewritten', pack 'Q<*', 0, 0, 0, 1, 1, 2, 3, 0, 1, (0) x 20);
    seed('rewritten', pack('Q</a Q<4', 'printed', 0, 1, 0, 1)
        . pack('Q<3 Q</a Q</a', 0, 2, 3, 'f', 'ab') . pack 'Q<*', (0) x 20);
    seed('depend', "x.o: a.cpp /usr/include/a\\ b.h \\\n c\$\$.h\n");
    seed('filter', "triton_*,!aten.gelu, mm?\naten.gelu, aten.addmm");
    seed('settings', "1,3-9,5-\n7\n/tmp/%p-%r%%.log");
    seed('names', "gelo\ngelu,linear_1,cpp_fused_gelu_0");
    seed('json', "a\x01\"\\\xc3\xa9\xff");
    seed('extent', '@0 @1 * 2 + 7 /;#2.0 1 - ? 3 @4 < 5 6 m M');
    seed('text', "AOTInductorModel::AOTInductorModel(int x)\n"
        . "    : AOTInductorModelBase(1, 1, 1, true) {\n"
        . "    constants_info_[0].name = \"w\";\n    constants_info_[0].data_size = 4096;\n"
        . "    inputs_info_[0].name = \"a\";\n    in_spec_ = R\"([1, {\"type\": \"builtins.tuple\","
        . " \"context\": \"null\", \"children_spec\": []}])\";\n}\n");
    return;
}

# What a program leaves for `aotigen run`, and what torch says of an op.
sub seed_records {
    my $place = '"pid":7,"run":1,"launch":2,"site":3,"line":40,"source":"m.cpp","kernel":"k_0"';
    my @log = map { qq({"event":"$_",$place,"arg":"buf3","check":"shape","expected":"[2]",)
        . qq("found":"[3]","element":8,"first_index":[1,2],"model_lines":[{"file":"m.py","line":3,)
        . qq("text":"x \\u00e4","module":"a.b"}]}\n) }
        qw(guard memory born unknown hang race operator load device failed selection);
    push @log, qq({"event":"signal","signal":"SIGSEGV",$place}\n);
    push @log, qq({"event":"in_flight","at":"launched","kernel":"k_0     ",$place}\n);
    seed('event-log', $_) for @log, join '', @log;
    my $frame = 'in k<<<(16,1,1),(128,1,1)>>> () at /tmp/x.py:20';
    my $dump = "CUDA Exception: Warp Illegal Address\n"
        . "The exception was triggered at PC 0x7f0c28df8e30  k  (x.py:20)\n"
        . '[Current focus set to CUDA kernel 0, grid 12, block (3,0,0), thread (32,0,0), device 0,'
        . " sm 6, warp 1, lane 0]\n";
    seed('core-dump', $_) for $dump, "$dump#0  0x00007f0c $frame\n20      tl.store(o, x)\n";
    my @site = ['cpp_fused_log_0', 'log', 'arg0_1', 'buf0', 'ks0'];
    my @launch = [0, [tensor(0, hash => 1), scalar_arg(2, 8)], [tensor(1, hash => 2)]];
    for my $more (0, 1) {
        my ($names, $ring) = ledger_parts(sites => [(@site) x (1 + $more)],
            runs => [map { $_ => [(@launch) x (1 + $more)] } 1 .. 2]);
        seed('ledger', chr(length($names) / 16) . $names . $ring);
    }
    seed('schema', 'x::f(Tensor(a!) x, Tensor?[] xs, *, float k=1.0) -> Tensor(a!)');
    seed('schema', 'x::f.out(Tensor x, int[2] n=[1, 2], str m="a, (b") -> (Tensor, Tensor[] r)');
    return;
}

# ---- the runs

sub readers_of {
    my ($program) = @_;
    local $ENV{AOTIGEN_READER};
    delete $ENV{AOTIGEN_READER};
    return map { [$program, $_] } split ' ', `$build/fuzz-$program 2>/dev/null`;
}
my @targets = map { readers_of($_) } qw(gen run);
die "make fuzz builds the targets first\n" if !@targets;
if (@only) {
    my %only = map { $_ => 1 } @only;
    @targets = grep { $only{ $_->[1] } } @targets;
}
seed_sources();
seed_files();
seed_texts();
seed_gpu_code();
seed_records();

my ($failed, $total) = (0, 0);
my $each = int($seconds / @targets / 2) || 1;

# Fuzzes one reader from one corpus: how many inputs it read, and what libFuzzer says at the end.
sub fuzz {
    my ($program, $reader, $corpus, $length) = @_;
    my $text = $reader =~ s/^(?:graph|check)-/kernel-/r; # all read the same
    my $seeds = "t/fuzz/seeds/$text";
    my $dictionary = "t/fuzz/$text.dict";
    make_path("$build/corpus/$corpus");
    local $ENV{AOTIGEN_READER} = $reader;
    my @command = ("$build/fuzz-$program", "-max_total_time=$each", "-max_len=$length",
        '-runs=' . ($runs // -1),
        '-timeout=20', '-rss_limit_mb=1500', '-print_final_stats=1', '-reload=0',
        "-artifact_prefix=$build/found/$reader-", -e $dictionary ? "-dict=$dictionary" : (),
        "$build/corpus/$corpus", -d $seeds ? $seeds : ());
    system("@command >$build/$corpus.log 2>&1");
    my $wrong = $?;
    my $log = slurp("$build/$corpus.log");
    my ($n) = $log =~ /number_of_executed_units:\s+(\d+)/;
    my ($mib) = $log =~ /peak_rss_mb:\s+(\d+)/;
    my ($edges, $inputs) = $log =~ /.*cov: (\d+) .*?corp: (\d+)/s;
    print "$corpus failed: see $build/$corpus.log\n" if $wrong;
    $failed = 1 if $wrong;
    return map { $_ // 0 } $n, $edges, $inputs, $mib;
}

printf "%-15s %11s %9s %7s %7s %7s\n", qw(reader executions a-second edges inputs MiB);
for my $target (@targets) {
    my $begin = time;
    my @short = fuzz(@$target, "$target->[1]-short", 200);
    my @long = fuzz(@$target, $target->[1], 1_000_000);
    my $n = $short[0] + $long[0];
    printf "%-15s %11d %9d %7d %7d %7d\n", $target->[1], $n, $n / (time - $begin),
        max($short[1], $long[1]), $short[2] + $long[2], max($short[3], $long[3]);
    $total += $n;
}
print "$total executions\n";
exit $failed;
