# The folders of gen/ and runtime/ are layers: a file calls, and includes, only what stands in its
# own folder or below it, so that no folders call each other in a circle. Files of one folder may.
# Calls are read from the symbols of the objects that make built, and includes from the text; what
# the compiler opened, as it wrote in the .d file beside each object, has to lie below too.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use File::Find ();
use Includes;

my $root = root();

# From top to bottom. '' is what stands in the folder itself: main.c of gen, and of runtime the
# public headers, which every folder may include.
my %layers = (
    gen => ['', qw(report compare diff replay taken run here package toolchain stages emit check
            sizes model bounds kernel parse command system base)],
    runtime => [qw(watch launch output memory nan checks explain state cuda tensor base), ''],
);
sub order_of { return join ' > ', map { $_ || 'the folder itself' } @{ $layers{ $_[0] } } }

sub folder_of { my ($file) = @_; return $file =~ m{^(.*)/} ? $1 : '' }

# The files below a folder that end so, named below it.
sub files_of {
    my ($part, $ending) = @_;
    my @files;
    File::Find::find({ no_chdir => 1, wanted => sub { push @files, $_ if -f && /$ending$/ } },
        "$root/$part");
    return map { substr $_, length "$root/$part/" } sort @files;
}

# ---- calls

# What each object defines and needs: file => { defines => {}, needs => {} }. Objects without a
# source are left from an older tree and do not count; templates.o holds the data of
# base/template.c. One nm reads all: each start of it loads its plugins, LLVM's among them.
sub symbols_of {
    my ($part) = @_;
    my (%symbols, %source);
    for my $file (files_of($part, qr/\.c/)) {
        $source{ build() . "/$part/" . $file =~ s/c$/o/r } = $file;
        $source{ build() . "/$part/templates.o" } = $file if $file eq 'base/template.c';
    }
    my @missing = grep { !-e } sort keys %source;
    is("@missing", '', "$part: every source has its object (run make)");
    my $r = run_cmd(['nm', '-A', grep { -e } sort keys %source]);
    is($r->{status}, 0, "$part: nm reads them") or diag($r->{err});
    for my $line (split /\n/, $r->{out}) {
        my ($object, $type, $name) = $line =~ /^(.+?\.o):.*([A-Za-z]) (\S+)$/ or next;
        $symbols{ $source{$object} }{ $type =~ /[Uvw]/ ? 'needs' : 'defines' }{$name} = 1
            if $type =~ /[UvwVWTDBRC]/;
    }
    return \%symbols;
}

# file => { other file => [symbols] }
sub calls_of {
    my ($symbols) = @_;
    my (%owner, %calls);
    for my $file (keys %$symbols) { $owner{$_} = $file for keys %{ $symbols->{$file}{defines} } }
    for my $file (sort keys %$symbols) {
        for my $name (sort keys %{ $symbols->{$file}{needs} }) {
            my $other = $owner{$name};
            push @{ $calls{$file}{$other} }, $name if defined $other && $other ne $file;
        }
    }
    return \%calls;
}

