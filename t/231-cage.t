# What the kernel's rules refuse by themselves: each hostile text, with an aotigen that checks no
# text and none of the lists of files that compilers read. Nothing from outside gets into the
# result, nothing is run, nothing is left behind.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;
use AotigenZip;
use HostileTexts;

plan(skip_all => 'what the kernel refuses does not depend on a sanitizer')
    if build() =~ m{/san$};

my %how = (unchecked => 1, confine => 1, env => { CXX => 'g++' });

zip("$at/model.pt2", $sound);
my $r = generate(['--confine=require', 'model.pt2', '-o', 'out.pt2'], %how);
if ($r->{err} =~ /this kernel has no Landlock/) {
    plan(skip_all => 'this kernel has no Landlock');
}
is($r->{status}, 0, 'a sound package is taken') or diag($r->{err});
File::Path::remove_tree("$dir/cache");

spew("$dir/outside/secret.txt", "SECRET123\n");
symlink "$dir/outside/secret.txt", "$dir/link";
my $passwd = (slurp('/etc/passwd') =~ /^(.*)/)[0];

# One test: whatever becomes of it, in a minute.
sub held {
    my ($what, $member, $body) = @_;
    zip("$at/model.pt2", package_of({ $member =>
        body_of($member eq $x_kernel ? $kernel : $wrapper, "\n$body\n") }));
    my $before = all_of($at);
    my $r = generate(['--confine=require', 'model.pt2', '-o', 'out.pt2'], %how);
    my @wrong;
    push @wrong, "died of signal $r->{signal}" if $r->{signal};
    push @wrong, 'ran out of time' if $r->{timed_out} || $r->{seconds} > 60;
    push @wrong, "exit status $r->{status}" if $r->{status} > 1;
    my @errors = $r->{err} =~ /^(.*\berror: .*)$/mg;
    push @wrong, @errors . ' lines of errors' if @errors != $r->{status};
    my $result = -e "$at/out.pt2" ? slurp("$at/out.pt2") : '';
    push @wrong, 'a secret is in the result' if "$result$r->{err}" =~ /SECRET123|\Q$passwd\E/;
    my @left = glob "$tmp/* $tmp/.a*";
    push @wrong, "leaves @left" if @left;
    push @wrong, 'runs what it holds' if -e "$dir/outside/ran";
    unlink "$at/out.pt2" if !$r->{status};
    my $after = all_of($at);
    push @wrong, 'changes its directory' if join(' ', %$before{ sort keys %$before }) ne
        join(' ', %$after{ sort keys %$after });
    ok(!@wrong, $what) or diag(join(', ', @wrong), "\n", substr $r->{err}, 0, 1500);
    unlink "$dir/outside/ran", glob "$at/*";
    File::Path::remove_tree("$dir/cache");
    return;
}

for my $case (@hostile_texts) {
    my ($what, $body) = @$case;
    held("a kernel with $what", $x_kernel, $body);
    held("a wrapper with $what", $x_wrapper, $body);
}

# Whole files as assembler text, by names that no list has.
for my $file ('/etc/passwd', "$dir/outside/secret.txt", "$dir/link", '/proc/self/environ',
    '/proc/self/root/etc/passwd', '/proc/self/fd/0', '/proc/self/fd/5', '/proc/1/environ',
    '/proc/self/task/1/root/etc/passwd', '/dev/zero', '/dev/stdin', '/dev/fd/3',
    '/sys/kernel/notes') {
    my $name = $file =~ s/\Q$dir\E/DIR/r;
    held("a kernel with all of $name", $x_kernel, qq{asm(".incbin \\"$file\\"");});
    held("a kernel with $name as a header", $x_kernel, qq{#include "$file"});
}

# What PACKAGES in aotigen(1) says that compilers read, and what it does not name.
my ($own) = grep { -r } glob('/usr/lib/gcc/*/*/crtbegin.o'), '/usr/lib/os-release';
for my $case (['the compiler\'s own directory', $own, 0],
    ['/etc/ld.so.cache', '/etc/ld.so.cache', 0],
    ['its own include directory', "$torch/torch/include/torch/csrc/inductor/tiny.h", 0],
    ['torch beside its libraries', "$torch/torch/version.py", 1],
    map { ["$_", $_, 1] } '/etc/ld.so.conf', (grep { -r } glob('/usr/share/locale/*/LC_MESSAGES/*')
        )[0], '/usr/share/common-licenses/GPL-3', '/var/lib/dpkg/status', '/usr/bin/env') {
    my ($what, $file, $status) = @$case;
    next if !defined $file || !-r $file;
    zip("$at/model.pt2",
        package_of({ $x_kernel => body_of($kernel, qq{asm(".incbin \\"$file\\"");}) }));
    my $r = generate(['--confine=require', 'model.pt2', '-o', 'out.pt2'], %how);
    is($r->{status}, $status, "$what: " . ($status ? 'not read' : 'read')) or diag($r->{err});
    unlink glob "$at/*";
    File::Path::remove_tree("$dir/cache");
}

# What other packages left in the cache, which its user's compiles share.
{
    my $cache = "$dir/cache/aotigen";
    my $other = "$cache/0123456789abcdef.debug.pt2";
    my $lay = sub {
        mkdir "$dir/cache", 0700;
        mkdir $cache, 0700;
        spew($other, '"SECRET123"');
    };
    for my $case (['kernel', $x_kernel], ['wrapper', $x_wrapper]) {
        my ($what, $member) = @$case;
        $lay->();
        held("a $what with another debug package", $member, qq{asm(".incbin \"$other\"");});
        $lay->();
        held("a $what with one as a header", $member, qq{const char *s =\n#include "$other"\n;});
    }
}

done_testing;
