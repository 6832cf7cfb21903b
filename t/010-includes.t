# The parts of the tree that each part may include, and what the sources of a part never contain.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use Includes;

my $root = root();

sub files { return map { s/^\Q$root\E\///r } map { glob "$root/$_" } @_ }

my @shared = files('shared/*.[ch]', 'shared/*/*.h', 'shared/*.def');
my @gen = files('gen/*.[ch]', 'gen/*/*.[ch]');
my @runtime = files('runtime/*/*.[ch]', 'runtime/*/*.def');
my @generator_units =
    files('t/[12]*.c', map { "t/$_.h" } qw(unit machine in_arena confine_acts kernel_facts));
my @runtime_units = grep { !m{^t/(?:unit|machine|in_arena|confine_acts|kernel_facts)\.h$} }
    files('t/[35]*.c', 't/*.h', 't/lib/*.c', 't/5xx/*.c', 't/5xx/*.h', 't/5xx/*.cc');

# [name, files, the folders that make names to the compiler with -I, what may be included]
my @parts = (
    ['shared', \@shared, ['./'], ['shared/']],
    ['gen', \@gen, ['./', 'gen/'], ['gen/', 'shared/']],
    ['templates', [files('templates/*.tpl')], ['shared/wrapper/'], ['shared/wrapper/aotigen.h']],
    ['runtime', \@runtime, ['./', 'runtime/', 'kernels/'],
        ['runtime/', 'kernels/kernels.h', 'shared/']],
    ['host', [files('host/*.[ch]')], ['./'], ['host/', 'preload/member.h', 'shared/dtypes.def']],
    ['kernels', [files('kernels/*')], ['kernels/'], ['kernels/']],
    ['generator units', \@generator_units, ['./', 'gen/', 't/'], ['gen/', 't/', 'shared/']],
    ['runtime units', \@runtime_units, ['./', 'runtime/', 'kernels/', 't/'],
        ['runtime/', 'kernels/', 't/', 'shared/']],
);

# However an include is written, it is seen.
is(join(' ', Includes::named(<<'END')), '"a.h "b.h <c.h "../d.h "e.h H "f.h "g.h', 'all are seen');
#include "a.h"
# /* x */ include /* "
*/ "b.h" // "z.h"
#include<c.h>
  #include \
    "../d.h"
/* */ #include "e.h"
#include H
// #include "z.h"
/*
#include "z.h"
*/
const char *s = "/*";
#include "f.h"
%:include_next "g.h"
END
is(Includes::normal('a/./b//../../c/../../d'), '../d', 'and a path with .. stands for its file');
is(Includes::found('runtime/nan/nan.c', '../launch/run.h'), 'runtime/launch/run.h', 'beside it');
is(Includes::found('gen/main.c', 'parse/../base/diag.h', 'gen/'), 'gen/base/diag.h', 'or below -I');

for my $part (@parts) {
    my ($name, $files, $path, $may) = @$part;
    my (@wrong, $n);
    for my $file (@$files) {
        for my $include (Includes::named(slurp("$root/$file"))) {
            my ($sign, $named) = $include =~ /^(["<])(.*)$/;
            if (!defined $sign) {
                push @wrong, "$file: '$include' is the name of a macro";
                next;
            }
            my $found = Includes::found($file, $named, @$path);
            $n++ if defined $found;
            # A name in angle brackets is another's, unless it is one of ours.
            push @wrong, "$file: '$named' is not found" if !defined $found && $sign eq '"';
            push @wrong, "$file: '$found'"
                if defined $found && !grep { index($found, $_) == 0 } @$may;
        }
    }
    cmp_ok($n // 0, '>', 0, "$name: there are includes to check");
    is(join(', ', @wrong), '', "$name: includes only what it may");
}

# ---- libclang: its functions are called in gen/parse alone, and who sees its types is written down

my %includes;
for my $file (@gen) {
    $includes{$file} = [map { s/^["<]//r } Includes::named(slurp("$root/$file"))];
}

sub sees_libclang {
    my ($file, %seen) = @_;
    for my $include (@{ $includes{$file} }) {
        return 1 if $include =~ m{^clang-c/};
        my $next = Includes::found($file, $include, 'gen/');
        return 1 if defined $next && !$seen{$next} && sees_libclang($next, %seen, $file => 1);
    }
    return 0;
}

is(join(' ', grep { grep { m{^clang-c/} } @{ $includes{$_} } } @gen),
    'gen/parse/translation_unit.h', 'one header includes libclang');
# These pass a translation unit from one stage to the next, and read nothing in it.
is(join(' ', grep { !m{^gen/parse/} && sees_libclang($_) } @gen),
    join(' ', qw(gen/package/repackage.c gen/stages/rewrite.c gen/stages/stages.c
        gen/stages/stages.h)),
    'outside of gen/parse four files see the types of libclang');

sub never {
    my ($pattern, $what, @files) = @_;
    my @wrong = grep { Includes::without_comments(slurp("$root/$_")) =~ $pattern } @files;
    cmp_ok(scalar @files, '>', 0, "$what: there are files");
    is("@wrong", '', $what);
    return;
}

never(qr{\b(?:clang_(?!pch_)[a-z]\w*\s*\(|CX[A-Z]\w+)}, 'libclang is used in gen/parse alone',
    grep { !m{^gen/parse/} } @gen);
never(qr{#\s*include\s*[<"](?:torch|ATen|c10)/}, 'no torch header in gen or runtime', @gen,
    @runtime);
never(qr{\b(?:secure_)?getenv\s*\(}, 'only settings.c reads the environment, in runtime',
    grep { $_ ne 'runtime/base/settings.c' } @runtime);
never(qr{\bgetenv\s*\(}, 'the environment of a program with the rights of another user is not read',
    @runtime, files('preload/*.c'));
never(qr{\b(?:secure_)?getenv\s*\(}, 'only options.c and main.c read the environment, in gen',
    grep { !m{^gen/(?:base/options|main)\.c$} } @gen);
never(qr{\b(?:system|popen)\s*\(}, 'no shell is started', @gen, @runtime);
never(qr{\bcuda(?:Malloc|Free|DeviceSynchronize|StreamSynchronize)\w*\s*\(},
    'kernels neither allocate nor synchronize', files('kernels/*'));
done_testing;
