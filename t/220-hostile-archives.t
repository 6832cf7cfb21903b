# Hostile packages: the ZIP archive. Names, kinds, sizes, checksums and records that lie, archives
# that unpack without end, and archives that are cut off or appended to something.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;
use Compress::Zlib ();

ok(length $so, "a '.so' to be taken apart");
ok(length $object, 'and an object file');

accepted('a sound package', package_of({}));
ok(compiler_ran(), 'and the compiler was seen to run');
like(accepted('a sound package that launches', package_of({ $x_wrapper => $launching }))->{err},
    qr/1 cpu instrumented/, 'and is instrumented');
like(accepted('a sound package of sources', package_of({ $x_wrapper => $launching, $x_so => undef },
    { name => $x_object, data => $object }))->{err}, qr/1 cpu instrumented/,
    'and is instrumented, too');

my $real = do { my $f = zip("$dir/real.pt2", $sound, align => 64); slurp($f) };
my $unreadable = qr/is not a ZIP archive|claims more bytes than the archive has/;

# Names.
for my $case (
    ['climbs', '../evil', qr/path that climbs/],
    ['climbs later', 'model/../../evil', qr/path that climbs/],
    ['climbs at its end', 'model/..', qr/path that climbs/],
    ['climbs as a directory', '../', qr/path that climbs/],
    ['is here', './evil', qr/path that climbs/],
    ['has empty parts', 'model//evil', qr/empty parts/],
    ['hides in a model', 'model/data/aotinductor//model/y.wrapper.cpp', qr/empty parts/],
    ['is absolute', '/etc/cron.d/evil', qr/absolute path/],
    ['is of Windows', 'C:/evil', qr/absolute path/], ['is of a drive', 'C:evil', qr/absolute path/],
    ['has backslashes', '..\\evil', qr/path that climbs/],
    ['has a newline', "model/a\nb", qr/control character/],
    ['drives a terminal', "model/\e]0;evil\a", qr/control character|Zip archive inconsistent/],
    ['drives a terminal in eight bits', "model/\xc2\x9b2J", qr/control character/],
    ['ends a line', "model/a\xe2\x80\xa8b", qr/control character/],
    ['marks a direction', "model/\xd8\x9cgpj.exe", qr/control character/],
    ['turns the line around', "model/\xe2\x80\xaegpj.exe", qr/control character/],
    ['is not UTF-8', "model/\xff\xfe", qr/invalid UTF-8|Zip archive inconsistent/],
    ['is overlong UTF-8', "model/\xc0\xaf", qr/invalid UTF-8|Zip archive inconsistent/],
    ['is very long', 'm' x 5000, qr/name longer than/],
    ['is as long as can be', 'm' x 65535, qr/name longer than/],
    ['is empty', '', qr/without a name/],
    ) {
    my ($what, $name, $says) = @$case;
    refused_package("a name that $what", $says, with_member({ name => $name, data => 'x' }));
    refused_package("a name that $what, in the first place", $says,
        [{ name => $name, data => 'x', flags => 0x800 }, @$sound]) if $what ne 'is empty';
}
refused_package('a name cut by a zero', qr/path that climbs/,
    with_member({ name => "model/ok\0/../../evil", data => 'x' }));

# A name in the field of a path in Unicode, which torch does not read.
my $second = sub {
    my ($name, $other) = @_;
    my $path = pack('C V', 1, Compress::Zlib::crc32($name)) . $other;
    return { name => $name, data => 'x', extra => pack('v2', 0x7075, length $path) . $path };
};
for my $case (['another', 'model/evil', 'model/other'],
    ['one that climbs', 'model/evil', '../evil'], ["a member's", 'model/evil', $x_kernel],
    ['none', 'model/evil', '']) {
    my ($what, $name, $other) = @$case;
    refused_package("a second name that is $what", qr/second name in Unicode that differs/,
        with_member($second->($name, $other)));
}
accepted('a second name that is the first', with_member($second->('model/same', 'model/same')));

# Names that clash.
my $twice = { name => $x_wrapper, data => 'int other;' };
refused_package('a member twice', qr/two members of one name/, with_member($twice));
refused_package('a member twice, the second first', qr/two members of one name/, [$twice, @$sound]);
refused_package('a directory twice', qr/two members of one name/,
    with_member(({ name => 'model/d/', data => '' }) x 2));
refused_package('a member twice, in two encodings', qr/two members of one name/,
    with_member({ name => "model/\xc3\xa9", data => 'x' },
    { name => "model/\xc3\xa9", data => 'x', flags => 0x800 }));
