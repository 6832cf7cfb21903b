# Packages whose text reaches the compiler and then asks for what is not theirs. No check of a text
# refuses these; the compilers run confined, and the kernel does.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;

# $CXX of the other tests is a script, which cannot be confined.
my %confined = (confine => 1, env => { CXX => 'g++' });

my $r = generate([do { zip("$at/model.pt2", $sound); 'model.pt2' }, '-o', 'out.pt2', '-v'],
    %confined);
is($r->{status}, 0, 'a sound package is taken') or diag($r->{err});
if ($r->{err} =~ /does not run confined: this kernel has no Landlock/) {
    $r = generate(['--confine=require', 'model.pt2', '-o', 'out.pt2'], %confined);
    is($r->{status}, 1, 'where the kernel has no Landlock, it is not taken if that is required');
    done_testing;
    exit;
}
unlike($r->{err}, qr/confined/, 'and nothing is said of that');

subtest 'the result is the same, confined or not' => sub {
    my @made = map {
        my $r = generate(["--confine=$_", 'model.pt2', '-o', "$_.pt2"], %confined);
        is($r->{status}, 0, $_) or diag($r->{err});
        slurp("$at/$_.pt2");
    } qw(require off);
    ok($made[0] eq $made[1], 'byte for byte');
};

# torch 2.15 records -g1.
subtest 'debug information does not name the directory that aotigen is run in' => sub {
    my %changed = map { my ($name, $text) = @$_; ($name => $text =~ s{^// g\+\+ }{$&-g1 }mgr) }
        ([$x_wrapper, $wrapper], [$x_kernel, $kernel]);
    isnt($changed{$x_wrapper}, $wrapper, 'the command asks for it');
    zip("$at/lines.pt2", package_of(\%changed));
    for my $confine (qw(require off)) {
        my $r = generate(["--confine=$confine", 'lines.pt2', '-o', 'lines-out.pt2'], %confined);
        is($r->{status}, 0, $confine) or diag($r->{err});
        my $made = slurp("$at/lines-out.pt2");
        ok(index($made, '.debug_info') >= 0, 'it is there');
        ok(index($made, $at) < 0, 'and does not name it');
        ok(index($made, $tmp) < 0, 'nor the directory for temporary files');
    }
};

# A compiler that is a script starts what it wants.
$r = generate(['model.pt2', '-o', 'out.pt2'], confine => 1);
is($r->{status}, 0, 'a compiler that is a script is run');
like($r->{err}, qr/^aotigen: warning: .*noting' is a script, and which programs it starts/m,
    'and it is said that it does not run confined');
$r = generate(['--confine=require', 'model.pt2', '-o', 'out.pt2'], confine => 1);
is($r->{status}, 1, 'but not where that is required');
like($r->{err}, qr/^aotigen: error: --confine=require: .*is a script/m, 'which is said');
unlink glob "$at/*";
File::Path::remove_tree("$dir/cache");

# ---- attacks

spew("$dir/outside/secret.txt", "SECRET123\n");

# Assembler text that the check does not see: __CONCAT is a macro of the system's own.
sub assembler {
    my ($text) = @_;
    return qq{#include <sys/cdefs.h>\n__CONCAT(as,m)("$text");};
}
my @attacks = (
    map({ ["a file by .incbin: $_", assembler(qq{.incbin \\"$_\\"})] }
        '/etc/passwd', "$dir/outside/secret.txt", '/proc/self/root/etc/passwd',
        '/proc/self/environ', '/proc/self/maps', '/proc/self/fd/5', '/proc/1/environ',
        '/proc/self/cwd/secret.txt', '/dev/zero', '/dev/stdin', '/sys/kernel/notes',
        "$dir/at/model.pt2", '/root/.bashrc', '/etc/hostname'),
    map({ ["a file by .include: $_", assembler(qq{.include \\"$_\\"})] }
        '/etc/passwd', "$dir/outside/secret.txt", '/proc/self/root/etc/passwd'),
    ['a file by a link that the compiler follows', assembler(qq{.incbin \\"$dir/link\\"})],
);
symlink "$dir/outside/secret.txt", "$dir/link";

for my $attack (@attacks) {
    my ($what, $body) = @$attack;
    for my $member ($x_kernel, $x_wrapper) {
        my $text = body_of($member eq $x_kernel ? $kernel : $wrapper, $body);
        refused_package("$what, in the " . ($member eq $x_kernel ? 'kernel' : 'wrapper'),
            qr/cannot be compiled|does not parse|holds assembler text|assembler/,
            package_of({ $member => $text }), %confined, compiles => 2);
    }
}

# A macro of the recorded command is __has_include, which tells which files exist.
for my $value (qw(__has_include __has_include_next __has_embed _Pragma __asm__ asm section
    +__has_include x:asm -__asm__ 1+asm:)) {
    my $text = body_of($kernel, qq{#if A("/etc/passwd")\nextern "C" int there = 1;\n#endif})
        =~ s/(Compile cmd\n\/\/ \S+)/$1 -DA=$value/r;
    refused_package("$value as a macro's value", qr/'-DA=\Q$value\E'.*defines a macro/,
        package_of({ $x_kernel => $text }), %confined);
}

done_testing;
