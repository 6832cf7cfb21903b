# What watched models of one process count, as a host sees it that loads them as torch does: the
# file of AOTIGEN_METRICS, by a strict reader of its format, and the function of aotigen_watch.h.
# The models are made up, and have neither inputs nor outputs; t/488 has one of torch.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use JSON::PP;

my $dir = tempdir();

sub compiled {
    my ($name, $source, @words) = @_;
    my $r = run_cmd(['gcc', '-o', "$dir/$name", spew("$dir/$name.c", $source), @words]);
    die "gcc does not make $name:\n$r->{err}" if $r->{status};
    return "$dir/$name";
}

my $original = compiled('torch_model.original', <<'END', '-fPIC', '-shared');
int AOTInductorModelContainerRun(void *c) { return c ? 1 : 0; }
int AOTInductorModelContainerDelete(void *c) { (void)c; return 0; }
END

sub model {
    my ($place, %note) = @_;
    mkdir "$dir/$place";
    spew("$dir/$place/torch_model.original", slurp($original));
    spew("$dir/$place/x.so", slurp(build() . '/libaotigen-watch.so'));
    spew("$dir/$place/aotigen_watch.json", JSON::PP->new->canonical->encode(\%note));
    return "$dir/$place/x.so";
}

# PATH:RUNS loads a library and runs its model so often; -PATH unloads it; PATH! has it fail.
my @with = ('-I' . root() . '/runtime', '-rdynamic', '-ldl');
my $host = compiled('host', <<'END', @with);
#include <aotigen_watch.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
/* torch's, which a model without tensors never calls */
int aoti_torch_device_type_cpu(void) { return 0; }
#define TORCH(name) int aoti_torch_##name(void) { return 1; }
TORCH(delete_tensor_object) TORCH(get_data_ptr) TORCH(get_device_index) TORCH(get_device_type)
TORCH(get_dim) TORCH(get_dtype) TORCH(get_sizes) TORCH(get_storage_offset)
TORCH(get_storage_size) TORCH(get_strides)
typedef int run(void *, void **, size_t, void **, size_t, void *, void *);
static void *opened[16];
static char *names[16];
static int use(char *path, long runs, void *fails) {
  void *none[1] = {NULL};
  int i = 0;
  while (names[i] && strcmp(names[i], path)) i++;
  names[i] = path;
  if (!opened[i]) opened[i] = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!opened[i]) return fprintf(stderr, "%s\n", dlerror()), 1;
  run *f = (run *)dlsym(opened[i], "AOTInductorModelContainerRun");
  int (*read)(aotigen_watch_counts *) =
      (int (*)(aotigen_watch_counts *))dlsym(opened[i], "aotigen_watch_count");
  aotigen_watch_counts counts = {.size = sizeof counts};
  while (runs--) f(fails, none, 0, none, 0, NULL, NULL);
  if (!read || read(&counts)) return 1;
  printf("%lu %lu\n", (unsigned long)counts.runs, (unsigned long)counts.unwatched_failed);
  fflush(stdout);
  return 0;
}
static int unload(char *path) {
  for (int i = 0; names[i]; i++)
    if (opened[i] && !strcmp(names[i], path)) return dlclose(opened[i]), opened[i] = NULL, 0;
  return 1;
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    char *colon = strrchr(argv[i], ':');
    int wrong = 0, status = 0;
    if (colon) *colon++ = 0;
    if (!strcmp(argv[i], "fork")) {
      if (fork()) return wait(&status), status != 0;
    } else if (*argv[i] == '-') {
      wrong = unload(argv[i] + 1);
    } else if (*argv[i] == '!') {
      wrong = use(argv[i] + 1, 1, argv);
    } else {
      wrong = use(argv[i], colon ? atol(colon) : 0, NULL);
    }
    if (wrong) return 1;
  }
  return 0;
}
END

sub host {
    my ($words, %env) = @_;
    return run_cmd([$host, @$words], cwd => $dir, timeout => 60, env => \%env);
}