refused_package('a file that is a directory', qr/both a file and a directory/,
    with_member({ name => "$x_wrapper/inner", data => 'x' }));
refused_package('a file and a directory of its name', qr/both a file and a directory/,
    with_member({ name => "$x_kernel/", data => '' }));
refused_package('a directory for a wrapper', qr/no wrapper|holds no model/,
    package_of({ $x_wrapper => undef }, { name => "$x_wrapper/", data => '' }));
refused_package('a directory that holds bytes', qr/directory that claims to hold bytes/,
    with_member({ name => 'model/d/', data => 'x' }));

# Kinds.
my $unix = 3 << 8 | 20;
for my $case ([link => 0120777], [device => 0020666], ['block device' => 0060666],
    [FIFO => 0010666], [socket => 0140777]) {
    my ($what, $mode) = @$case;
    refused_package("a $what", qr/link or a device/, with_member({ name => 'model/evil',
        data => '/etc/passwd', central => { madeby => $unix, external => $mode << 16 } }));
}
refused_package('a wrapper that is a link', qr/link or a device/,
    package_of({ $x_wrapper => undef }, { name => $x_wrapper, data => '/etc/passwd',
    central => { madeby => $unix, external => 0120777 << 16 } }));
refused_package('an encrypted member', qr/is encrypted/,
    with_member({ name => 'model/evil', data => 'x' x 20, flags => 1 }));
refused_package('an encrypted wrapper', qr/is encrypted/,
    package_of({ $x_wrapper => undef }, { name => $x_wrapper, data => 'x' x 99, flags => 1 }));
refused_package('an encrypted member by AES', qr/encrypted|method that torch does not read/,
    with_member({ name => 'model/evil', data => 'x' x 50, flags => 1, method => 99,
    extra => pack('v2 v a2 C v', 0x9901, 7, 2, 'AE', 3, 0) }));
refused_package('a strongly encrypted member', qr/encrypted|method that torch does not read/,
    with_member({ name => 'model/evil', data => 'x' x 50, flags => 0x41 }));
refused_package("a method of compression of another's", qr/method that torch does not read/,
    with_member({ name => 'model/evil', data => 'BZh9', size => 100, method => $_ }))
    for 12, 14, 93, 1, 9, 65535;

# Sizes and sums that lie.
for my $case (
    ['a stored member of 4 GB in a small file', { csize => 0xfffffffe, size => 0xfffffffe },
        $unreadable],
    ['a stored member of 16 EB', { csize => 0xffffffff, size => 0xffffffff,
        extra => pack('v2 Q<2', 1, 16, ~0, ~0) }, $unreadable],
    ['a deflated member of 16 EB',
        { deflate => 1, size => 0xffffffff, extra => pack('v2 Q<', 1, 8, ~0) }, qr/200 times/],
    ['a ZIP64 record that is cut off',
        { csize => 0xffffffff, size => 0xffffffff, extra => pack('v2 v', 1, 2, 7) }, $unreadable],
    ['a ZIP64 offset outside of the file', { extra => pack('v2 Q<', 1, 8, 1 << 50),
        central => { offset => 0xffffffff } }, $unreadable],
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
    refused_package($what, $says,
        with_member({ name => 'model/evil', data => 'x' x 50, %$change }));
}
# A member is checked once more while it is read.
for my $case ([$x_wrapper, $wrapper], [$x_kernel, $kernel], [$x_so, $so]) {
    my ($name, $data) = @$case;
    my $member = sub { package_of({ $name => undef }, { name => $name, data => $data, @_ }) };
    my ($what) = $name =~ /(\w+\.\w+)$/;
    my %how = $name eq $x_so ? (compiles => 1) : ();
    refused_package("$what with a wrong sum", qr/cannot be unpacked: CRC/,
        $member->(crc => 7), %how);
    refused_package("$what deflated with a wrong sum", qr/cannot be unpacked: CRC/,
        $member->(crc => 7, deflate => 1), %how);
    refused_package("$what unpacks to more than it claims", qr/unpacked|unpacks to more/,
        $member->(deflate => 1, size => 100), %how);
    refused_package("$what unpacks to less than it claims", qr/unpacked|unpacks to fewer/,
        $member->(deflate => 1, size => 1 + length $data), %how);
    refused_package("$what with a broken stream", qr/cannot be unpacked|unpacks to/,
        $member->(data => "\xff" x 500, method => 8, size => 1000), %how);
    refused_package("$what with a stream that is cut off", qr/cannot be unpacked|unpacks to/,
        $member->(data => substr(Compress::Zlib::compress($data), 2, 200), method => 8,
        size => length $data), %how);
}
refused_package('a member that is only copied, with a wrong sum', qr/CRC/,
    with_member({ name => 'model/copied', data => 'x' x 5000, crc => 7 }), compiles => 1);
