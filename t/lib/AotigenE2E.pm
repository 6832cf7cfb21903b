package AotigenE2E;

# AotigenE2E.pm - emits the samples with the torch at hand, rewrites, builds and runs them; for the
# 4xx and 5xx tests.
#
#   sample($name, $device)            -> { name, device, dir, torch }: emitted once, kept below
#                                     build/e2e; for the CPU, where nothing but faults is looked for
#                                     in it, with a wrapper compiled at -O0
#   rewritten($sample)                -> wrapper_dbg.cpp of it
#   built($sample, %levels)           -> a .so at these levels (printer, check_inputs, nan_asserts,
#                                     sync, kernels, guard), that of repackaged(); by => 'build': by
#                                     'aotigen build' of wrapper.cpp and kernel.cpp, as for CUDA,
#                                     which compiles what is the same in every model again. Kept too
#   repackaged($sample, %levels)      -> a .pt2 of it at these levels, made of the sample's package
#                                     alone; kept too
#   run_model($sample, $so, %how)     -> run_cmd() of samples/run.py; %how: args => [...], env =>
#                                     {...}, timeout
#   packages_agree($sample, @levels)  a test: the plain package and a debug package at each of these
#                                     levels (hash references), loaded by one process, give the same
#                                     outputs; -> { out, err } for each
#   same_outputs($sample, $so, $what, %how)   a test: the outputs are the plain model's, bit for
#                                             bit; -> its run_cmd()
#   every_level($sample, $all)        the tests of the printer's levels with checks on, and with
#                                     $all each with them off too (else only level 0); -> the run of
#                                     each, as "2all" or "0off"
#   flags($file)                      the flags that a wrapper or kernel records, without those that
#                                     name files that are gone
#   compiles($file, $wrapper, @warn)  two tests: a rewritten wrapper compiles with every level on
#                                     and with none, by the flags of $wrapper and @warn; not in a
#                                     build with a sanitizer
#   python($code, @arguments, \%how)  as run_cmd(); %how, which may be left out, is its too, and
#                                     import: modules that the code will import
#   why_not($sample, $poke)           why this torch cannot show what is planted by $poke, or undef
#
# Kept files are made again when the sample, the generator or the runtime is newer.

use strict;
use warnings;
use parent 'Exporter';
use Aotigen;
use ForkServer;
use IO::Uncompress::Unzip;

our @EXPORT = qw(sample flags compiles rewritten built repackaged run_model packages_agree
    same_outputs every_level python why_not must);

# A step that the tests after it stand on: where it fails they cannot go on.
sub must {
    my ($r, $what) = @_;
    return $r if !$r->{timed_out} && !$r->{signal} && !$r->{status};
    fail($what);
    diag($r->{timed_out} ? "out of time\n" : "status $r->{status}, signal $r->{signal}\n",
        $r->{err}, $r->{out});
    done_testing();
    exit 1;
}

# Those that are compiled as users' models are: one at every level, one with an operator in Python,
# and a large one. Torch takes twice as long for -O1 as for -O0, which 2.6 cannot be asked for.
my %at_defaults = map { $_ => 1 } qw(custom_op mlp_dyn resnet50);

