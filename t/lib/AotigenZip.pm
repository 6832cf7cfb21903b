package AotigenZip;

# AotigenZip.pm - writes ZIP archives in which every field of every header can be set, also to
# values that contradict the others.
#
#   zip($path, \@members, %how)   writes the archive, returns $path
#
# A member: { name, data }, and optionally
#   deflate => 1               compressed
#   hole => N                  N bytes of zeros in place of the data (the file stays sparse)
#   flags method time date crc csize size extra     this field of both headers
#   local => {}, central => {}                      fields of one of them (there also: name sig need
#                              madeby comment disk internal external offset)
#   only => 'local'|'central'  writes only one of them
#   behind => {}               a record behind the data, with its crc, csize and size, or these
# %how:
#   entries total size offset comment               fields of the end record
#   zip64 => { entries total size offset at }       a ZIP64 record (at: where the locator points)
#   align => N                 the data of each member begins at a multiple of N
#   prefix, suffix             bytes before and after the archive

use strict;
use warnings;
use Compress::Zlib ();

use parent 'Exporter';
our @EXPORT = qw(zip);

sub pick {
    my ($name, @from) = @_;
    for (@from) { return $_->{$name} if $_ && defined $_->{$name} } return;
}

# The fields that both headers have, behind "version needed".
sub common {
    my ($m, $own) = @_;
    my @values = map { pick($_, $own, $m) // 0 } qw(flags method time date crc csize size);
    return pack('v4 V3', @values) . pack 'v2', length $own->{name}, length $own->{extra};
}

sub pack_data {
    my ($m) = @_;
    my $data = $m->{data} // '';
    $m->{crc} //= Compress::Zlib::crc32($data);
    $m->{size} //= $m->{hole} // length $data;
    if ($m->{deflate}) {
        my ($d) =
            Compress::Zlib::deflateInit(-Level => 9, -WindowBits => -Compress::Zlib::MAX_WBITS());
        $data = $d->deflate($data) . $d->flush;
        $m->{method} //= 8;
    }
    $m->{csize} //= $m->{hole} // length $data;
    return $data;
}

sub zip {
    my ($path, $members, %how) = @_;
    open my $out, '>:raw', $path or die "cannot write '$path': $!\n";
    print $out $how{prefix} // '';
    my ($directory, $count) = ('', 0);
    for my $given (@$members) {
        my $m = {%$given};
        my $data = pack_data($m);
        my %local = (name => $m->{name}, extra => $m->{extra} // '', %{ $m->{local} // {} });
        my %central = (name => $m->{name}, extra => $m->{extra} // '', offset => tell $out,
            %{ $m->{central} // {} });
        if (($m->{only} // '') ne 'central') {
            if ($how{align}) {
                my $odd = (tell($out) + 30 + length($local{name}) + length($local{extra})
                    + 4) % $how{align};
                $local{extra} .= pack('v2', 0x4246, ($how{align} - $odd) % $how{align})
                    . 'Z' x (($how{align} - $odd) % $how{align});
            }
            print $out $local{sig} // "PK\3\4", pack('v', $local{need} // 20), common($m, \%local),
                @local{qw(name extra)}, $data;
            print $out "PK\7\10", pack 'V3', map { pick($_, $m->{behind}, $m) } qw(crc csize size)
                if $m->{behind};
            seek $out, $m->{hole}, 1 if $m->{hole};
        }
        next if ($m->{only} // '') eq 'local';
        $count++;
        $directory .= ($central{sig} // "PK\1\2")
            . pack('v2', $central{madeby} // 20, $central{need} // 20) . common($m, \%central)
            . pack('v3 V2', length($central{comment} // ''), $central{disk} // 0,
                $central{internal} // 0, $central{external} // 0, $central{offset})
            . $central{name} . $central{extra} . ($central{comment} // '');
    }
    my %end = (entries => $count, total => $count, size => length $directory, offset => tell $out,
        comment => '', %how);
    print $out $directory;
    if (my $big = $how{zip64}) {
        my %x = (%end, %$big);
        $x{at} //= tell $out;
        print $out "PK\6\6",
            pack('Q< v2 V2 Q<4', 44, 45, 45, 0, 0, @x{qw(entries total size offset)})
            if !$x{elsewhere};
        print $out "PK\6\7", pack('V Q< V', 0, $x{at}, 1);
        %end = (%end, map { ($_ => $how{$_} // 0xffffffff) } qw(entries total size offset));
    }
    print $out "PK\5\6", pack('v4 V2 v', 0, 0, $end{entries} & 0xffff, $end{total} & 0xffff,
        @end{qw(size offset)}, length $end{comment}), $end{comment}, $how{suffix} // '';
    close $out or die "cannot write '$path': $!\n";
    return $path;
}

1;