refused_package('a deflated member that is only copied, with a wrong sum', qr/CRC/,
    with_member({ name => 'model/copied', data => 'x' x 5000, deflate => 1, crc => 7 }),
    compiles => 1);

# Bombs.
refused_package('a bomb', qr/more than 200 times its size/,
    with_member({ name => 'model/bomb', data => ' ' x (1 << 26), deflate => 1 }));
refused_package('a wrapper of a gigabyte of blanks', qr/more than 200 times its size/,
    package_of({ $x_wrapper => undef },
    { name => $x_wrapper, data => "\n" x (1 << 20), deflate => 1, size => 1 << 30 }));
refused_package('members that share their bytes', $unreadable,
    [@$sound, { name => 'model/a', data => 'x' x 100_000 }, map { { name => "model/b$_",
    data => 'x' x 100_000, only => 'central', central => { offset => 0 } } } 1 .. 50]);
for my $case ([$x_wrapper, 'too large to be what AOTInductor emits'],
    [$x_kernel, 'too large to be what AOTInductor emits']) {
    my ($name, $says) = @$case;
    refused_package("$name of a gigabyte", qr/$says/,
        package_of({ $name => undef }, { name => $name, hole => 1 << 30 }));
}
refused_package('a million members', qr/more members than a package has/, $sound,
    zip => { entries => 0xffff, zip64 => { entries => 1_000_000, total => 1_000_000 } });
refused_package('a directory of a gigabyte', $unreadable, $sound, zip => { size => 1 << 30 });
for my $case ([0 => 'none'], [3 => 'fewer'], [7 => 'more'], [9_000 => 'many more']) {
    refused_package("an end record that counts $case->[1]", $unreadable, $sound,
        zip => { entries => $case->[0], total => $case->[0] });
}
refused_package('an end record of two counts', $unreadable, $sound, zip => { total => 9_000 });
refused_package('an end record that points elsewhere', $unreadable, $sound, zip => { offset => 7 });
refused_package('an end record that points outside', $unreadable, $sound,
    zip => { offset => 1 << 31 });
refused_package('a ZIP64 record of 2^40 members', qr/more members than a package has/, $sound,
    zip => { zip64 => { entries => 1 << 40, total => 1 << 40 } });
refused_package('a ZIP64 record of an endless directory', $unreadable, $sound,
    zip => { zip64 => { size => ~0 } });
refused_package('a ZIP64 record that is not there', $unreadable, $sound,
    zip => { zip64 => { elsewhere => 1, at => 0 } });
refused_package('a ZIP64 record outside of the file', $unreadable, $sound,
    zip => { zip64 => { at => 1 << 60 } });
# A record far from the end, outside of the part that is searched.
my $far = "PK\6\6" . pack('Q< v2 V2 Q<4', 44, 45, 45, 0, 0, 1 << 28, 1 << 28, 1 << 34, 1 << 10);
refused_package('a ZIP64 record at the beginning', $unreadable,
    [@$sound, { name => 'model/far', data => 'x' x 200_000 }],
    zip => { prefix => $far, zip64 => { elsewhere => 1, at => 0 } });
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
my @many = map { { name => sprintf('%0900d', $_), data => '' } } 1 .. 10_000;
refused_package('ten thousand members of long names', qr/holds no model/, \@many);
refused_package('as many, with no memory for them',
    qr/gave up on it|Malloc failure|Cannot allocate/, \@many,
    words => ['--limits=parser-memory=1', 'model.pt2', '-o', 'out.pt2'])
    if build() !~ m{/san$}; # a sanitizer's allocator ends the process in its own way
refused_package('ten thousand members and one', qr/more members than a package has/,
    [@many, { name => 'a', data => '' }]);
# "Ab" and "BA" are one to the hash of libzip.
for my $n (1 .. 10_000) {
    $many[$n - 1]{name} = join '', map { $n >> $_ & 1 ? 'Ab' : 'BA' } 0 .. 13;
}
refused_package('ten thousand names that libzip cannot tell apart', qr/holds no model/, \@many);
@many = ();
refused_package('ten thousand models', qr/holds more models than/,
    [map { { name => "data/aotinductor/m$_/a.cpp", data => '' } } 1 .. 10_000]);

