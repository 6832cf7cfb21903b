# aotigen replay --host: what the program in C does not run, and why; the packages are made up.
# t/490-replay-host.t runs it with torch.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;
use JSON::PP;

my $json = JSON::PP->new->canonical;
my $tensor = { dtype => 'float32', sizes => [2, 3], strides => [3, 1], device => 'cpu',
    kept => 'copied', why => undef };
my ($model) = map { m{/data/aotinductor/([^/]+)/} } map { $_->{name} } @{ package_of({}) };
my $folder = $x_so =~ s{[^/]+$}{}r;
my $metadata = $x_so =~ s/\.so$/_metadata.json/r;
my $said = { aotigen_capsule => 1, aotigen => '0.9', time => 1764453000.5, host => 'node7',
    pid => 4711, rank => undef, run => 9, entry => 'AOTInductorModelContainerRun',
    model => { model => $model, package => "$at/model.pt2", so_hash => '0' x 16 },
    device => 'cpu', gpu => undef, weights => 'as loaded', findings => [], inputs => [$tensor],
    outputs => [$tensor], environment => {} };

# What torch.save() writes of the tensors.
my $storage = "((X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0" . '0' . "X\3\0\0\0cpuK\6tQ";
sub saved {
    my ($sizes) = @_;
    return "ctorch._utils\n_rebuild_tensor_v2\n${storage}K\0${sizes}K\3K\1\x86\x89"
        . "ccollections\nOrderedDict\n)RtR";
}
sub pickle {
    my ($inputs, $outputs) = @_;
    return "\x80\2}(X\6\0\0\0inputs](${inputs}eX\7\0\0\0outputs](${outputs}eu.";
}
my $two_by_three = saved("K\2K\3\x86");
my $whole = pickle($two_by_three, 'N');

sub replay {
    my ($pickle, $host, %how) = @_;
    zip("$at/model.pt2", package_of({ $x_wrapper => $launching, %{ $how{with} // {} } },
            @{ $how{members} // [] }));
    my $says = $json->encode({ %$said, %{ $how{says} // {} } });
    zip("$at/a.capsule", [{ name => 'a/capsule.json', data => $says },
            { name => 'a/data.pkl', data => $pickle },
            { name => 'a/byteorder', data => $how{order} // 'little' }]);
    return run_cmd([build() . '/aotigen', 'replay', "--torch=$torch", '--confine=off',
            "--host=$host", 'a.capsule'], cwd => $at, env => { TMPDIR => $tmp,
            XDG_CACHE_HOME => "$dir/cache", PYTHON => '/none' });
}
my ($hash) = replay($whole, 'c')->{err} =~ /has the hash (\w+)/;
$said->{model}{so_hash} = $hash;

sub needs_python {
    my ($what, $says, $pickle, %how) = @_;
    my $r = replay($pickle, 'c', %how);
    is("$r->{status} $r->{out}", '1 ', "$what is left to Python");
    like($r->{err}, qr/\Aa\.capsule: error: cannot be replayed without Python: $says; \N*\n\z/,
        'which is said');
    like(replay($pickle, 'auto', %how)->{err}, qr/is not there: a capsule's inputs are run by/,
        'and done');
}
sub of { my ($name, $data) = @_; return { name => "$folder$name", data => $data } }
my %cpu = (with => { $metadata => '{"AOTI_DEVICE_KEY": "cpu"}' });
needs_python('a package that tells no device', 'the package does not tell its device', $whole);
needs_python('one for another device', "the model is for 'cuda', and the capsule is of a run on "
        . "'cpu'", $whole, with => { $metadata => '{"AOTI_DEVICE_KEY":"cuda"}' });
needs_python('a blob of weights', "the model has 'w\\.blob', which torch's loader may read", $whole,
    %cpu, members => [of('w.blob', 'x')]);
needs_python('operators', "torch's loader is to call operators for the model", $whole,
    %cpu, members => [of('x.wrapper.json', '{"nodes": []}')]);
needs_python('weights beside the models',
    "the package has '\\S*data/weights/w', which torch's loader reads", $whole, %cpu,
    members => [{ name => $x_so =~ s{/data/.*}{/data/weights/w}r, data => 'x' }]);
for my $row (['other things', 'it holds other things than plain tensors', pickle('K' . "\1", 'N')],
    ['weights', 'it has more than inputs and outputs', "\x80\2}(X\7\0\0\0weights]u."],
    ['no pickle', 'its tensors are not written as plain ones are', 'x']) {
    my ($what, $says, $pickle) = @$row;
    needs_python("a capsule with $what", $says, $pickle, %cpu);
}
needs_python('another byte order', 'its numbers are perhaps of another byte order', $whole,
    %cpu, order => 'big');
needs_python('another device', 'it knows CPUs and GPUs of CUDA alone', $whole, %cpu,
    says => { inputs => [{ %$tensor, device => 'xpu:0' }] });
needs_python('a torch without libraries', 'no torch was found that has its libraries', $whole,
    %cpu);

# What the description says of the tensors has to be so: before anything is made.
for my $row (['no tensor', 'input 0 is no tensor: the capsule was', pickle('N', 'N')],
    ['other sizes', 'input 0 is float32 \[3, 2\], where the capsule\'s description has float32 '
        . '\[2, 3\]: it was changed after it was written', pickle(saved("K\3K\2\x86"), 'N')],
    ['an output of other sizes', 'output 0 is float32 \[3, 2\], where',
        pickle($two_by_three, saved("K\3K\2\x86"))],
    ['fewer tensors', 'the capsule holds 0 inputs and 1 outputs, where its description has 1 and 1',
        pickle('', 'N')]) {
    my ($what, $says, $pickle) = @$row;
    my $r = replay($pickle, 'c', %cpu);
    like($r->{err}, qr/\Aa\.capsule: error: cannot be replayed: $says\N*\n\z/, "$what: refused");
}
like(replay($whole, 'perl')->{err}, qr/value 'perl' of option '--host' must be auto, c or python/,
    'another host');
done_testing;
