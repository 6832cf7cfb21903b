# A package is a stranger's file: whatever is tried with one ends in one clear line and exit status 1, within 300 MiB, runs nothing
# of it, and leaves nothing behind.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenZip;
use Config;
use File::Find ();
use POSIX ();
use Socket ();
use Time::HiRes 'sleep';

use constant MAX_KB => 300 * 1024;

my $dir = tempdir();
my ($tmp, $at, $torch) = ("$dir/tmp", "$dir/at", "$dir/site-packages");
File::Path::make_path($tmp, $at, "$dir/bin", "$dir/outside", "$torch/torch/lib", "$torch/torch/include/torch/csrc/inductor", "$torch/torch/include/torch/csrc/api/include");
spew("$torch/torch/version.py", "__version__ = '2.11.0'\n");
spew("$torch/torch/include/torch/csrc/inductor/cpp_prefix.h", "#pragma once\n");
spew("$torch/torch/include/torch/csrc/inductor/tiny.h", <<'END');
#pragma once
struct constant_info { const char *name; unsigned long data_size; bool from_folded; };
struct AOTInductorModelBase {
  AOTInductorModelBase(int, int, int, bool) {}
  constant_info constants_info_[1];
};
struct AOTInductorModel : AOTInductorModelBase {
  AOTInductorModel(int);
  void run_impl();
};
END
spew("$dir/outside/secret.h", "int SECRET123;\n");
symlink "$dir/outside/secret.h", "$torch/torch/include/leads_out.h";

# ---- a sound package: what is refused below is refused for what was done to it

my $wrapper = <<'END';
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
my $kernel = <<'END';
#include <torch/csrc/inductor/cpp_prefix.h>
/*BODY*/
extern "C" void cpp_fused_0(float *) {}
// Compile cmd
// g++ x.kernel.cpp -fPIC -std=c++17 -O0 -c -o x.kernel.o
END

# The old .so says so if it is ever loaded.
spew("$dir/old.c", <<"END");
#include <fcntl.h>
__asm__(".section .lrodata,\\"a\\"\\n.balign 64\\n.globl _binary_constants_bin_start\\n_binary_constants_bin_start: .fill 4096,1,7\\n"
        ".globl _binary_constants_bin_end\\n_binary_constants_bin_end:\\n.text");
__attribute__((constructor)) static void ran(void) { open("$dir/outside/ran", O_CREAT, 0600); }
END
is(run_cmd(['gcc', '-shared', '-fPIC', '-o', "$dir/old.so", "$dir/old.c"])->{status}, 0, "a '.so' to be taken apart");
is(run_cmd(['gcc', '-fPIC', '-c', '-o', "$dir/old.o", "$dir/old.c"])->{status}, 0, 'and an object file');
my ($so, $object) = map { slurp("$dir/old.$_") } qw(so o);

my $in = 'model/data/aotinductor/model/';
my ($x_wrapper, $x_kernel, $x_so, $x_object) = map { "${in}x.$_" } qw(wrapper.cpp kernel.cpp wrapper.so weights.o);

# The members, some of them changed: name => text, or undef to leave it out; others follow.
sub package_of {
    my ($change, @more) = @_;
    my @members = ([$x_wrapper, $wrapper], [$x_kernel, $kernel], ["${in}x.wrapper_metadata.json", '{"a": 1}'], [$x_so, $so], ['model/archive_format', 'pt2'], ['model/byteorder', 'little']);
    return [(map { my ($name, $data) = @$_; exists $change->{$name} ? (defined $change->{$name} ? { name => $name, data => $change->{$name} } : ()) : { name => $name, data => $data } } @members), @more];
}

sub body_of { my ($text, $body) = @_; return $text =~ s{/\*BODY\*/}{$body}r }

# ---- running it