my $decoy = "PK\6\7" . pack('V Q< V', 0, 0, 1) . "PK\5\6" . "\xff" x 16 . "\0\0";
refused_package('a decoy of an end record that leads to a lie', qr/more members than a package has/,
    with_member({ name => 'model/decoy', data => $decoy }), zip => { prefix => $far });
refused_package('a directory of 36 MB', qr/more members than a package has/,
    with_member(map { { name => "model/m$_", data => 'x', extra => pack('v2', 0x7777, 59_000)
    . 'x' x 59_000, central => { comment => 'x' x 60_000 } } } 1 .. 300));

# No archive.
refused("text that is called a package", qr/is not a ZIP archive/,
    words => [do { spew("$at/model.pt2", "int x;\n" x 100); 'model.pt2' }, '-o', 'out.pt2']);
for my $case ([empty => ''], ['the head of one' => "PK\3\4"],
    ['an end record alone' => "PK\5\6" . "\0" x 18], ['zeros' => "\0" x 100_000],
    ['end records only' => ("PK\5\6" . "\0" x 18) x 3000]) {
    spew("$at/model.pt2", $case->[1]);
    refused("a package that is $case->[0]", qr/is empty|is not a ZIP archive|no member/);
}
spew("$at/model.pt2", $real . $real);
refused('two packages in one file', $unreadable);
{ # each of them whole: one reader takes the first, another the second
    zip("$at/model.pt2", package_of({ $x_wrapper => body_of($wrapper, 'int second;') }),
        prefix => $real);
    refused('two packages in one file, the second aware of it', qr/holds two archives/);
    zip("$at/model.pt2", $sound, comment => $real);
    refused('a package in the comment of another', $unreadable);
}
spew("$at/model.pt2", "junk\n" x 100 . $real);
refused('a package behind something else', $unreadable);
# What torch loads, too: a comment, and what stands behind the end and is no archive.
accepted('a comment, and bytes behind the end', package_of({}),
    zip => { comment => 'by somebody', suffix => 'junk' x 100 });
for my $mark ("PK\1\2", "PK\3\4", "PK\5\6", "PK\6\6", "PK\6\7") {
    my $shown = $mark =~ s/([^ -~])/ord $1/ger;
    refused_package("$shown in the comment", qr/behind its end|is not a ZIP archive/, $sound,
        zip => { comment => "a $mark b" . ' ' x 40 });
    refused_package("$shown behind the end", qr/behind its end|is not a ZIP archive/, $sound,
        zip => { suffix => "a $mark" });
}
spew("$at/model.pt2", do { zip("$at/model.pt2", $sound, comment => 'x' x 100);
    substr slurp("$at/model.pt2"), 0, -1 });
refused('a comment that is cut off', qr/is not a ZIP archive, or is cut off/);

# As `zip -fd` writes members: sum and sizes stand behind the bytes, and the size unpacked before
# them, too.
my @streamed = map { { deflate => 1, flags => 8, local => { crc => 0, csize => 0 }, behind => {},
    %$_ } } @{ package_of({}) };
accepted('sizes behind the bytes', \@streamed);
for my $case (
    ['another size before', { local => { crc => 0, csize => 0, size => 7 } }],
    ['another sum before', { local => { crc => 7, csize => 0 } }],
    ['another size behind', { behind => { size => 7 } }],
    ['another sum behind', { behind => { crc => 7 } }],
    ['no sizes behind', { behind => undef }],
    ['a name of its own before', { local => { crc => 0, csize => 0, name => 'model/evim' } }],
    ['a member that the directory lacks', { only => 'local' }],
    ) {
    my ($what, $change) = @$case;
    my $member = { %{ $streamed[0] }, name => 'model/evil', data => 'x' x 50, %$change };
    refused_package("sizes behind the bytes, and $what", $unreadable, [@streamed, $member]);
}
refused_package('sizes behind the bytes, and a member twice', qr/two members of one name/,
    [@streamed, $streamed[0]]);

# Cut off at every kilobyte, and at each byte near the end.
my @cut = grep { $_ < length $real } (map { $_ * 1024 } 1 .. length($real) / 1024),
    map { length($real) - $_ } 1 .. 22, 50, 100;
for my $n (@cut) {
    spew("$at/model.pt2", substr $real, 0, $n);
    refused("cut off at $n", qr/is not a ZIP archive/);
}
cmp_ok(scalar @cut, '>', 20, 'at so many places');
done_testing;