# The samples of a file, "NAME{LABEL="VALUE",...}" => value, where each line is as the format has
# it: a metric's HELP and TYPE once, before its samples, which stand together and differ.
sub parsed {
    my ($text) = @_;
    my (%samples, %type, %over, $metric);
    die "the last line does not end\n" if $text !~ /\n\z/;
    for my $line (split /\n/, $text) {
        if ($line =~ /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/) {
            my ($what, $name, $rest) = ($1, $2, $3);
            die "$what of '$name' comes again\n" if $type{"$what $name"}++ || $over{$name};
            die "'$line': escapes\n" if $what eq 'HELP' && $rest =~ /\\(?![\\n])/;
            die "'$line'\n" if $what eq 'TYPE' && ($rest ne 'counter' || $name !~ /_total$/);
            $over{$metric} = 1 if defined $metric && $metric ne $name;
            $metric = $name;
            next;
        }
        my ($name, $labels, $value) = $line =~ /^([a-zA-Z_:][a-zA-Z0-9_:]*)
            \{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"(?:,(?=\w))?)+)\}[ ](\S+)$/x
            or die "'$line' is no sample\n";
        die "'$name' is not with its TYPE\n"
            if $name ne $metric || !$type{"TYPE $name"} || !$type{"HELP $name"};
        die "'$value' is no number\n" if $value !~ /^\d+(?:\.\d+)?$/;
        die "'$line' comes again\n" if defined $samples{"$name\{$labels\}"};
        my %seen;
        die "'$line': a label twice\n" if grep { $seen{$_}++ } $labels =~ /(\w+)="/g;
        $samples{"$name\{$labels\}"} = $value;
    }
    return \%samples;
}

# The values of a metric by the model's label.
sub by_model {
    my ($samples, $metric) = @_;
    my %by;
    for my $sample (keys %$samples) {
        my ($model) = $sample =~ /^aotigen_watch_\Q$metric\E_total\{model="((?:[^"\\]|\\.)*)"/;
        next if !defined $model;
        $by{$model} += $samples->{$sample};
    }
    return join ' ', map { "$_=$by{$_}" } sort keys %by;
}

my $a = model('a', model => 'a', package => '/srv/one.pt2');
my $b = model('b', model => "b\"\\\n\xc3\xa9", package => "/srv/\xff.pt2");
my $c = model('c', model => 'a', package => '/srv/one.pt2');

my $r = host(["$a:3", "$b:2", "!$b", "$a:1"]);
is("$r->{status} $r->{out}", "0 3 0\n2 0\n3 1\n4 0\n", 'the function has what each model counted')
    or diag($r->{err});
is(join(' ', glob "$dir/*.prom"), '', 'and there is no file that was not asked for');

my %as = (AOTIGEN_METRICS => 'm-%h.prom');
my ($file) = map { s/\s+$//r } "$dir/m-" . run_cmd(['uname', '-n'])->{out} . '.prom';
$file =~ s/\n//;
$r = host(["$a:3", "$b:2", "-$a", "$b:1", "-$b"], %as);
is("$r->{status} $r->{err}", '0 ', 'with a file');
my $text = slurp($file);
my $samples = eval { parsed($text) } // {};
is($@, '', 'it is as the format has it');
is(by_model($samples, 'runs'), 'a=3 b\\"\\\\\\n' . "\xc3\xa9=3",
    'all that were unloaded are in it');
like((grep { /^aotigen_watch_runs_total\{model="a"/ } keys %$samples)[0],
    qr/,package="\/srv\/one\.pt2",device="cpu",host="[^"]+",pid="\d+"\}$/, 'with their labels');
like($text, qr/package="\/srv\/\?\.pt2"/, 'what is no UTF-8 is none in it');
is(join(' ', grep { !/prom$/ } glob "$dir/m-*"), '', 'and nothing is left beside');

$r = host(["$a:3", "$c:2", "-$a", "$a:5", "-$c", "-$a"], %as, AOTIGEN_EVERY => 2, RANK => 3);
is($r->{out}, "3 0\n2 0\n8 0\n", 'a model that is loaded again goes on counting');
$samples = parsed(slurp($file));
is(by_model($samples, 'runs'), 'a=10', 'one that is loaded twice is one');
is(by_model($samples, 'runs_not_watched'), 'a=4', 'AOTIGEN_EVERY=2');
like(join(' ', keys %$samples), qr/,rank="3"/, 'the rank is a label');

$r = host(["$a:3", "-$a", "$a:2", "-$a", "$a:1", "-$a"], %as);
is($r->{out}, "3 0\n5 0\n6 0\n", 'and does so where no other model was loaded meanwhile');
is(by_model(parsed(slurp($file)), 'runs'), 'a=6', 'as the file says');
$r = host(["$a:3", "-$a", 'fork', "$a:2", "-$a", "$a:1"]);
is($r->{out}, "3 0\n2 0\n3 0\n", 'a child that is made meanwhile begins with 0');
$r = host(["$a:3", 'fork', "$a:2", "-$a", "$a:1"]);
is($r->{out}, "3 0\n2 0\n3 0\n", 'as does one that is made before, and goes on');

# A child of fork(), as a server's worker is, has a file of its own, and its own runs.
unlink $file;
$r = host(["$a:3", 'fork', "$a:2"], AOTIGEN_METRICS => "$dir/w-%p.prom");
is("$r->{status} $r->{out}", "0 3 0\n2 0\n", 'a child begins with 0') or diag($r->{err});
my @runs = sort map { by_model(parsed(slurp($_)), 'runs') } glob "$dir/w-*.prom";
is("@runs", 'a=2 a=3', 'and has its own file');

$r = host(["$a:3"], AOTIGEN_METRICS => '/nowhere/m.prom');
is($r->{status}, 0, 'a file that cannot be written changes nothing');
is($r->{err}, "aotigen: warning: AOTIGEN_METRICS is not written: '/nowhere/m.prom': "
    . "No such file or directory\n", 'and is said once');
done_testing;
