# The rooms of the house: who may include whom, and what never stands in a room.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();

sub files { return map { s/^\Q$root\E\///r } map { glob "$root/$_" } @_ }

# Which directories (or single files) the quoted includes of a room may come from.
my @rooms = (
    ['gen', [files('gen/*.[ch]', 'gen/*/*.[ch]')], ['gen/']],
    ['templates', [files('templates/*.tpl')], ['runtime/aotigen.h']],
    ['runtime', [files('runtime/*.[ch]', 'runtime/*/*.[ch]', 'runtime/*/*.def')],
        ['runtime/', 'kernels/kernels.h']],
    ['kernels', [files('kernels/*')], ['kernels/']],
    ['generator units', [files('t/[12]*.c')], ['gen/', 't/']],
    ['runtime units', [files('t/[35]*.c', 't/5xx/*.[ch]', 't/lib/*.c')],
        ['runtime/', 'kernels/kernels.h', 't/']],
);

for my $room (@rooms) {
    my ($name, $files, $may) = @$room;
    my @wrong;
    for my $file (@$files) {
        my $at = $file =~ s{[^/]+$}{}r;
        for my $include (slurp("$root/$file") =~ /^\s*#\s*include\s+"([^"]+)"/mg) {
            my @found = grep { -e "$root/$_" } map { "$_$include" } $at, 'gen/', 'runtime/',
            'kernels/', 't/', '';
            push @wrong, "$file: '$include' is in no room" and next if !@found;
            my $found = $found[0] =~ s{[^/]+/\.\./}{}r;
            push @wrong, "$file: '$include'" if !grep { index($found, $_) == 0 } @$may;
        }
    }
    ok(scalar @$files, "$name: there are files");
    is("@wrong", '', "$name: includes stay in their rooms");
}

sub never {
    my ($pattern, $what, @files) = @_;
    my @wrong = grep { without_comments(slurp("$root/$_")) =~ $pattern } @files;
    is("@wrong", '', $what);
    return;
}

sub without_comments { return $_[0] =~ s{/\*.*?\*/}{}sgr =~ s{^\s*//.*$}{}mgr }

never(qr{#\s*include\s*[<"](?:torch|ATen|c10)/}, 'no torch header in gen or runtime',
    files('gen/*.[ch]', 'gen/*/*.[ch]', 'runtime/*.[ch]', 'runtime/*/*.[ch]'));
# The run-time tables are the runtime's: what the generator needs of them is text in templates/.
never(qr{aotigen_(?:macros|run|value)\b.*\.h"}, 'gen knows nothing of the runtime',
    files('gen/*.[ch]', 'gen/*/*.[ch]'));
never(qr{clang-c/}, 'libclang stays in the stages that need it',
    grep { !m{^gen/parse/(?:translation_unit|scan|operands|statement)\.} } files('gen/*.[ch]',
    'gen/*/*.[ch]'));
never(qr{\b(?:secure_)?getenv\s*\(}, 'only settings.c reads the environment, in runtime',
    grep { $_ ne 'runtime/base/settings.c' } files('runtime/*.[ch]', 'runtime/*/*.[ch]'));
never(qr{\b(?:secure_)?getenv\s*\(}, 'only options.c and main.c read the environment, in gen',
    grep { !m{^gen/(?:base/options|main)\.c$} } files('gen/*.[ch]', 'gen/*/*.[ch]'));
never(qr{\b(?:system|popen)\s*\(}, 'no shell is started',
    files('gen/*.c', 'gen/*/*.c', 'runtime/*/*.c'));
never(qr{\bcuda(?:Malloc|Free|DeviceSynchronize|StreamSynchronize)\w*\s*\(},
    'kernels neither allocate nor synchronise', files('kernels/*'));
done_testing;
