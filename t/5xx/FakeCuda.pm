package FakeCuda;

# FakeCuda.pm - what the 5xx tests share: the fake libcuda.so.1, and tests for a GPU and its tools.
#
#   build_fake(@flags)   -> path of a libcuda.so.1 made of t/5xx/fake_cuda.c, and kept; dies if it
#                        does not compile. FAKE_CFLAGS adds flags, as a build under ThreadSanitizer
#                        needs
#   build_emulator()     -> the same, with the kernels' own source in it (t/5xx/emulate.cc)
#   c_test_on($library, $name)  Aotigen::c_test() of a test for a GPU, with one of these libraries
#                               in place of the driver
#   build_asker(@with)   -> path of a program made of t/5xx/absent.c and the runtime: its objects,
#                        without the kernels, or @with
#   ended_well($what, $r)  a test: what run_cmd() ran ended by itself and with 0
#   need_gpu()           ends this file as skipped (failed, where AOTIGEN_REQUIRE names cuda) unless
#                        a GPU and its driver are here
#   nvcc()               -> path, or undef
#   cuda_include()       -> the directory of the toolkit's cuda.h, or undef

use strict;
use warnings;
use Aotigen ();
use File::Basename 'dirname';
use Test::More ();

my $root = Aotigen::root();

# A library below build/: made by $make, which is given its path, where a source is newer.
sub kept {
    my ($name, $make) = @_;
    my $library = "$root/build/fake/" . ($name =~ s/[^\w.]+/_/gr) . '/libcuda.so.1';
    my @from = map { glob "$root/$_" } qw(t/5xx/fake_* t/5xx/emulate* kernels/*.h kernels/*.cu*);
    Aotigen::locked($library, sub { $make->($library) if !Aotigen::fresh($library, @from) });
    return $library;
}

sub build_fake {
    my (@flags) = @_;
    my @command = ($ENV{CC} // 'cc', '-std=c11', '-D_GNU_SOURCE', qw(-O1 -g -Wall -Wextra
        -Werror -fPIC -shared), @flags, split(q( ), $ENV{FAKE_CFLAGS} // q()));
    return kept("@command", sub {
        my ($library) = @_;
        my $r = Aotigen::run_cmd([@command, "-I$root/kernels", '-Wl,-soname,libcuda.so.1', '-o',
            $library, "$root/t/5xx/fake_cuda.c", "$root/t/5xx/fake_stream.c", '-lpthread']);
        die "the fake libcuda does not compile:\n$r->{err}" if $r->{status};
    });
}

sub build_emulator {
    my @common = (qw(-g -O2 -U_FORTIFY_SOURCE -fPIC -Wall -Wextra -Werror), "-I$root/kernels");
    my $cc = $ENV{CC} // 'cc';
    my $cxx = $ENV{CXX} // 'c++';
    return kept("emulator $cc $cxx", sub {
        my ($library) = @_;
        my $dir = dirname($library);
        for my $step (
            [$cxx, '-std=c++17', @common, '-Wno-unknown-pragmas', '-c', '-o', "$dir/emulate.o",
                "$root/t/5xx/emulate.cc"],
            [$cc, '-std=c11', '-D_GNU_SOURCE', '-DEMULATE', @common, '-c', '-o', "$dir/fake.o",
                "$root/t/5xx/fake_cuda.c"],
            [$cc, '-std=c11', '-D_GNU_SOURCE', @common, '-c', '-o', "$dir/stream.o",
                "$root/t/5xx/fake_stream.c"],
            [$cxx, '-shared', '-Wl,-soname,libcuda.so.1', '-o', $library,
                "$dir/fake.o", "$dir/stream.o", "$dir/emulate.o", '-lpthread'],
        ) {
            my $r = Aotigen::run_cmd($step);
            die "the emulator does not build:\n$r->{err}" if $r->{status};
        }
    });
}

sub c_test_on {
    my ($library, $name) = @_;
    return Aotigen::c_test($name,
        env => { CUDA_EMULATED => 1, LD_LIBRARY_PATH => $library =~ s{/[^/]+$}{}r });
}

# The program calls only the CPU backend besides: the functions of torch, which it lacks, are never
# called.
sub build_asker {
    my (@with) = @_;
    my $dir = Aotigen::tempdir();
    # An older build may have left objects whose source is gone.
    my $build = Aotigen::build();
    @with = grep { -e s{^\Q$build\E(.*)o$}{$root$1c}r }
        glob "$build/{runtime/*,shared}/*.o" if !@with;
    my $r = Aotigen::run_cmd([$ENV{CC} // 'cc', '-std=c11', '-D_GNU_SOURCE',
        qw(-O1 -g -Wall -Wextra -Werror -rdynamic), "-I$root/runtime",
        '-o', "$dir/ask", "$root/t/5xx/absent.c", @with,
            '-Wl,--unresolved-symbols=ignore-all,-z,lazy', qw(-lm -ldl -lpthread)]);
    die "the asking program does not link:\n$r->{err}" if $r->{status};
    return "$dir/ask";
}

sub nvcc {
    for my $dir (split(/:/, $ENV{PATH}), '/usr/local/cuda/bin') {
        return "$dir/nvcc" if -x "$dir/nvcc";
    }
    return undef;
}

sub cuda_include {
    my $nvcc = nvcc() // '';
    for my $dir ($nvcc =~ s{/bin/nvcc$}{/include}r, '/usr/local/cuda/include', '/usr/include') {
        return $dir if -f "$dir/cuda.h" && Aotigen::slurp("$dir/cuda.h") =~ /\bCUresult\b/;
    }
    return undef;
}

sub ended_well {
    my ($what, $r) = @_;
    my $ok = Test::More::ok(!$r->{timed_out} && !$r->{signal} && $r->{status} == 0, $what);
    Test::More::diag($r->{timed_out} ? 'it ran out of time' : "status $r->{status}, signal "
        . "$r->{signal}", "\n", substr($r->{out}, -2000), substr $r->{err}, -3000) if !$ok;
    return $ok;
}

sub need_gpu {
    my $why;
    my $r = Aotigen::run_cmd(['nvidia-smi', '-L'], timeout => 30);
    if (!-e '/dev/nvidia0' && ($r->{status} != 0 || $r->{out} !~ /^GPU 0/m)) {
        $why = 'no GPU here: no /dev/nvidia0, and nvidia-smi -L names none';
    }
    elsif (!kernels_embedded()) {
        $why = 'the runtime was built without nvcc: it has no CUDA kernels';
    }
    Aotigen::skip_or_fail('cuda', $why) if defined $why;
    return;
}

sub kernels_embedded {
    my $r = Aotigen::run_cmd(['nm', Aotigen::build() . '/libaotigen.a']);
    return $r->{out} =~ / [RrDd] aotigen_stats_fatbin$/m;
}

1;
