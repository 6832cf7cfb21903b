# Hostile packages: what stands in place of the package, of the output and of the directory for
# temporary files, and files with odd names.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;
use POSIX ();
use Socket ();

sub with_package { zip("$at/model.pt2", $sound); return 'model.pt2' }
refused('a package that is missing', qr/cannot be read: No such file/);
mkdir "$at/model.pt2";
refused('a directory for a package', qr/holds no model/);
rmdir "$at/model.pt2";
POSIX::mkfifo("$at/model.pt2", 0600);
refused('a FIFO for a package', qr/is not a regular file/);
symlink '/dev/zero', "$at/model.pt2";
refused('a device for a package', qr/is not a regular file/);
my $socket;
socket($socket, Socket::AF_UNIX(), Socket::SOCK_STREAM(), 0)
    && bind($socket, Socket::sockaddr_un("$at/model.pt2")) or diag("no socket: $!");
refused('a socket for a package', qr/cannot be read/);
symlink 'model.pt2', "$at/model.pt2";
refused('a link to itself for a package', qr/cannot be read/);
for my $link ([symlink => sub { symlink $_[0], $_[1] }],
    ['hard link' => sub { link $_[0], $_[1] }]) {
    with_package();
    $link->[1]("$at/model.pt2", "$at/out.pt2");
    refused("an output that is a $link->[0] to the package", qr/the output is the input/,
        elsewhere => 1);
}
with_package();
refused('an output that is the package', qr/the output is the input/, elsewhere => 1,
    output => './model.pt2');
with_package();
refused('an output in no directory', qr/cannot be written/, elsewhere => 1,
    output => 'none/out.pt2');
with_package();
mkdir "$at/out.pt2";
refused('an output that is a directory', qr/it is a directory/, elsewhere => 1);
rmdir "$at/out.pt2";
for my $case (['a FIFO', sub { POSIX::mkfifo($_[0], 0600) }],
    ['a device', sub { symlink '/dev/null', $_[0] }]) {
    with_package();
    $case->[1]("$at/out.pt2");
    refused("an output that is $case->[0]", qr/must be a regular file/, elsewhere => 1);
}
with_package();
refused('an output where no file can be made', qr/cannot be written/, elsewhere => 1,
    output => '/proc/out.pt2', compiles => 1);
SKIP: {
    skip 'root may write into any directory', 1 if $> == 0;
    with_package();
    chmod 0555, $at;
    refused('an output in a directory that cannot be written', qr/cannot be written/,
        elsewhere => 1, keep => 1);
    chmod 0755, $at;
}
zip("$at/model.pt2", package_of({}, { name => 'model/large', data => 'x' x 20_000_000 }));
refused('no room for the result', qr/cannot be written: .*File too large/, elsewhere => 1,
    compiles => 1, under => ['sh', '-c', 'ulimit -f 30000; exec "$@"', 'sh']);
zip("$at/model.pt2", package_of({ $x_so => $so . "\0" x 20_000_000 }));
refused('no room for what is unpacked', qr/cannot be unpacked: File too large/, compiles => 1,
    under => ['sh', '-c', 'ulimit -f 30000; exec "$@"', 'sh']);
with_package();
refused('no directory for temporary files',
    qr/cannot make a temporary directory here: No such file/, elsewhere => 1,
    env => { TMPDIR => "$dir/gone" });
with_package();
refused('a file for a directory of temporary files', qr/cannot make a temporary directory here/,
    elsewhere => 1, env => { TMPDIR => "$dir/old.so" });
accepted('a package with an odd name', $sound, input => "a 'b\" %s\\\n\$(x).pt2",
    output => 'out.pt2', words => ["a 'b\" %s\\\n\$(x).pt2", '-o', 'out.pt2']);
accepted('a package that looks like an option', $sound, input => '-model.pt2', output => 'out.pt2',
    words => ['-o', 'out.pt2', '--', '-model.pt2']);
accepted('members with odd names',
    package_of({ $x_wrapper => undef, $x_kernel => undef, $x_so => undef },
    map { { name => "${in}a \"b'\$(x)%s*?.$_->[0]", data => $_->[1] } } ['wrapper.cpp', $wrapper],
    ['kernel.cpp', $kernel], ['wrapper.so', $so]));
accepted('members with names beyond ASCII', package_of({ $x_wrapper => undef, $x_kernel => undef,
    $x_so => undef }, map { { name => "${in}\xc3\xa9\xe4\xb8\xad.$_->[0]", data => $_->[1],
    flags => 0x800 } } ['wrapper.cpp', $wrapper], ['kernel.cpp', $kernel], ['wrapper.so', $so]));
# An option that a package has no use for.
zip("$at/model.pt2", $sound);
my $r = aotigen('list', "--ops=$dir/none", "$at/model.pt2");
is($r->{status}, 2, '--ops of a package');
like($r->{err}, qr/\.pt2: error: --ops is for a wrapper: .*\n\z/, 'says so in a line');
done_testing;
