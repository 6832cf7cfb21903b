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

use constant MAX_KB => (build() =~ m{/san$} ? 3 : 1) * 300 * 1024; # a sanitizer takes some for itself

my $dir = tempdir();
my ($tmp, $at, $torch) = ("$dir/tmp", "$dir/at", "$dir/site-packages");
File::Path::make_path($tmp, $at, "$dir/bin", "$dir/outside", "$torch/torch/lib", "$torch/torch/include/torch/csrc/inductor", "$torch/torch/include/torch/csrc/api/include");
spew("$torch/torch/version.py", "__version__ = '2.11.0'\n");
spew("$torch/torch/include/torch/csrc/inductor/cpp_prefix.h", "#pragma once\n");
spew("$torch/torch/include/torch/csrc/inductor/tiny.h", <<'END');
#pragma once
typedef void *AtenTensorHandle;
struct constant_info { const char *name; unsigned long data_size; bool from_folded; };
struct AOTInductorModelBase {
  AOTInductorModelBase(int, int, int, bool) {}
  constant_info constants_info_[1];
};
struct AOTInductorModel : AOTInductorModelBase {
  AOTInductorModel(int);
  void run_impl();
  void run_impl(AtenTensorHandle *, AtenTensorHandle *);
};
END
spew("$torch/torch/include/torch/csrc/inductor/launch.h", <<'END');
#pragma once
#include <torch/csrc/inductor/tiny.h>
#include <utility>
#include <vector>
struct RAIIAtenTensorHandle {
  AtenTensorHandle h;
  RAIIAtenTensorHandle(AtenTensorHandle x = 0) : h(x) {}
  void *data_ptr() const { return h; }
  AtenTensorHandle get() const { return h; }
  operator AtenTensorHandle() const { return h; }
  AtenTensorHandle release() { return h; }
};
inline std::vector<RAIIAtenTensorHandle> steal_from_raw_handles_to_raii_handles(AtenTensorHandle *, unsigned n) { return std::vector<RAIIAtenTensorHandle>(n); }
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

# The same with something to instrument.
my $launching = $wrapper =~ s/(cpp_fused_0\(float \*)\)/$1, float *)/r;
$launching =~ s/tiny\.h/launch.h/;
$launching =~ s{void AOTInductorModel::run_impl\(\) \{\}}{<<'END'}e;
void AOTInductorModel::run_impl(AtenTensorHandle* input_handles, AtenTensorHandle* output_handles) {
    auto inputs = steal_from_raw_handles_to_raii_handles(input_handles, 1);
    auto arg0_1 = std::move(inputs[0]);
    RAIIAtenTensorHandle buf0(0);
    cpp_fused_0((float*)(arg0_1.data_ptr()), (float*)(buf0.data_ptr()));
    output_handles[0] = buf0.release();
}
END

