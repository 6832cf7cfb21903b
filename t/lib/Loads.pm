package Loads;

# Loads.pm - the program t/lib/loads.c.
#
#   loads($dir)              compiles it and its library into $dir -> its path
#   model($so, $value, %how) a shared object whose value() is that; %how: beside => the directory of
#                            a "libbeside.so" that it loads by name, as beside() says; size => its
#                            bytes

use strict;
use warnings;
use parent 'Exporter';
use Aotigen;

our @EXPORT = qw(loads model);

sub compile {
    my ($to, @words) = @_;
    my $r = run_cmd(['cc', '-D_GNU_SOURCE', '-w', '-o', $to, @words]);
    return $to if $r->{status} == 0;
    die "cannot compile '$to': $r->{err}\n";
}

sub loads {
    my ($dir) = @_;
    skip_or_fail('cc', 'no cc here') if run_cmd(['cc', '--version'])->{status};
    my $source = root() . '/t/lib/loads.c';
    compile("$dir/libtorch_loads.so", '-DLOADER', '-shared', '-fPIC', $source);
    return compile("$dir/loads", $source, "-Wl,-rpath,$dir", '-ldl');
}

sub model {
    my ($so, $value, %how) = @_;
    my $beside = $how{beside} ? 'const char *beside(void) { return dlopen("libbeside.so", 2) ? '
        . '" beside" : dlerror(); }' : '';
    spew("$so.c", "#include <dlfcn.h>\nint value(void) { return $value; }\n$beside\n");
    my @runpath = $how{beside} ? "-Wl,-rpath,$how{beside}" : ();
    compile($so, '-shared', '-fPIC', "$so.c", @runpath, '-ldl');
    unlink "$so.c";
    truncate $so, $how{size} or die if $how{size};
    return slurp($so);
}

1;
