# What each torch from 2.9 to 2.15 records of the model's lines where it compiles with
# INDUCTOR_PROVENANCE=1: each launch has them, of the package alone, with the exported program, and
# with that alone, compared with what torch itself read (t/corpus/lines).
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenZip;
use JSON::PP 'decode_json';

plan(skip_all => 't/153-model-lines.c reads the same under a sanitizer') if build() =~ m{/san$};
my $torch = need_torch_of('2.11.0');
my $dir = tempdir();
my @versions = map { m{([^/]+)$} } glob root() . '/t/corpus/lines/2.*';
is(scalar @versions, 7, 'each version from 2.9 to 2.15');

sub member { my ($model, $name, $file) = @_;
    return { name => "model/data/aotinductor/$model/$name", data => slurp($file) } }

# A package of a model for each device.
sub package_of {
    my ($name, $in, $devices, @files) = @_;
    return zip("$dir/$name.pt2", [map { my $device = $_;
        map { member($device, $_ eq 'wrapper.cpp' ? "$device.wrapper.cpp" : $_,
            "$in/$device/$_") } @files } @$devices]);
}

# The sites of each model, by its device.
sub sites_of {
    my ($said, @arguments) = @_;
    my $r = aotigen('list', '--json', "--torch=$torch->{dir}", @arguments);
    is($r->{status}, 0, "list @arguments") or diag($r->{err});
    my %sites;
    my $device;
    for my $x (map { decode_json($_) } split /\n/, $r->{out}) {
        $device = $x->{device} =~ s/:.*//r if $x->{type} eq 'model';
        push @{ $sites{$device} }, $x if $x->{type} eq 'site';
    }
    my @other = grep { !/warning: the wrapper was emitted by torch|$said/ } split /\n/, $r->{err};
    is("@other", '', 'and says nothing else');
    return %sites;
}

sub lines_of {
    my ($site, $modules) = @_;
    my %seen = map { ("$_->{file}:$_->{line}" . ($modules ? ' ' . ($_->{module} // '') : '')) => 1 }
        @{ $site->{model_lines} // [] };
    return sort keys %seen;
}

# The number of the debug handle in the comment of each site, which is on one of the few lines
# before it; undef where it has none.
sub numbers_of {
    my ($wrapper, @sites) = @_;
    my @text = split /\n/, slurp($wrapper);
    my %taken;
    return map {
        my $at = $_->{line} - 1;
        $at-- while $at && !$taken{$at} && $text[$at] !~ m{handles\] \S+};
        !$taken{$at}++ && $text[$at] =~ m{handles\] \S+:(\d+)} ? $1 : undef
    } @sites;
}

# with, alone: the same site of the other two ways, or undef.
sub compare {
    my ($what, $truth, $number, $site, $with, $alone) = @_;
    my @recorded = @{ $truth->{recorded}{$number} };
    my @modules = @{ $truth->{modules}{$number} };
    cmp_ok(scalar @recorded, '>', 0, "$what: torch recorded lines");
    is_deeply([lines_of($site)], \@recorded, 'those of the package');
    ok(!$site->{lines_guessed}, 'which are no guess');
    return if !$with;
    is_deeply([lines_of($with, 1)], \@modules, 'with the program, modules too');
    my %true = map { $_ => 1 } @modules;
    my @found = lines_of($alone, 1);
    cmp_ok(scalar @found, '>', 0, 'found in the program alone');
    is(join(' ', grep { !$true{$_} } @found), '', 'and no other');
    return;
}

# The precompiled headers of a wrapper in no package are kept, and all versions include the same:
# without them each package is parsed in seconds.
for my $device (qw(cpu cuda)) {
    my $r = aotigen('list', "--torch=$torch->{dir}",
        root() . "/t/corpus/lines/$versions[0]/$device/wrapper.cpp");
    is($r->{status}, 0, "the wrapper alone, $device") or diag($r->{err});
}

# The other two ways are tried for the CPU alone, but for one version.
for my $version (@versions) {
    my $in = root() . "/t/corpus/lines/$version";
    my $exported = "--exported=$in/cpu/exported.json";
    my @files = qw(wrapper.cpp kernel_information.json);
    my $more = $version =~ /^2\.11/ ? ['cpu', 'cuda'] : ['cpu'];
    my $note = 'note: holds no line of the model for 1 of its \d+ launches: --exported=FILE may';
    my %recorded = sites_of($note, package_of('both', $in, ['cpu', 'cuda'], @files));
    my %with = sites_of('^$', $exported, package_of('with', $in, $more, @files));
    my %alone = sites_of('^$', $exported, package_of('alone', $in, $more, 'wrapper.cpp'));
    for my $device (qw(cpu cuda)) {
        my $truth = decode_json(slurp("$in/$device/truth.json"));
        my @sites = @{ $recorded{$device} // [] };
        my @numbers = numbers_of("$in/$device/wrapper.cpp", @sites);
        my $compared = 0;
        for my $i (0 .. $#sites) {
            my ($site, @other) = ($sites[$i], map { $_->{$device} ? $_->{$device}[$i] : () }
                \%with, \%alone);
            my $what = "$version, $device: $site->{kernel}";
            if (defined $numbers[$i]) {
                compare($what, $truth, $numbers[$i], $site, @other);
                $compared++;
            } elsif ($site->{form} eq 'item') {
                is_deeply([lines_of($site)], [], "$what: torch records nothing of it");
                is_deeply([lines_of($_)], [$truth->{condition}], 'the program tells its line')
                    for @other;
            } else {
                is($site->{kernel}, 'aoti_torch_clone_preserve_strides', "$what: only a copy");
            }
        }
        is($compared, scalar keys %{ $truth->{recorded} }, 'each record was compared');
    }
}
done_testing;