# Every file that can be reached from one by its arrows.
sub reached_from {
    my ($arrows, $from) = @_;
    my (%seen, @next);
    @next = keys %{ $arrows->{$from} // {} };
    while (defined(my $file = shift @next)) {
        push @next, keys %{ $arrows->{$file} // {} } if !$seen{$file}++;
    }
    return \%seen;
}

# The same arrows between folders: folder => { other folder => ["file: symbols"] }
sub between_folders {
    my ($calls) = @_;
    my %arrows;
    for my $file (sort keys %$calls) {
        for my $other (sort keys %{ $calls->{$file} }) {
            my ($from, $to) = map { folder_of($_) } $file, $other;
            push @{ $arrows{$from}{$to} }, "$file: " . join ', ', @{ $calls->{$file}{$other} }
                if $from ne $to;
        }
    }
    return \%arrows;
}

# Groups of files, or folders, each of which reaches all others of its group.
sub circles_of {
    my ($arrows) = @_;
    my %reached = map { $_ => reached_from($arrows, $_) } keys %$arrows;
    my (@circles, %done);
    for my $file (sort keys %$arrows) {
        next if $done{$file} || !$reached{$file}{$file};
        my @circle = grep { $reached{$file}{$_} && ($reached{$_} // {})->{$file} }
            sort keys %reached;
        $done{$_} = 1 for @circle;
        push @circles, \@circle;
    }
    return @circles;
}

# A line for each arrow within a circle, with what is called.
sub arrows_of {
    my ($arrows, @circle) = @_;
    my %in = map { $_ => 1 } @circle;
    my @lines = 'these ' . @circle . ' reach each other:';
    for my $file (@circle) {
        push @lines, "  $file -> $_: " . join ', ', @{ $arrows->{$file}{$_} }
            for grep { $in{$_} } sort keys %{ $arrows->{$file} };
    }
    return join "\n", @lines;
}

# ---- which way an arrow points

sub upward {
    my ($part, $arrows) = @_;
    my @order = @{ $layers{$part} };
    my %height = map { $order[$_] => @order - $_ } 0 .. $#order;
    my @wrong;
    for my $file (sort keys %$arrows) {
        for my $other (sort keys %{ $arrows->{$file} }) {
            my ($from, $to) = map { $height{ folder_of($_) } // 0 } $file, $other;
            next if $from >= $to;
            my @names = @{ $arrows->{$file}{$other} };
            push @wrong, "$file -> $other: " . join ', ', @names if @names;
        }
    }
    return @wrong;
}

# ---- includes

# file => { included file => ["#include"] }, for files of the same half.
sub includes_of {
    my ($part) = @_;
    my %includes;
    for my $file (files_of($part, qr/\.(?:[ch]|def|inc)/)) {
        for my $name (Includes::named(slurp("$root/$part/$file"))) {
            my $found = Includes::found("$part/$file", $name =~ s/^["<]//r, "$part/") // next;
            $includes{$file}{$found} = ['#include'] if $found =~ s{^$part/}{};
        }
    }
    return \%includes;
}

# file => { other file that the compiler opened for it => ["the compiler opened it"] }
sub opened_of {
    my ($part) = @_;
    my (%opened, @missing);
    for my $file (files_of($part, qr/\.c/)) {
        my $dependencies = build() . "/$part/" . $file =~ s/c$/d/r;
        if (!-e $dependencies) { push @missing, $file; next }
        for my $other (Includes::depended($dependencies)) {
            $opened{$file}{$other} = ['the compiler opened it'] if $other =~ s{^$part/}{};
        }
    }
    is("@missing", '', "$part: the compiler wrote what it opened for each source");
    return \%opened;
}

for my $part (sort keys %layers) {
    my %known = map { $_ => 1 } @{ $layers{$part} };
    my %folders = map { folder_of($_) => 1 } files_of($part, qr/\.[ch]/);
    is(join(' ', grep { !$known{$_} } sort keys %folders), '', "$part: every folder has its layer");

    if ($part eq 'gen' && !-e build() . '/gen' && -e "$root/lib/aotigen") {
        SKIP: { skip 'a bundle (make bundle) has no objects of gen/', 4 }
    }
    else {
        my $calls = calls_of(symbols_of($part));
        cmp_ok(scalar keys %$calls, '>', 10, "$part: there are calls between files");
        my $folders = between_folders($calls);
        my @circles = circles_of($folders);
        ok(!@circles, "$part: no folders call each other in a circle")
            or diag(join "\n", map { arrows_of($folders, @$_) } @circles);
        my @wrong = upward($part, $calls);
        ok(!@wrong, "$part: calls between folders go down (" . order_of($part) . ')')
            or diag(join "\n", 'these calls go up:', map { "  $_" } @wrong);
    }
    SKIP: {
        skip 'a bundle (make bundle) has no .d files', 2 if -e "$root/lib/aotigen";
        my @wrong = upward($part, opened_of($part));
        ok(!@wrong, "$part: no file has one of a folder above it opened")
            or diag(join "\n", 'these are opened from below:', map { "  $_" } @wrong);
    }
    my $includes = includes_of($part);
    my @circles = circles_of($includes);
    ok(!@circles, "$part: no files include each other in a circle")
        or diag(join "\n", map { arrows_of($includes, @$_) } @circles);
    my @wrong = upward($part, $includes);
    ok(!@wrong, "$part: includes between folders go down")
        or diag(join "\n", 'these includes go up:', map { "  $_" } @wrong);
}
done_testing;