# A compiler that writes down that it was run, and runs g++.
my $noting = spew("$dir/bin/noting", "#!/bin/sh\ncase \$1 in --version|-xc++) ;; *) echo \"\$@\" >>$dir/compiled ;; esac\nexec g++ \"\$@\"\n");
chmod 0755, $noting;

# Reports the status and the peak memory (of it and what it waited for) of a command.
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

# What is in a directory, with size, times and place of each.
sub all_of {
    my ($in_dir) = @_;
    my %all;
    File::Find::find({ no_chdir => 1, wanted => sub { my @s = lstat; $all{ substr $_, length $in_dir } = join ' ', @s[1, 2, 7], -d _ ? () : $s[9] } }, $in_dir);
    return \%all;
}

my $compiles; # did a compiler run in the last one
sub generate {
    my ($words, %how) = @_;
    unlink "$dir/compiled", "$dir/measured";
    my @command = (@{ $how{under} // [] }, build() . '/aotigen', "--torch=$torch", @$words);
    my $r = run_cmd([$^X, '-e', $measure, "$dir/measured", $getrusage{$machine} // 0, @command],
        cwd => $at, timeout => 100, env => { TMPDIR => $tmp, XDG_CACHE_HOME => "$dir/cache", CXX => $noting, %{ $how{env} // {} } });
    my ($status, $kb) = -s "$dir/measured" ? split(' ', slurp("$dir/measured")) : (0xffff, 0);
    @$r{qw(status signal kb)} = ($status >> 8, $status & 127, $kb);
    $compiles = -e "$dir/compiled";
    return $r;
}

# One test for each case, so that a failure says all that is wrong with it.
my %slow;
sub refused {
    my ($what, $says, %how) = @_;
    my $input = $how{input} // 'model.pt2';
    my $before = all_of($at);
    my $r = generate($how{words} // [$input, '-o', $how{output} // 'out.pt2'], %how);
    my @errors = $r->{err} =~ /^(.*\berror: .*)$/mg;
    @errors = grep { /^\Q$input\E/ } @errors if $how{compiles}; # the compiler has its own
    my @wrong;
    push @wrong, 'died of signal ' . $r->{signal} if $r->{signal};
    push @wrong, 'ran out of time' if $r->{timed_out};
    push @wrong, "exit status $r->{status}" if $r->{status} != 1;
    push @wrong, scalar(@errors) . ' lines of errors' if @errors != 1;
    push @wrong, 'does not begin with its name' if @errors && !$how{elsewhere} && $errors[0] !~ m{^\Q$input\E(?:/.*?)?(?::\d+)*: error: };
    push @wrong, "does not say $says" if !grep { /$says/ } @errors;
    push @wrong, 'writes control characters' if $r->{err} =~ /[^\n\t -~\x80-\xff]|\xc2[\x80-\x9f]/;
    push @wrong, 'quotes a secret' if $r->{err} =~ /SECRET123/;
    push @wrong, "takes $r->{kb} kB" if $r->{kb} > MAX_KB;
    push @wrong, 'runs a compiler' if $compiles && !$how{compiles};
    push @wrong, 'leaves ' . join ' ', glob "$tmp/* $tmp/.a*" if glob "$tmp/* $tmp/.a*";
    push @wrong, 'keeps a cache' if -e "$dir/cache";
    push @wrong, 'runs what it holds' if -e "$dir/outside/ran";
    my $after = all_of($at);
    push @wrong, 'changes ' . join ' ', grep { ($before->{$_} // '') ne ($after->{$_} // '') } keys %{ { %$before, %$after } } if join("\n", %$before{ sort keys %$before }) ne join("\n", %$after{ sort keys %$after });
    ok(!@wrong, "$what: refused") or diag(join(', ', @wrong), "\n", substr $r->{err}, 0, 1500);
    $slow{$what} = $r->{seconds};
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
    ok($r->{status} == 0 && !$r->{signal} && -s "$at/" . ($how{output} // 'out.pt2'), "$what: taken") or diag($r->{err});
    is(join(' ', glob "$tmp/* $tmp/.a* $at/.a*"), '', "$what: nothing is left");
    cmp_ok($r->{kb}, '<=', MAX_KB, "$what: within 300 MiB");
    ok(!-e "$dir/outside/ran", "$what: nothing of it was run");
    File::Path::remove_tree("$dir/cache");
    unlink glob("$at/*") if !$how{keep};
    return $r;
}

accepted('a sound package', package_of({}));
ok($compiles, 'and the compiler was seen to run');

# ---- the archive

my $sound = package_of({});
my $real = do { my $f = zip("$dir/real.pt2", $sound, align => 64); slurp($f) };
my $unreadable = qr/is no ZIP archive|claims more bytes than the archive has/;
my $extra = sub { package_of({}, @_) };

# Names.
for my $case (
    ['climbs', '../evil', qr/path that climbs/], ['climbs later', 'model/../../evil', qr/path that climbs/], ['climbs at its end', 'model/..', qr/path that climbs/],
    ['climbs as a directory', '../', qr/path that climbs/], ['is here', './evil', qr/path that climbs/], ['has empty parts', 'model//evil', qr/empty parts/],
    ['hides in a model', 'model/data/aotinductor//model/y.wrapper.cpp', qr/empty parts/], ['is absolute', '/etc/cron.d/evil', qr/absolute path/],
    ['is of Windows', 'C:/evil', qr/absolute path/], ['is of a drive', 'C:evil', qr/absolute path/], ['has backslashes', '..\\evil', qr/absolute path/],
    ['has a newline', "model/a\nb", qr/control character/], ['drives a terminal', "model/\e]0;evil\a", qr/control character|Zip archive inconsistent/],
    ['drives a terminal in eight bits', "model/\xc2\x9b2J", qr/control character/], ['turns the line around', "model/\xe2\x80\xaegpj.exe", qr/control character/],
    ['is no UTF-8', "model/\xff\xfe", qr/no UTF-8|Zip archive inconsistent/], ['is overlong UTF-8', "model/\xc0\xaf", qr/no UTF-8|Zip archive inconsistent/],
    ['is very long', 'm' x 5000, qr/name longer than/], ['is as long as can be', 'm' x 65535, qr/name longer than/], ['is empty', '', qr/without a name/],
    ) {
    my ($what, $name, $says) = @$case;
    refused_package("a name that $what", $says, $extra->({ name => $name, data => 'x' }));
    refused_package("a name that $what, in the first place", $says, [{ name => $name, data => 'x', flags => 0x800 }, @$sound]) if $what ne 'is empty';
}
refused_package('a name cut by a zero', qr/path that climbs/, $extra->({ name => "model/ok\0/../../evil", data => 'x' }));

# Names that clash.
my $twice = { name => $x_wrapper, data => 'int other;' };
refused_package('a member twice', qr/two members of one name/, $extra->($twice));
refused_package('a member twice, the second first', qr/two members of one name/, [$twice, @$sound]);
refused_package('a directory twice', qr/two members of one name/, $extra->(({ name => 'model/d/', data => '' }) x 2));
refused_package('a member twice, in two encodings', qr/two members of one name/, $extra->({ name => "model/\xc3\xa9", data => 'x' }, { name => "model/\xc3\xa9", data => 'x', flags => 0x800 }));
refused_package('a file that is a directory', qr/both a file and a directory/, $extra->({ name => "$x_wrapper/inner", data => 'x' }));
refused_package('a file and a directory of its name', qr/both a file and a directory/, $extra->({ name => "$x_kernel/", data => '' }));
refused_package('a directory for a wrapper', qr/no wrapper|holds no model/, package_of({ $x_wrapper => undef }, { name => "$x_wrapper/", data => '' }));
refused_package('a directory that holds bytes', qr/directory that claims to hold bytes/, $extra->({ name => 'model/d/', data => 'x' }));

# Kinds.
my $unix = 3 << 8 | 20;
for my $case ([link => 0120777], [device => 0020666], ['block device' => 0060666], [FIFO => 0010666], [socket => 0140777]) {
    my ($what, $mode) = @$case;
    refused_package("a $what", qr/link or a device/, $extra->({ name => 'model/evil', data => '/etc/passwd', central => { madeby => $unix, external => $mode << 16 } }));
}
refused_package('a wrapper that is a link', qr/link or a device/, package_of({ $x_wrapper => undef }, { name => $x_wrapper, data => '/etc/passwd', central => { madeby => $unix, external => 0120777 << 16 } }));
refused_package('an encrypted member', qr/is encrypted/, $extra->({ name => 'model/evil', data => 'x' x 20, flags => 1 }));
refused_package('an encrypted wrapper', qr/is encrypted/, package_of({ $x_wrapper => undef }, { name => $x_wrapper, data => 'x' x 99, flags => 1 }));
refused_package('an encrypted member by AES', qr/encrypted|method that torch does not read/, $extra->({ name => 'model/evil', data => 'x' x 50, flags => 1, method => 99, extra => pack('v2 v a2 C v', 0x9901, 7, 2, 'AE', 3, 0) }));
refused_package('a strongly encrypted member', qr/encrypted|method that torch does not read/, $extra->({ name => 'model/evil', data => 'x' x 50, flags => 0x41 }));
refused_package("a method of compression of another's", qr/method that torch does not read/, $extra->({ name => 'model/evil', data => 'BZh9', size => 100, method => $_ })) for 12, 14, 93, 1, 9, 65535;

# Sizes and sums that lie.
for my $case (
    ['a stored member of 4 GB in a small file', { csize => 0xfffffffe, size => 0xfffffffe }, $unreadable],
    ['a stored member of 16 EB', { csize => 0xffffffff, size => 0xffffffff, extra => pack('v2 Q<2', 1, 16, ~0, ~0) }, $unreadable],
    ['a deflated member of 16 EB', { deflate => 1, size => 0xffffffff, extra => pack('v2 Q<', 1, 8, ~0) }, qr/200 times/],
    ['a ZIP64 record that is cut off', { csize => 0xffffffff, size => 0xffffffff, extra => pack('v2 v', 1, 2, 7) }, $unreadable],
    ['a ZIP64 offset outside of the file', { extra => pack('v2 Q<', 1, 8, 1 << 50), central => { offset => 0xffffffff } }, $unreadable],
    ['a stored member of two sizes', { size => 100 }, qr/two different sizes/],
    ['a local header of another size', { local => { size => 3, csize => 3 } }, $unreadable],
    ['a local header of another name', { local => { name => 'model/good' } }, $unreadable],
    ['a local header of another method', { local => { method => 8 } }, $unreadable],
    ['a local header that is none', { local => { sig => "PK\1\2" } }, $unreadable],
    ['an offset outside of the file', { central => { offset => 1 << 30 } }, $unreadable],
    ['an offset onto itself', { central => { offset => 40 } }, $unreadable],
    ['an extra field longer than all', { extra => pack('v2', 0x7777, 60000) }, $unreadable],
    ['a directory entry that is none', { central => { sig => "PK\3\4" } }, $unreadable],
    ) {
    my ($what, $change, $says) = @$case;
    refused_package($what, $says, $extra->({ name => 'model/evil', data => 'x' x 50, %$change }));
}
# What is read is looked at once more while it is read.
for my $case ([$x_wrapper, $wrapper], [$x_kernel, $kernel], [$x_so, $so]) {
    my ($name, $data) = @$case;
    my $member = sub { package_of({ $name => undef }, { name => $name, data => $data, @_ }) };
    my ($what) = $name =~ /(\w+\.\w+)$/;
    my %how = $name eq $x_so ? (compiles => 1) : ();
    refused_package("$what with a wrong sum", qr/cannot be unpacked: CRC/, $member->(crc => 7), %how);
    refused_package("$what deflated with a wrong sum", qr/cannot be unpacked: CRC/, $member->(crc => 7, deflate => 1), %how);
    refused_package("$what unpacks to more than it claims", qr/unpacked|unpacks to more/, $member->(deflate => 1, size => 100), %how);
    refused_package("$what unpacks to less than it claims", qr/unpacked|unpacks to fewer/, $member->(deflate => 1, size => 1 + length $data), %how);
    refused_package("$what with a broken stream", qr/cannot be unpacked|unpacks to/, $member->(data => "\xff" x 500, method => 8, size => 1000), %how);
    refused_package("$what with a stream that is cut off", qr/cannot be unpacked|unpacks to/, $member->(data => substr(Compress::Zlib::compress($data), 2, 200), method => 8, size => length $data), %how);
}
refused_package('a member that is only copied, with a wrong sum', qr/CRC/, $extra->({ name => 'model/copied', data => 'x' x 5000, crc => 7 }), compiles => 1);
refused_package('a deflated member that is only copied, with a wrong sum', qr/CRC/, $extra->({ name => 'model/copied', data => 'x' x 5000, deflate => 1, crc => 7 }), compiles => 1);

# Bombs.
refused_package('a bomb', qr/more than 200 times its size/, $extra->({ name => 'model/bomb', data => ' ' x (1 << 26), deflate => 1 }));
refused_package('a wrapper of a gigabyte of blanks', qr/more than 200 times its size/, package_of({ $x_wrapper => undef }, { name => $x_wrapper, data => "\n" x (1 << 20), deflate => 1, size => 1 << 30 }));
refused_package('members that share their bytes', $unreadable, [@$sound, { name => 'model/a', data => 'x' x 100_000 }, map { { name => "model/b$_", data => 'x' x 100_000, only => 'central', central => { offset => 0 } } } 1 .. 50]);
for my $case ([$x_wrapper, 'too large to be what AOTInductor emits'], [$x_kernel, 'too large to be what AOTInductor emits']) {
    my ($name, $says) = @$case;
    refused_package("$name of a gigabyte", qr/$says/, package_of({ $name => undef }, { name => $name, hole => 1 << 30 }));
}
refused_package('a million members', qr/more members than a package has/, $sound, zip => { entries => 0xffff, zip64 => { entries => 1_000_000, total => 1_000_000 } });
refused_package('a directory of a gigabyte', $unreadable, $sound, zip => { size => 1 << 30 });
for my $case ([0 => 'none'], [3 => 'fewer'], [7 => 'more'], [60_000 => 'many more']) {
    refused_package("an end record that counts $case->[1]", $unreadable, $sound, zip => { entries => $case->[0], total => $case->[0] });
}
refused_package('an end record of two counts', $unreadable, $sound, zip => { total => 60_000 });
refused_package('an end record that points elsewhere', $unreadable, $sound, zip => { offset => 7 });
refused_package('an end record that points outside', $unreadable, $sound, zip => { offset => 1 << 31 });
refused_package('a ZIP64 record of 2^40 members', qr/more members than a package has/, $sound, zip => { zip64 => { entries => 1 << 40, total => 1 << 40 } });
refused_package('a ZIP64 record of an endless directory', $unreadable, $sound, zip => { zip64 => { size => ~0 } });
refused_package('a ZIP64 record that is not there', $unreadable, $sound, zip => { zip64 => { elsewhere => 1, at => 0 } });
refused_package('a ZIP64 record outside of the file', $unreadable, $sound, zip => { zip64 => { at => 1 << 60 } });
# A record that lies far from the end, behind what is looked at there.
my $far = "PK\6\6" . pack('Q< v2 V2 Q<4', 44, 45, 45, 0, 0, 1 << 28, 1 << 28, 1 << 34, 1 << 10);
refused_package('a ZIP64 record at the beginning', $unreadable, [@$sound, { name => 'model/far', data => 'x' x 200_000 }], zip => { prefix => $far, zip64 => { elsewhere => 1, at => 0 } });
{
    zip("$at/model.pt2", $sound, prefix => $far, zip64 => { elsewhere => 1, at => 0 });
    my $text = slurp("$at/model.pt2");
    $text =~ s/(PK\x06\x07.*)\z//s;
    my $end = $1;
    open my $out, '>:raw', "$at/model.pt2";
    print $out $text;
    seek $out, 1 << 36, 0;
    print $out $end;
    close $out;
    refused('a ZIP64 record at the beginning of a huge file with holes', $unreadable);
}
my @many = map { { name => sprintf('%0900d', $_), data => '' } } 1 .. 30_000;
refused_package('thirty thousand members of long names', qr/holds no model/, \@many);
refused_package('a hundred thousand members and one', qr/more members than a package has/, [map { { name => "a$_", data => '' } } 1 .. 100_001], zip => { entries => 0xffff, zip64 => {} });
@many = ();
refused_package('a hundred thousand models', qr/./, [map { ({ name => "data/aotinductor/m$_/a.cpp", data => '' }) } 1 .. 20_000]);

my $decoy = "PK\6\7" . pack('V Q< V', 0, 0, 1) . "PK\5\6" . "\xff" x 16 . "\0\0";
refused_package('a decoy of an end record that leads to a lie', qr/more members than a package has/, $extra->({ name => 'model/decoy', data => $decoy }), zip => { prefix => $far });
refused_package('a directory of 36 MB', qr/more members than a package has/, $extra->(map { { name => "model/m$_", data => 'x', extra => pack('v2', 0x7777, 59_000) . 'x' x 59_000, central => { comment => 'x' x 60_000 } } } 1 .. 300));

# No archive.
refused("text that is called a package", qr/is no ZIP archive/, words => [do { spew("$at/model.pt2", "int x;\n" x 100); 'model.pt2' }, '-o', 'out.pt2']);
for my $case ([empty => ''], ['the head of one' => "PK\3\4"], ['an end record alone' => "PK\5\6" . "\0" x 18], ['zeros' => "\0" x 100_000], ['end records only' => ("PK\5\6" . "\0" x 18) x 3000]) {
    spew("$at/model.pt2", $case->[1]);
    refused("a package that is $case->[0]", qr/is empty|is no ZIP archive|no member/);
}
spew("$at/model.pt2", $real . $real);
refused('two packages in one file', $unreadable);
{ # each of them whole: one reader takes the first, another the second
    zip("$at/model.pt2", package_of({ $x_wrapper => body_of($wrapper, 'int second;') }), prefix => $real);
    refused('two packages in one file, the second aware of it', qr/holds two archives/);
    zip("$at/model.pt2", $sound, comment => $real);
    refused('a package in the comment of another', $unreadable);
}
spew("$at/model.pt2", "junk\n" x 100 . $real);
refused('a package behind something else', $unreadable);
spew("$at/model.pt2", $real . 'junk' x 100);
refused('a package before something else', $unreadable);

# Cut off at every kilobyte, and at each byte near the end.
my @cut = grep { $_ < length $real } (map { $_ * 1024 } 1 .. length($real) / 1024), map { length($real) - $_ } 1 .. 22, 50, 100;
for my $n (@cut) {
    spew("$at/model.pt2", substr $real, 0, $n);
    refused("cut off at $n", qr/is no ZIP archive/);
}
cmp_ok(scalar @cut, '>', 20, 'at so many places');

diag(join "\n", map { sprintf '%6.2f %s', $slow{$_}, $_ } (sort { $slow{$b} <=> $slow{$a} } keys %slow)[0 .. 12]) if $ENV{AOTIGEN_SLOW};
done_testing;