# The old .so says so if it is ever loaded.
spew("$dir/old.c", <<"END");
#include <fcntl.h>
__asm__(".section .lrodata,\\"a\\"\\n.balign 64\\n.globl _binary_constants_bin_start\\n_binary_constants_bin_start: .fill 4096,1,7\\n"
        ".hidden _binary_constants_bin_start, _binary_constants_bin_end\\n.globl _binary_constants_bin_end\\n_binary_constants_bin_end:\\n.text");
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
my (%slow, %large);
sub refused {
    my ($what, $says, %how) = @_;
    my $input = $how{input} // 'model.pt2';
    my $before = all_of($at);
    my $r = generate($how{words} // [$input, '-o', $how{output} // 'out.pt2'], %how);
    my @errors = $r->{err} =~ /^(.*\berror: .*)$/mg;
    @errors = $errors[0] if ($how{compiles} // 0) == 2; # the compiler's own follow
    my @wrong;
    push @wrong, 'died of signal ' . $r->{signal} if $r->{signal};
    push @wrong, 'ran out of time' if $r->{timed_out};
    push @wrong, "exit status $r->{status}" if $r->{status} != 1;
    push @wrong, scalar(@errors) . ' lines of errors' if @errors != 1;
    push @wrong, 'does not begin with its name' if @errors && !$how{elsewhere} && $errors[0] !~ m{^\Q$input\E(?:/.*?)?(?::\d+)*: error: };
    push @wrong, "does not say $says" if !grep { /$says/ } @errors;
    push @wrong, 'writes control characters' if $r->{err} =~ /[^\n\t -~\x80-\xff]|\xc2[\x80-\x9f]/;
    push @wrong, 'quotes a secret' if $r->{err} =~ /SECRET123/;
    push @wrong, "takes $r->{kb} kB" if $r->{kb} > ($how{kb} // MAX_KB);
    push @wrong, 'runs a compiler' if $compiles && !$how{compiles};
    push @wrong, 'leaves ' . join ' ', glob "$tmp/* $tmp/.a*" if glob "$tmp/* $tmp/.a*";
    push @wrong, 'keeps a cache' if -e "$dir/cache";
    push @wrong, 'runs what it holds' if -e "$dir/outside/ran";
    my $after = all_of($at);
    push @wrong, 'changes ' . join ' ', grep { ($before->{$_} // '') ne ($after->{$_} // '') } keys %{ { %$before, %$after } } if join("\n", %$before{ sort keys %$before }) ne join("\n", %$after{ sort keys %$after });
    ok(!@wrong, "$what: refused") or diag(join(', ', @wrong), "\n", substr $r->{err}, 0, 1500);
    ($slow{$what}, $large{$what}) = @$r{qw(seconds kb)};
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
like(accepted('a sound package that launches', package_of({ $x_wrapper => $launching }))->{err}, qr/1 cpu instrumented/, 'and is instrumented');
like(accepted('a sound package of sources', package_of({ $x_wrapper => $launching, $x_so => undef }, { name => $x_object, data => $object }))->{err}, qr/1 cpu instrumented/, 'and is instrumented, too');

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
refused_package('a hundred thousand members and one', qr/more members than a package has/, [map { { name => "a$_", data => '' } } 1 .. 100_001], zip => { entries => 0xffff, zip64 => { entries => 100_001, total => 100_001 } });
@many = ();
refused_package('a hundred thousand models', qr/holds more models than/, [map { { name => "data/aotinductor/m$_/a.cpp", data => '' } } 1 .. 100_000], zip => { entries => 0xffff, zip64 => { entries => 100_000, total => 100_000 } });

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


# ---- what a package is made of

refused_package('no model', qr/holds no model of AOTInductor/, [{ name => 'model/archive_format', data => 'pt2' }]);
refused_package('no such model', qr/holds no model 'other': it holds model/, $sound, words => ['model.pt2', '--model=other', '-o', 'out.pt2']);
refused_package('no wrapper', qr/has no wrapper's source beside it/, package_of({ $x_wrapper => undef }));
refused_package('a wrapper elsewhere', qr/has no wrapper's source beside it/, package_of({ $x_wrapper => undef }, { name => 'model/data/aotinductor/x.wrapper.cpp', data => $wrapper }));
refused_package('two wrappers', qr/is a second wrapper beside '\Q$x_wrapper\E'/, $extra->({ name => "${in}y.wrapper.cpp", data => $wrapper }));
refused_package("two '.so'", qr/is a second '\.so' beside '\Q$x_so\E'/, $extra->({ name => "${in}y.wrapper.so", data => $so }));
refused_package('neither', qr/holds no model of AOTInductor/, package_of({ $x_wrapper => undef, $x_so => undef }));
refused_package("no '.so' and no object file", qr/has neither a '\.so' nor an object file/, package_of({ $x_so => undef }));
refused_package('two object files', qr/more than one object file/, package_of({ $x_so => undef }, map { { name => "${in}$_.o", data => $object } } 'a', 'b'));
refused_package('an empty wrapper', qr/is empty/, package_of({ $x_wrapper => '' }));
refused_package('a binary wrapper', qr/is binary/, package_of({ $x_wrapper => "int x;\0" }));
refused_package('an empty kernel', qr/is empty/, package_of({ $x_kernel => '' }));
refused_package('a binary kernel', qr/is binary/, package_of({ $x_kernel => $so }));
refused_package('a wrapper that is none', qr/is not an AOTInductor wrapper/, package_of({ $x_wrapper => "int main() { return 0; }\n// Compile cmd\n// g++ -c\n" }), compiles => 1);
refused_package('a wrapper that does not parse', qr/:\d+:\d+: error: does not parse/, package_of({ $x_wrapper => $wrapper . 'int (;' }), compiles => 1);
refused_package('an instrumented wrapper', qr/is instrumented already/, package_of({ $x_wrapper => "// Instrumented by aotigen 0\n" . $wrapper }));
refused_package('more kernels than a model has', qr/is one source file more than a model has/, $extra->(map { { name => "${in}k$_.kernel.cpp", data => $kernel } } 1 .. 70));

# Metadata. What is not read may be anything; what is read may not.
my $deep = '[' x 1_000_000 . ']' x 1_000_000;
for my $case (
    ['nested a million deep', $deep], ['nested a million objects deep', '{"nodes":' x 1_000_000 . '1' . '}' x 1_000_000], ['cut off', '{"nodes": ['],
    ['no JSON', 'nodes'], ['of a million and more values', '{"nodes": [' . '1,' x 1_200_000 . '1]}'], ['of 20 MB', '{"nodes": ["' . 'x' x (20 << 20) . '"]}'],
    ['a string', '"nodes"'], ['of another kind', '{"nodes": {}}'],
    ) {
    refused_package("custom ops' JSON that is $case->[0]", qr/\Qx.wrapper.json: error: is not the JSON of a model's custom ops\E/, $extra->({ name => "${in}x.wrapper.json", data => $case->[1] }), compiles => 1);
}
refused_package("custom ops' JSON that is binary", qr/is binary/, $extra->({ name => "${in}x.wrapper.json", data => "{\0}" }));
refused_package("custom ops' JSON of a gigabyte", qr/too large/, $extra->({ name => "${in}x.wrapper.json", hole => 1 << 30 }));
accepted("custom ops' JSON of odd types", $extra->({ name => "${in}x.wrapper.json", data => '{"nodes": [1, null, {"node": 7}, {"node": {"target": [], "inputs": {"a": 1}, "outputs": "x"}}]}' }));
accepted('metadata that is not read, nested a million deep', package_of({ "${in}x.wrapper_metadata.json" => $deep }));

# ---- what a text may hold: the same for the wrapper and for a kernel

my $secret = "$dir/outside/secret.h";
my @texts = (
    ['an absolute path', '#include "/etc/passwd"', qr{includes '/etc/passwd' by its absolute path}],
    ['a device', '#include "/dev/zero"', qr/by its absolute path/],
    ['an absolute path in brackets', '#include </etc/passwd>', qr/by its absolute path/],
    ['a path that climbs', '#include "../../x"', qr/a path that climbs/],
    ['a path that climbs later', '#include <torch/../../../../../etc/passwd>', qr/a path that climbs/],
    ['a path with a backslash', '#include "..\\x"', qr/a path that climbs/],
    ['a path that opens a comment', "#if 0\n#include <x/*y>\n#endif", qr/is no header's name/],
    ['a macro', qq{#define X "/dev/zero"\n#include X}, qr/includes what a macro names/],
    ['a digraph', '%:include "/dev/zero"', qr/by its absolute path/],
    ['a trigraph', '??=include "/dev/zero"', qr/by its absolute path/],
    ['a spliced line', "#inc\\\nlude \"/dev/zero\"", qr/joins two lines/],
    ['a line spliced between words', "# \\\n  include \\\n  \"/dev/zero\"", qr/by its absolute path/],
    ['a line spliced with a blank', "#inc\\ \nlude \"/dev/zero\"", qr/joins two lines/],
    ['a line spliced by a trigraph', "#inc??/\nlude \"/dev/zero\"", qr/backslash as a trigraph/],
    ['a spliced digraph', "%\\\n:include \"/dev/zero\"", qr/joins two lines/],
    ['a spliced comment', "#/\\\n* */include \"/dev/zero\"", qr/joins two lines/],
    ['a comment before the name', '#/* */include "/dev/zero"', qr/hides a directive behind a comment/],
    ['a comment over two lines', "#/*\n*/include \"/dev/zero\"", qr/hides a directive behind a comment/],
    ['a comment behind the name', '#include/* */"/dev/zero"', qr/includes what a macro names/],
    ['a comment before it', '/* */ #include "/dev/zero"', qr/by its absolute path/],
    ['a comment that ends before it', "/*\n*/#include \"/dev/zero\"", qr/by its absolute path/],
    ['a carriage return', "int a;\r#include \"/dev/zero\"", qr/carriage return in the middle/],
    ['a blank of Unicode', "\xc2\xa0#include \"/dev/zero\"", qr/by its absolute path/],
    ['#include_next', '#include_next "/dev/zero"', qr/by its absolute path/],
    ['#import', '#import "/dev/zero"', qr/by its absolute path/],
    ['#embed', '#embed "/dev/zero"', qr/by its absolute path/],
    ['__has_include', qq{#if __has_include("/dev/zero")\n#endif}, qr/asks which files there are/],
    ['__has_embed', qq{#if __has_embed("/dev/zero")\n#endif}, qr/asks which files there are/],
    ['#line', qq{#line 1 "/etc/passwd"\n}, qr/names another file as its own/],
    ['the mark of a line', qq{# 1 "/etc/passwd"\n}, qr/names another file as its own/],
    ['assembler text', 'asm(".incbin \"/dev/zero\"");', qr/holds assembler text/],
    ['assembler text, spelled otherwise', '__asm__ volatile (".incbin \"/dev/zero\"");', qr/holds assembler text/],
    ['assembler text behind a comment that is none', "// \\\n/*\nasm(\".incbin \\\"/dev/zero\\\"\"); // */", qr/holds assembler text/],
    ['assembler text behind a raw string that is none', qq{#define xR\n#define EAT(...)\nEAT(xR"(") asm(".incbin \\"/dev/zero\\""); EAT(")")}, qr/holds assembler text/],
    ['assembler text behind a number', qq{#define EAT(...)\nEAT(1.R"(") asm(".incbin \\"/dev/zero\\""); EAT(")")}, qr/holds assembler text/],
    ['assembler text behind a quote that separates no digits', qq{#define EAT(...)\nEAT(1'"') asm(".incbin \\"/dev/zero\\""); EAT('"')}, qr/holds assembler text/],
    ['assembler text by pasting', qq{#define P(a, b) a##b\nP(a, sm)(".incbin \\"/dev/zero\\"");}, qr/pastes tokens together/],
    ['assembler text by pasting, in digraphs', qq{#define P(a, b) a%:%:b\nP(a, sm)(".incbin \\"/dev/zero\\"");}, qr/pastes tokens together/],
    ['assembler text by pasting, half in trigraphs', qq{#define P(a, b) a??=#b\nP(a, sm)(".incbin \\"/dev/zero\\"");}, qr/pastes tokens together/],
    ['a section with assembler text in its name', '__attribute__((section(".x\n\t.incbin \"/dev/zero\"\n#"))) int x = 1;', qr/names a section/],
    ['a version with assembler text in its name', 'extern "C" __attribute__((__symver__("f@V\n\t.incbin \"/dev/zero\"\n#"))) void f() {}', qr/names a symbol's version/],
    ['a reference with assembler text in its name', 'extern "C" { static void f() __attribute__((weakref("g\n\t.incbin \"/dev/zero\"\n#"))); void h() { f(); } }', qr/names another symbol/],
    ['a precompiled header', '#pragma GCC pch_preprocess "/dev/zero"', qr/a pragma that reads another file/],
    ['a precompiled header, in a pragma of two lines', "#pragma GCC \\\n  pch_preprocess \"/dev/zero\"", qr/a pragma that reads another file/],
    ['a precompiled header by _Pragma', '_Pragma("GCC pch_preprocess \"/dev/zero\"")', qr/hides a pragma/],
    ['what an assembler is told in a comment of its own', qq{#ident "x\\n.include \\"$secret\\""}, qr/puts text of its own into the assembler's/],
    ['a pragma that breaks the parser', '#pragma clang __debug crash', qr/breaks the parser/],
    ['a file to be as old as', '#pragma GCC dependency "/dev/zero"', qr/a pragma that reads another file/],
);
for my $case (@texts) {
    my ($what, $body, $says) = @$case;
    refused_package("a wrapper with $what", qr/^model\.pt2\/\Q$x_wrapper\E:\d+:\d+: error: .*$says/, package_of({ $x_wrapper => body_of($wrapper, "\n$body\n") }));
    refused_package("a kernel with $what", qr/^model\.pt2\/\Q$x_kernel\E:\d+:\d+: error: .*$says/, package_of({ $x_kernel => body_of($kernel, "\n$body\n") }));
}
refused_package('a directive behind a mark of byte order', qr/by its absolute path/, package_of({ $x_kernel => "\xef\xbb\xbf#include \"/dev/zero\"\n$kernel" }));
my $r = refused_package('the line of an offence', qr{^model\.pt2/\Q$x_wrapper\E:13:}, package_of({ $x_wrapper => body_of($wrapper, '#include "/etc/passwd"') }));
accepted('words in comments and strings, pragmas and splices as they are emitted', package_of({ $x_kernel => body_of($kernel, join "\n",
    '/*', "    # include the tail, as asm does ## twice", '    # 1 "first"', '*/', 'const char *a = "asm section ##", *b = R"(asm #include X)";', '#define X(...) \\', '  do { \\', '  } while (0)',
    '#pragma GCC diagnostic push', '#pragma omp parallel', "int n = 1'000; char c = '\"';", '// a backslash at its end \\', '   goes on', '#include <cstddef>') }));

# What no text shows, the compiler tells.
for my $case (
    ['a link that leads out', '#include <leads_out.h>', qr/lies outside of the include directories/],
    ['sections for the link-time compiler', qq{#include <cstdlib>\n__CONCAT(as, m)(".section .gnu.lto_.opts,\\"e\\",\@progbits\\n.byte 0\\n.text");}, qr/has more for the linker than code and data/],
    ['assembler text put together by a header of the system', qq{#include <cstdlib>\n__CONCAT(as, m)(".incbin \\"$secret\\"");}, qr/lies outside of the include directories/],
    ['a cache file that is one', qq{#import "$dir/outside/c2rnilspx43ivnzu4uieul65kx65dfhfbptbh5og4wk6rqebuxoo.h"}, qr/lies outside of the include directories/],
    ) {
    my ($what, $body, $says) = @$case;
    spew("$dir/outside/c2rnilspx43ivnzu4uieul65kx65dfhfbptbh5og4wk6rqebuxoo.h", '');
    refused_package("a wrapper with $what", qr/^model\.pt2\/\Q$x_wrapper\E: error: .*$says/, package_of({ $x_wrapper => body_of($wrapper, $body) }), compiles => 1);
    refused_package("a kernel with $what", qr/^model\.pt2\/\Q$x_kernel\E: error: .*$says/, package_of({ $x_kernel => body_of($kernel, $body) }), compiles => 1);
    my $clang = spew("$dir/bin/noting-clang", slurp($noting) =~ s/exec g\+\+/exec clang++/r);
    chmod 0755, $clang;
    refused_package("a kernel with $what, by clang++", qr/^model\.pt2\/\Q$x_kernel\E: error: .*$says/, package_of({ $x_kernel => body_of($kernel, $body) }), compiles => 1, env => { CXX => $clang }) if run_cmd(['clang++', '--version'])->{status} == 0;
}
refused_package('an include from beside the package', qr/does not parse: 'beside\.h' file not found/, package_of({ $x_wrapper => body_of($wrapper, '#include "beside.h"') }), compiles => 1, elsewhere => 0)
    if spew("$at/beside.h", "int SECRET123;\n");
refused_package('a kernel that does not compile', qr/cannot be compiled/, package_of({ $x_kernel => body_of($kernel, '#error planted') }), compiles => 2);

# ---- recorded commands: the same for each of them

spew("$dir/bin/evil", "#!/bin/sh\ntouch $dir/outside/ran\n");
chmod 0755, "$dir/bin/evil";
my $loads = qr/loads code into the compiler/;
my @flags = (
    ['-fplugin=/tmp/x.so', $loads], ['-fplugin-arg-x=1', $loads], ['-fpass-plugin=/tmp/x.so', $loads], ['-Xclang -load', qr/hands flags past/], ['-mllvm -x', qr/hands flags past/],
    ['@/tmp/response', qr/is a response file/], ['-specs=/tmp/specs', qr/reads files of its own/], ['--specs=/tmp/specs', qr/reads files/], ["-wrapper $dir/bin/evil", qr/runs another program/],
    ["-B$dir/bin", qr/names another tool/], ["-B $dir/bin", qr/names another tool/], ["--prefix=$dir/bin", qr/names another tool/], ['-fuse-ld=/tmp/ld', qr/names another tool/], ["--ld-path=$dir/bin/evil", qr/names another tool/],
    ['--gcc-toolchain=/tmp', qr/names another tool/], ['--config=/tmp/x', qr/reads files/], ['--sysroot=/tmp', qr/reads files/], ['-isysroot /tmp', qr/reads files/], ['-imacros /etc/passwd', qr/reads files/], ['-include /etc/passwd', qr/includes a file/],
    ['-Wl,-plugin,/tmp/x.so', qr/hands the linker/], ['-Wl,@/tmp/x', qr/hands the linker/], ['-Wl,-T,/tmp/x', qr/hands the linker/], ['-Wl,--dynamic-linker=/tmp/x', qr/hands the linker/], ['-Wl,-init,evil', qr/hands the linker/], ['-Wl,-z,now,/tmp/x.a', qr/hands the linker/],
    ['-Wl,-rpath,/tmp,-T,/tmp/x', qr/hands the linker/], ['-Xlinker -plugin', qr/hands flags past/], ['-Wa,-I/tmp', qr/hands flags past/], ['-Wp,-MD,/tmp/x', qr/hands flags past/], ['-Xassembler --x', qr/hands flags past/], ['-Xpreprocessor -x', qr/hands flags past/],
    ['-T /tmp/script', qr/hands the linker/], ['-MD', qr/writes files/], ['-MF/tmp/x', qr/writes files/], ['-save-temps', qr/writes files/], ['-dumpbase /tmp/x', qr/writes files/], ['-fdump-tree-all=/tmp/x', qr/writes files/],
    ['-fprofile-generate=/tmp', qr/writes files/], ['-fmodules-ts', qr/reads files/], ['-x c', qr/asks for a language/], ['-std=c99', qr/asks for a language/], ['-std=c++98', qr/asks for a language/], ['-fsanitize-ignorelist=/etc/passwd', qr/names a file/],
    ['-l/tmp/x.so', qr/is not the name of a library/], ['-l../x', qr/is not the name of a library/], ['-DX(a)=asm', qr/asks for a shell/], ["'-DX(a)=asm'", qr/defines a macro as something other/], ['-DX=$(id)', qr/asks a shell/], ['`id`', qr/asks a shell/], ['; id', qr/asks for a shell/], ['| id', qr/asks for a shell/], ['>/tmp/x', qr/asks for a shell/],
    ['&& id', qr/asks for a shell/], ['"unclosed', qr/quote that does not close/], ['\\', qr/ends in a backslash/], ["-DX=a\eb", qr/control character/], ['/etc/passwd', qr/is neither a flag nor a source/], ['-', qr/is neither a flag/],
);
for my $case (@flags) {
    my ($words, $says) = @$case;
    refused_package("a wrapper compiled with $words", qr/^model\.pt2\/\Q$x_wrapper\E:15:\d+: error: .*$says/, package_of({ $x_wrapper => $wrapper =~ s/(x\.wrapper\.cpp.* -c) .*/$1 $words/r }));
    refused_package("a wrapper linked with $words", qr/^model\.pt2\/\Q$x_wrapper\E:17:\d+: error: .*$says/, package_of({ $x_wrapper => $wrapper =~ s/(-o x\.wrapper\.so)/-shared $words/r })) if $words !~ /^(?:-D|'-D)/;
    refused_package("a kernel compiled with $words", qr/^model\.pt2\/\Q$x_kernel\E:5:\d+: error: .*$says/, package_of({ $x_kernel => $kernel =~ s/(x\.kernel\.cpp.* -c) .*/$1 $words/r }));
}
for my $compiler ("$dir/bin/evil", 'sh', 'python3', './g++ ', '../g++-evil', 'env g++', 'g++evil', '-g++', '/bin/sh -c g++', 'CXX=g++ g++', 'clang') {
    my $is_one = $compiler =~ /^(?:\.\/g\+\+ |clang)$/; # a known name: ours is run in its place
    my $text = $wrapper =~ s/(Compile cmd\n\/\/) g\+\+/$1 $compiler/r;
    if ($is_one) { accepted("the compiler '$compiler'", package_of({ $x_wrapper => $text })) }
    else { refused_package("the compiler '$compiler'", qr/:15:4: error: .*(?:is not g\+\+ or clang\+\+|is neither a flag)|:15:\d+: error: .*is neither a flag/, package_of({ $x_wrapper => $text })) }
}
refused_package('a heading without a command', qr/is followed by no command/, package_of({ $x_wrapper => $wrapper =~ s/(Compile cmd\n)\/\/.*/$1/r }));
# Directories of the stranger's choice are not looked into, whatever lies there.
File::Path::make_path("$dir/outside/include", "$dir/outside/lib");
spew("$dir/outside/include/planted.h", "int SECRET123;\n");
spew("$dir/outside/lib/libplanted.so", '');
refused_package("an include directory of its own ($_)", qr/does not parse: 'planted\.h' file not found/, package_of({ $x_wrapper => body_of($wrapper, '#include <planted.h>') =~ s/ -O0/ $_$dir\/outside\/include/r }), compiles => 1) for '-I', '-I ', '-isystem', '-iquote', '-idirafter ';
refused_package('a library of its own', qr/cannot be linked/, package_of({ $x_wrapper => $wrapper =~ s/-o x\.wrapper\.so/-L$dir\/outside\/lib -lplanted/r }), compiles => 2);

# ---- what stands for the weights

my $elf = sub { # a field of the header, or of each section's
    my ($at_header, $pack, $value) = @_;
    my $text = $so;
    substr $text, $at_header, length pack($pack, $value), pack $pack, $value;
    return $text;
};
my ($shoff, $shentsize, $shnum) = (unpack('Q<', substr $so, 0x28, 8), unpack 'v2', substr $so, 0x3a, 4);
my @sections = map { my @h = unpack 'V2 Q<4 V2 Q<2', substr $so, $shoff + 64 * $_, 64; +{ at => $shoff + 64 * $_, type => $h[1], offset => $h[4], size => $h[5] } } 0 .. $shnum - 1;
my ($symbols) = grep { $_->{type} == 2 } @sections;
my $names = $sections[unpack 'V', substr $so, $symbols->{at} + 40, 4];
sub symbol_of { # where in the file the table's entry of this symbol is
    my ($name) = @_;
    my $string = index(substr($so, $names->{offset}, $names->{size}), "\0$name\0") + 1;
    for (my $i = $symbols->{offset}; $i < $symbols->{offset} + $symbols->{size}; $i += 24) { return $i if unpack('V', substr $so, $i, 4) == $string }
    return;
}
my ($start, $end) = map { symbol_of("_binary_constants_bin_$_") } qw(start end);
ok($symbols && $names && $start && $end, "the '.so' has symbols of its weights");
my $base = unpack 'Q<', substr $so, $start + 8, 8;
my $weights = $sections[unpack 'v', substr $so, $start + 6, 2];
my $behind = unpack('Q<', substr $so, $weights->{at} + 16, 8) + $weights->{size};
my $taken = qr/the weights cannot be taken from it/;
for my $case (
    ['text', "not an ELF file\n" x 100, $taken], ['empty', '', $taken], ['a head', "\x7fELF", $taken], ['an object file', $object, qr/is no shared object/], ['cut off', substr($so, 0, length($so) / 2), $taken],
    ['of 32 bits', $elf->(4, 'C', 1), $taken], ['of the other byte order', $elf->(5, 'C', 2), $taken], ['for another machine', $elf->(18, 'v', 243), qr/made for another processor/],
    ['with sections outside of it', $elf->(0x28, 'Q<', 1 << 40), $taken], ['with sections at its end', $elf->(0x28, 'Q<', length($so) - 8), $taken], ['with 65535 sections', $elf->(0x3c, 'v', 65535), $taken], ['with no sections', $elf->(0x3c, 'v', 0), $taken],
    ['with weights of 2^62 bytes', $elf->($weights->{at} + 32, 'Q<', 1 << 62), qr/does not lie inside of the file/], ['with weights at 2^62', $elf->($weights->{at} + 24, 'Q<', 1 << 62), qr/does not lie inside of the file/],
    ['with weights that end past it', $elf->($weights->{at} + 32, 'Q<', length($so)), qr/does not lie inside of the file/], ['with weights of no bytes', $elf->($weights->{at} + 32, 'Q<', 0), qr/do not lie inside of their section/],
    ['with weights of no kind', $elf->($weights->{at} + 4, 'V', 8), qr/does not lie inside of the file/],
    ['with symbols of 2^60 bytes', $elf->($symbols->{at} + 32, 'Q<', 1 << 60), $taken], ['with symbols at 2^60', $elf->($symbols->{at} + 24, 'Q<', 1 << 60), $taken], ['with symbols of odd size', $elf->($symbols->{at} + 56, 'Q<', 1), $taken], ['with symbols of no size', $elf->($symbols->{at} + 56, 'Q<', 0), $taken],
    ['with names outside of it', $elf->($names->{at} + 24, 'Q<', 1 << 50), $taken], ['with names of no size', $elf->($names->{at} + 32, 'Q<', 0), $taken], ['with names in another table', $elf->($symbols->{at} + 40, 'V', 4_000_000), $taken],
    ['with weights that begin before their section', $elf->($start + 8, 'Q<', 0), qr/do not lie inside of their section/], ['with weights that end behind their section', $elf->($end + 8, 'Q<', $behind + 1), qr/do not lie inside of their section/],
    ['with weights that end before they begin', $elf->($end + 8, 'Q<', $base - 1), qr/do not lie inside of their section/], ['with weights in section 60000', $elf->($start + 6, 'v', 60_000), $taken], ['with weights in no section', $elf->($start + 6, 'v', 0), $taken],
    ['with weights that have a start only', $elf->($end, 'V', 0), $taken], ['with fewer weights than the wrapper takes', $elf->($end + 8, 'Q<', $base + 64), qr/holds 64 bytes of weights, the wrapper's take 4096/],
    ) {
    my ($what, $text, $says) = @$case;
    refused_package("a '.so' that is $what", qr/^model\.pt2\/\Q$x_so\E: error: .*$says/, package_of({ $x_so => $text }), compiles => 1);
}
my $appended = $wrapper =~ s/-O0/-DUSE_MMAP_SELF/r;
refused_package('appended weights that are not there', qr/are not whole/, package_of({ $x_wrapper => $appended }), compiles => 1);
for my $case (['larger than the file', 1 << 40, 42], ['of another magic number', 4096, 43], ['of no bytes', 0, 42], ['of 2^64 bytes', ~0, 42]) {
    my ($what, $says, $magic) = @$case;
    my $text = $so;
    substr $text, $weights->{offset} + $base - $behind + $weights->{size}, 16, pack 'Q<2', $says, $magic;
    $text .= "\0" x (-length($text) % 0x4000) . 'w' x 4088 . pack 'Q<', 42;
    refused_package("appended weights that are $what", qr/are not whole/, package_of({ $x_wrapper => $appended, $x_so => $text }), compiles => 1);
}
for my $case (['text', "no object\n", qr/no object file with the model's weights/], ['empty', '', qr/no object file/], ["a '.so'", $so, qr/no object file/], ['cut off', substr($object, 0, 700), qr/no object file/], ['for another machine', substr($object, 0, 18) . "\xf3\0" . substr($object, 20), qr/no object file/]) {
    my ($what, $text, $says) = @$case;
    refused_package("an object file that is $what", qr/^model\.pt2\/\Q$x_object\E: error: .*$says/, package_of({ $x_so => undef }, { name => $x_object, data => $text }));
}
{ # What is handed to the linker: whatever it makes of it, nothing but that.
    my ($sections_at, $n) = (unpack('Q<', substr $object, 0x28, 8), unpack 'v', substr $object, 0x3c, 2);
    my $merged = 0;
    for my $i (1 .. $n - 1) {
        my $text = $object;
        substr $text, $sections_at + 64 * $i + 32, 8, pack 'Q<', 1 << 61;
        zip("$at/model.pt2", package_of({ $x_so => undef, $x_wrapper => $launching }, { name => $x_object, data => $text }));
        my $r = generate(['model.pt2', '-o', 'out.pt2']);
        my @errors = $r->{err} =~ /^model\.pt2\/\Q$x_object\E: error: (?:is no object file|cannot be linked with the runtime)/mg;
        ok($r->{signal} == 0 && $r->{kb} <= MAX_KB && !glob("$tmp/* $at/.a*") && ($r->{status} == 0 ? -e "$at/out.pt2" : $r->{status} == 1 && @errors == 1 && !-e "$at/out.pt2"), "an object file whose section $i lies about its size") or diag($r->{err});
        $merged++ if $r->{err} =~ /cannot be linked with the runtime/;
        unlink glob("$at/*");
        File::Path::remove_tree("$dir/cache");
    }
    cmp_ok($merged, '>', 0, 'the linker saw some of them');
    spew("$dir/lto.c", "__asm__(\".globl leaks\\nleaks: .incbin \\\"$dir/outside/secret.h\\\"\");\n" . slurp("$dir/old.c"));
    is(run_cmd(['gcc', '-fPIC', '-flto', '-ffat-lto-objects', '-c', '-o', "$dir/lto.o", "$dir/lto.c"])->{status}, 0, 'an object file for a linker that compiles');
    accepted('it', package_of({ $x_wrapper => $launching, $x_so => undef }, { name => $x_object, data => slurp("$dir/lto.o") =~ s/SECRET123/........./gr }), keep => 1);
    unlike(slurp("$at/out.pt2"), qr/SECRET123/, 'and is not compiled');
    like(slurp("$at/out.pt2"), qr/\x07{4096}/, 'and its weights are there');
    unlink glob("$at/*");
}


# ---- large and deep

my $lines = "// 0123456789012345678901234567890123456789012345678901234567890\n" x 16384; # 1 MiB
for my $case ([$x_wrapper, $wrapper], [$x_kernel, $kernel]) {
    my ($name, $text) = @$case;
    refused_package("$name of 33 MiB", qr/is too large to be what AOTInductor emits/, package_of({ $name => undef }, { name => $name, data => body_of($text, $lines x 33) }));
}
accepted('a wrapper of 31 MiB of comments', package_of({ $x_wrapper => body_of($wrapper, $lines x 31) }));
refused_package('kernels of 80 MiB', qr/is more source text than a package holds/, $extra->(map { { name => "${in}k$_.kernel.cpp", data => body_of($kernel, $lines x 20) } } 1 .. 4));
refused_package('a million nested ifs', qr/nests too deep to be parsed/, package_of({ $x_wrapper => $wrapper =~ s/(run_impl\(\) \{)/$1 . 'if(1)' x 1_000_000 . ';'/er }), compiles => 1);
refused_package('two hundred thousand parentheses', qr/does not parse/, package_of({ $x_wrapper => $wrapper =~ s/(run_impl\(\) \{)/$1 . 'int z = ' . '(' x 200_000 . '1' . ')' x 200_000 . ';'/er }), compiles => 1);
# Texts that would take hours if a part were read again for each of its lines.
for my $case (['directives with a comment that does not end', "#define X /*\n*/\n" . "#define Y\n" x 500_000], ['sizes of weights', "/*\nAOTInductorModel::AOTInductorModel(\n" . "].data_size = \n" x 500_000 . "*/\n"], ['lines of blanks', ('    ' x 100_000 . "\n") x 5 . "\\\n" x 10 . "\n"],
    ["comments that name launches", "/*\n" . "// Source Nodes: [a], Original ATen: [\n" x 200_000 . "*/\n"], ['headings', "// Compile cmd\n// g++ -c\n" x 100_000], ['cache files', "#define X \\\n  1\n" x 100_000]) {
    my ($what, $body) = @$case;
    accepted("a text of many $what", package_of({ $x_wrapper => body_of($wrapper, $body) }), timeout => 30);
}

# ---- the file itself, and where the result goes

sub with_package { zip("$at/model.pt2", $sound); return 'model.pt2' }
refused('a package that is missing', qr/cannot be read: No such file/);
mkdir "$at/model.pt2";
refused('a directory for a package', qr/is a directory/);
rmdir "$at/model.pt2";
POSIX::mkfifo("$at/model.pt2", 0600);
refused('a FIFO for a package', qr/is no regular file/);
symlink '/dev/zero', "$at/model.pt2";
refused('a device for a package', qr/is no regular file/);
my $socket;
socket($socket, Socket::AF_UNIX(), Socket::SOCK_STREAM(), 0) && bind($socket, Socket::sockaddr_un("$at/model.pt2")) or diag("no socket: $!");
refused('a socket for a package', qr/cannot be read/);
symlink 'model.pt2', "$at/model.pt2";
refused('a link to itself for a package', qr/cannot be read/);
for my $link ([symlink => sub { symlink $_[0], $_[1] }], ['hard link' => sub { link $_[0], $_[1] }]) {
    with_package();
    $link->[1]("$at/model.pt2", "$at/out.pt2");
    refused("an output that is a $link->[0] to the package", qr/the output is the input/, elsewhere => 1);
}
with_package();
refused('an output that is the package', qr/the output is the input/, elsewhere => 1, output => './model.pt2');
with_package();
refused('an output in no directory', qr/cannot be written/, elsewhere => 1, output => 'none/out.pt2');
with_package();
mkdir "$at/out.pt2";
refused('an output that is a directory', qr/it is a directory/, elsewhere => 1);
rmdir "$at/out.pt2";
for my $case (['a FIFO', sub { POSIX::mkfifo($_[0], 0600) }], ['a device', sub { symlink '/dev/null', $_[0] }]) {
    with_package();
    $case->[1]("$at/out.pt2");
    refused("an output that is $case->[0]", qr/must be a regular file/, elsewhere => 1);
}
with_package();
refused('an output where no file can be made', qr/cannot be written/, elsewhere => 1, output => '/proc/out.pt2', compiles => 1);
SKIP: {
    skip 'root may write into any directory', 1 if $> == 0;
    with_package();
    chmod 0555, $at;
    refused('an output in a directory that cannot be written', qr/cannot be written/, elsewhere => 1, keep => 1);
    chmod 0755, $at;
}
zip("$at/model.pt2", package_of({}, { name => 'model/large', data => 'x' x 20_000_000 }));
refused('no room for the result', qr/cannot be written: .*File too large/, elsewhere => 1, compiles => 1, under => ['sh', '-c', 'ulimit -f 30000; exec "$@"', 'sh']);
zip("$at/model.pt2", package_of({ $x_so => $so . "\0" x 20_000_000 }));
refused('no room for what is unpacked', qr/cannot be unpacked: File too large/, compiles => 1, under => ['sh', '-c', 'ulimit -f 30000; exec "$@"', 'sh']);
# What grows in the parser is stopped, if not as early.
for my $bomb (['macros', join "\n", '#define A0 + 1', (map { my $i = $_ - 1; "#define A$_ " . "A$i " x 4 } 1 .. 16), 'int grown = 0 A16;'],
    ['templates', "template <unsigned long N> struct G { static constexpr unsigned long v = G<N - 1>::v + G<N - 2 + (N & 1) * 100000>::v; };\nunsigned long grown = G<1000000>::v;"]) {
    refused_package("$bomb->[0] that grow without end", qr/the parser gave up on it|recursive template|does not parse/, package_of({ $x_wrapper => body_of($wrapper, $bomb->[1]) }), compiles => 1, kb => 1_000_000);
}
with_package();
refused('no directory for temporary files', qr/cannot make a temporary directory here: No such file/, elsewhere => 1, env => { TMPDIR => "$dir/gone" });
with_package();
refused('a file for a directory of temporary files', qr/cannot make a temporary directory here/, elsewhere => 1, env => { TMPDIR => "$dir/old.so" });
accepted('a package with an odd name', $sound, input => "a 'b\" %s\\\n\$(x).pt2", output => 'out.pt2', words => ["a 'b\" %s\\\n\$(x).pt2", '-o', 'out.pt2']);
accepted('a package that looks like an option', $sound, input => '-model.pt2', output => 'out.pt2', words => ['-o', 'out.pt2', '--', '-model.pt2']);
accepted('members with odd names', package_of({ $x_wrapper => undef, $x_kernel => undef, $x_so => undef }, map { { name => "${in}a \"b'\$(x)%s*?.$_->[0]", data => $_->[1] } } ['wrapper.cpp', $wrapper], ['kernel.cpp', $kernel], ['wrapper.so', $so]));
accepted('members with names beyond ASCII', package_of({ $x_wrapper => undef, $x_kernel => undef, $x_so => undef }, map { { name => "${in}\xc3\xa9\xe4\xb8\xad.$_->[0]", data => $_->[1], flags => 0x800 } } ['wrapper.cpp', $wrapper], ['kernel.cpp', $kernel], ['wrapper.so', $so]));

# ---- signals: it dies of them, and leaves neither files nor children

spew("$dir/bin/slow", "#!/bin/sh\ncase \$1 in --version|-xc++) exec g++ \"\$@\" ;; esac\necho x >\"\$TMPDIR/ccXXXX.s\"\nsleep 1000 &\necho \$\$ \$! >$dir/pids\nwait\n");
chmod 0755, "$dir/bin/slow";
my %signals = (INT => 2, TERM => 15, HUP => 1);

sub alive { my ($pid) = @_; return -r "/proc/$pid/stat" && slurp("/proc/$pid/stat") !~ /^\d+ \(.*\) [ZX] / }

# Waits until $when says so, and sends the signal then.
sub interrupted {
    my ($what, $signal, $when, %env) = @_;
    unlink "$dir/pids";
    my $before = all_of($at);
    my $child = fork // die;
    if (!$child) {
        setpgrp 0, 0;
        chdir $at;
        %ENV = (%ENV, TMPDIR => $tmp, XDG_CACHE_HOME => "$dir/cache", CXX => $noting, %env);
        open STDERR, '>', "$dir/err";
        exec build() . '/aotigen', "--torch=$torch", 'model.pt2', '-o', 'out.pt2' or POSIX::_exit(126);
    }
    my $reached = 0;
    for (1 .. 20_000) { last if ($reached = $when->()) || waitpid($child, POSIX::WNOHANG()); sleep 0.001 }
    kill $signal, $child;
    waitpid $child, 0;
    my $status = $?;
    my @pids = -s "$dir/pids" ? split(' ', slurp("$dir/pids")) : ();
    for (1 .. 200) { last if !grep { alive($_) } @pids; sleep 0.02 }
    my @wrong;
    push @wrong, 'was not seen there' if !$reached;
    push @wrong, "ended with $status" if ($status & 127) != $signals{$signal};
    push @wrong, 'leaves ' . join ' ', glob "$tmp/* $tmp/.a*" if glob "$tmp/* $tmp/.a*";
    push @wrong, 'leaves a child' if grep { alive($_) } @pids;
    my $after = all_of($at);
    push @wrong, 'changes the directory: ' . join ' ', keys %$after if join("\n", map { "$_ $before->{$_}" } sort keys %$before) ne join("\n", map { "$_ $after->{$_}" } sort keys %$after);
    push @wrong, 'keeps a cache' if -e "$dir/cache";
    ok(!@wrong, "SIG$signal $what") or diag(join ', ', @wrong);
    return;
}

sub partly { my ($pattern, $size) = @_; my ($file) = glob $pattern; return $file && -s $file && -s _ < $size }
my $huge = 1 << 30;
for my $signal (sort keys %signals) {
    zip("$at/model.pt2", package_of({ $x_so => undef }, { name => $x_so, hole => $huge }));
    interrupted('while the weights are unpacked', $signal, sub { partly("$tmp/aotigen-*/0/old.so", $huge) });
    zip("$at/model.pt2", $sound);
    interrupted('while the compiler runs', $signal, sub { -s "$dir/pids" }, CXX => "$dir/bin/slow");
    zip("$at/model.pt2", package_of({}, { name => 'model/huge', hole => $huge }));
    interrupted('while the package is written', $signal, sub { partly("$at/.aotigen-*", $huge) });
    unlink glob("$at/*");
}

if ($ENV{SLOW}) {
    diag(join "\n", map { sprintf '%6.2f s %s', $slow{$_}, $_ } (sort { $slow{$b} <=> $slow{$a} } keys %slow)[0 .. 9]);
    diag(join "\n", map { sprintf '%6d kB %s', $large{$_}, $_ } (sort { $large{$b} <=> $large{$a} } keys %large)[0 .. 9]);
}
done_testing;