sub sample {
    my ($name, $device, %how) = @_;
    $device //= 'cpu';
    my $torch = need_torch();
    my $root = root();
    my @settings = @{ $how{settings} // [] };
    my $as = $how{as} // join '-', $name, map { s/[^\w.=]+/_/gr } @settings;
    push @settings, "aot_inductor.compile_wrapper_opt_level='O0'"
        if $device eq 'cpu' && !$at_defaults{$name} && $torch->{version} !~ /^2\.6\./;
    my $dir = "$root/build/e2e/$torch->{version}/$device/$as";
    my @from = glob "$root/samples/*.py $root/samples/faults/*.py";
    locked($dir, sub {
        return if fresh("$dir/complete", @from);
        must(run_forked({ file => "$root/samples/emit.py",
            arguments => [$name, $device, $dir, @settings] }, timeout => 600),
            "torch emits $name");
        spew("$dir/complete", '');
    });
    return { name => $name, device => $device, dir => $dir, torch => $torch };
}

sub flags {
    my ($file) = @_;
    my ($command) = slurp($file) =~ m{^// Compile cmd\n// (.*)$}m;
    my @words = grep { length } split ' ', $command;
    my @flags;
    while (defined(my $word = shift @words)) {
        if ($word eq '-D' || $word eq '-U') { push @flags, $word, shift @words }
        elsif ($word eq '-include' || $word eq '-o') { shift @words }
        elsif ($word =~ /^-(?:D|U|I|O|std|m|f|W|pedantic)/) { push @flags, $word }
    }
    return @flags;
}

sub compiles {
    my ($file, $wrapper, @warn) = @_;
    return if build() =~ m{/san$}; # no sanitizer changes a compiler, nor the text
    my $include = need_torch()->{dir} . '/include';
    my @includes = map { ('-isystem', $_) } root() . '/shared/wrapper', $include,
        "$include/torch/csrc/api/include";
    my @flags = map { s/^-I/-isystem/r } flags($wrapper);
    my @code = @warn ? qw(-O0 -S -o /dev/null) : '-fsyntax-only'; # some warnings come with code
    for my $levels ([on => 1], [off => 0]) {
        my ($what, $value) = @$levels;
        my @levels = map { "-DAOTIGEN_$_=$value" } qw(PRINTER CHECK_INPUTS NAN_ASSERTS SYNC);
        my $r = run_cmd(
            ['g++', @flags, @code, @warn, @levels, @includes, $file], timeout => 300);
        is($r->{status}, 0, "compiles with all levels $what") or diag(substr $r->{err}, 0, 4000);
    }
    return;
}

# The kernels are the same at every level: compiled once. Torch 2.6 has them in the wrapper.
sub kernels_of {
    my ($s) = @_;
    my ($source, $object) = map { "$s->{dir}/kernel.$_" } qw(cpp o);
    return () if !-e $source;
    locked($object, sub {
        return if fresh($object, $source);
        must(run_cmd(['g++', flags($source), '-c', $source, '-o', $object], timeout => 300),
            "the kernels of $s->{name} compile");
    });
    return $object;
}

sub cache { return { XDG_CACHE_HOME => root() . '/build/cache' } }

sub rewritten {
    my ($s) = @_;
    my $to = "$s->{dir}/wrapper_dbg.cpp";
    locked($s->{dir}, sub {
        return if fresh($to, build() . '/aotigen', "$s->{dir}/wrapper.cpp");
        must(run_cmd([build() . '/aotigen', "--torch=$s->{torch}{dir}", "$s->{dir}/wrapper.cpp",
            '-o', $to], env => cache()), "aotigen rewrites $s->{name}");
    });
    return $to;
}

my %option = (printer => 'printer', check_inputs => 'check-inputs', nan_asserts => 'nan-asserts',
    kernels => 'kernels', guard => 'guard');

# The options for some levels, and a name for what is made with them.
sub options_of {
    my (%levels) = @_;
    my @options = map { "--$option{$_}=$levels{$_}" } grep { defined $levels{$_} }
        sort keys %option;
    push @options, '--sync' if $levels{sync};
    my $tag = join('-', map { my $x = $_; $x =~ s/[^a-z0-9]+/_/gi; $x } @options) || 'plain';
    return ("dbg$tag", @options);
}

sub repackaged {
    my ($s, %levels) = @_;
    my ($name, @options) = options_of(%levels);
    my $package = "$s->{dir}/$name.pt2";
    locked($package, sub {
        return if fresh($package, build() . '/aotigen', build() . '/libaotigen.a',
            "$s->{dir}/model.pt2", glob root() . '/shared/wrapper/*');
        my @command = (build() . '/aotigen', "--torch=$s->{torch}{dir}", @options,
            "$s->{dir}/model.pt2", '-o', $package);
        must(run_cmd(\@command, timeout => 300, env => cache()),
            "aotigen makes a debug package of $s->{name} at @options");
    });
    return $package;
}

# The model's library of a package, and the text beside it that names its operators.
sub unpacked {
    my ($package, $so) = @_;
    my $zip = IO::Uncompress::Unzip->new($package) or die "cannot read '$package'\n";
    my $more;
    do {
        my $name = $zip->getHeaderInfo->{Name};
        my $to = $name =~ /\.wrapper\.json$/ ? $so =~ s/so$/json/r : $name =~ /\.so$/ ? $so : undef;
        if ($to) { local $/; spew($to, $zip->getline // '') }
        $more = $zip->nextStream;
    } while $more > 0;
    die "'$package' is cut: remove it\n" if $more < 0;
    return;
}

sub built {
    my ($s, %levels) = @_;
    my $by = delete $levels{by} // ($s->{device} eq 'cpu' ? '' : 'build');
    my ($name, @options) = options_of(%levels);
    my $so = "$s->{dir}/$name" . ($by && "-$by") . '.so';
    if (!$by) {
        my $package = repackaged($s, %levels);
        locked($so, sub { unpacked($package, $so) if !fresh($so, $package) });
        return $so;
    }
    my $wrapper = rewritten($s);
    my @from =
        (build() . '/aotigen', build() . '/libaotigen.a', $wrapper,
        glob root() . '/shared/wrapper/*');
    my @weights = slurp($wrapper) =~ /constants_info_\[0\]/ ? ("--weights=$s->{dir}/model.so") : ();
    my @kernels = kernels_of($s);
    locked($so, sub {
        return if fresh($so, @from);
        my @command = (build() . '/aotigen', 'build', "--torch=$s->{torch}{dir}", @options,
            @weights, $wrapper, @kernels, '-o', $so);
        must(run_cmd(\@command, timeout => 300, env => cache()),
            "aotigen builds $s->{name} at @options");
    });
    return $so;
}

sub run_model {
    my ($s, $so, %how) = @_;
    my $env = { TORCH_SHOW_CPP_STACKTRACES => 0,
        AOTIGEN_OUTPUT_DIR => $how{dir} // tempdir() . '/saved', %{ $how{env} // {} } };
    my @import = ("$so @{ $how{args} // [] }" =~ /\.pt2\b/ ? 'torch._inductor.package' : (),
        # which an operator in Python imports when it is called first
        slurp(root() . '/samples/' . $s->{name} =~ s{\.}{/}gr . '.py') =~ /\btorch\.library\b/
            ? 'torch._dynamo' : ());
    return run_forked({ file => root() . '/samples/run.py', import => \@import,
        arguments => [$so, $s->{dir}, "--model=$s->{name}", "--device=$s->{device}",
            @{ $how{args} // [] }] },
        timeout => $how{timeout} // 300, env => $env, cwd => $how{cwd} // tempdir());
}

sub packages_agree {
    my ($s, @levels) = @_;
    my @packages = ("$s->{dir}/model.pt2", map { repackaged($s, %$_) } @levels);
    my $r = same_outputs($s, $packages[0], "$s->{name}, the plain package and " . @levels
        . ' debug packages', args => [map { "--and=$_" } @packages[1 .. $#packages]]);
    my %seen;
    for my $stream (qw(out err)) {
        my (undef, @parts) = split /^run\.py: (\S+)\n/m, $r->{$stream};
        while (my ($file, $text) = splice @parts, 0, 2) { $seen{$file}{$stream} = $text // '' }
    }
    is(scalar keys %seen, scalar @packages, "$s->{name}: each was loaded and run")
        or diag($r->{err});
    return map { $seen{s{.*/}{}r} // { out => '', err => '' } } @packages[1 .. $#packages];
}

sub same_outputs {
    my ($s, $so, $what, %how) = @_;
    my $r = run_model($s, $so, %how);
    is($r->{status}, 0, "$what: outputs are the plain model's, bit for bit")
        or diag("signal $r->{signal}\n$r->{err}");
    return $r;
}

sub every_level {
    my ($s, $all) = @_;
    my %seen;
    for my $printer (0 .. 3) {
        for my $checks ('all', $all || !$printer ? 'off' : ()) {
            my $so =
                built($s, printer => $printer, check_inputs => $checks, nan_asserts => $checks);
            my $saved = tempdir() . '/saved';
            my $r = same_outputs($s, $so, "$s->{name}, printer $printer, checks $checks",
                dir => $saved);
            $seen{"$printer$checks"} = $r;
            my $names = () = $r->{out} =~ /^\[ (?:before|after)_launch: /mg;
            my $values = () = $r->{out} =~ /^\[  (?:before|after)_launch - /mg;
            my @files = glob "$saved/*.pt";
            is(!!@files, $printer == 1,
                "level $printer saves " . ($printer == 1 ? 'tensors' : 'nothing'));
            is(!!$values, $printer == 2,
                "level $printer prints " . ($printer == 2 ? 'values' : 'no values'));
            is(!!$names, $printer == 3,
                "level $printer prints " . ($printer == 3 ? 'names' : 'no names'));
        }
    }
    return \%seen;
}

sub why_not {
    my ($s, $poke) = @_;
    my ($minor) = $s->{torch}{version} =~ /^2\.(\d+)/;
    return 'update_constant_buffer() of torch 2.6 aborts the process, with the plain model too'
        if $poke =~ /update_constant_buffer/ && $minor < 7;
    my $shape = $poke =~ /inputs\[/ && $poke !~ /nan|inf/ && $poke !~ /update_constant_buffer/;
    return "wrappers of torch $s->{torch}{version} tell nothing of their inputs' dtypes and sizes"
        if $shape && slurp("$s->{dir}/wrapper.cpp") !~ /\bcheck_input_\d/;
    return undef;
}

sub python {
    my ($code, @arguments) = @_;
    need_torch();
    my %how = ref $arguments[-1] ? %{ pop @arguments } : ();
    my $import = delete $how{import} // [];
    return run_forked({ code => $code, arguments => \@arguments, import => $import }, %how);
}

1;
