# Several models in one process, each with a copy of the library: one line for a crash whichever
# copy handles the signal, in any order of loading and unloading; and an object that is unloaded
# leaves no handler behind.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use File::Copy ();
use POSIX ();

my ($root, $build, $dir) = (root(), build(), tempdir());
my $cc = $ENV{CC} // 'cc';
plan(skip_all => 'an object with a sanitizer in it is never unloaded') if $build =~ m{/(?:t|)san$};

plan(skip_all => 'no cmocka.h here') if !-e '/usr/include/cmocka.h';

sub compile {
    my ($out, @arguments) = @_;
    my $r = run_cmd([$cc, '-std=c11', '-D_GNU_SOURCE=', '-O1', '-g', '-Wall', '-Werror',
        '-o', "$dir/$out", @arguments]);
    is($r->{status}, 0, "$out compiles") or diag($r->{err});
    return;
}
for my $name (qw(a b c)) {
    compile("$name.so", '-shared', '-fPIC', "-DKERNEL=\"kernel_$name\"", "-I$root",
        map({ "-I$root/$_" } qw(runtime kernels t)), "$root/t/lib/crash_model.c",
        "$root/t/lib/shim.c", "$build/libaotigen.a", qw(-lm -ldl -lpthread -lcmocka));
}
compile('host', "$root/t/lib/crash_host.c", qw(-ldl -lpthread));

# What is printed, and what is written to standard error with the numbers of threads as N.
sub host {
    my (@steps) = @_;
    my $r = run_cmd(["$dir/host", $dir, @steps]);
    $r->{err} =~ s/thread \d+/thread N/g;
    return $r;
}

# Not every processor tells a store from a load.
my $nowhere = '; address 0x10' . ((POSIX::uname())[4] eq 'x86_64' ? ' (write)' : '')
    . ", 16 bytes from a null pointer\n";

sub line { return "aotigen: SIGSEGV in run 1, launch 1: kernel_$_[0], launched at model.cpp:11"
    . $nowhere }

sub crashes {
    my ($steps, $err, $what) = @_;
    my $r = host(split ' ', $steps);
    is($r->{signal}, 11, "$what: it dies of the signal") or diag($r->{out}, $r->{err});
    is($r->{err}, $err, "$what: what is said");
    return;
}

crashes('+a !a', line('a'), 'one model');
crashes('+a +b +c !a', line('a'), 'the first of three');
crashes('+a +b +c !c', line('c'), 'the last of three');
crashes('+a +b -a !b', line('b'), 'the other was unloaded, which handled signals');
crashes('+a +b -b !a', line('a'), 'the other was unloaded');
crashes('+a +b -a +c -b !c', line('c'), 'after two changes of the model');
crashes('+a -a +b !b', line('b'), 'one after the other');
crashes('+a +b -a -b !', '', 'all are unloaded');
crashes('+a +b *b', 'aotigen: SIGSEGV on thread N, while thread N was in run 1, launch 1: '
        . "kernel_b, launched at model.cpp:11$nowhere", 'another thread of a launch');
crashes('h +a +b !b', line('b') . "host\n", "the host's handler was first");
crashes('+a h +b !b', "host\n" . line('b'), "the host's handler was later, and chains");
crashes('+a h -a !', "host\n", "the model whose handler the host's chains to is unloaded");

my %left = (
    '+a -a d m' => "default\nmapped:\n",
    '+a +b -a d m' => "handled\nmapped: b\n",
    '+a +b -a +c -b d m' => "handled\nmapped: c\n",
    '+a +b -b -a d m' => "default\nmapped:\n",
    '+a h -a m' => "mapped: a\n",
    'w +a k -a m j' => "mapped:\n", # the handler returns past the code that called it
);
for my $steps (sort keys %left) {
    my $r = host(split ' ', $steps);
    is($r->{out}, $left{$steps}, "what is left after $steps");
    is($r->{status}, 0, 'it ends well') or diag($r->{err});
}

# More than a handler speaks for.
File::Copy::copy("$dir/a.so", "$dir/$_.so") or die $! for 0 .. 129;
my $r = host('#130');
like($r->{err}, qr/\A(?:aotigen: warning: a crash in the model [^\n]* 128 models [^\n]*\n){2}\z/,
    'too many models: it is said of each');
is($r->{status}, 0, 'they are loaded all the same');
done_testing;
