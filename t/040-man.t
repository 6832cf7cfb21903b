# The manual passes mandoc -Tlint. Its options, variables and functions are exactly those of the
# program, of the tables in shared/ and of the public header.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();
sub only_in { my ($here, $there) = @_; return join ' ', grep { !$there->{$_} } sort keys %$here }
my @pages = glob "$root/man/*.[137]";
is(scalar @pages, 3, 'three pages');
for my $page (@pages) {
    my $r = run_cmd(['mandoc', '-Tlint', '-Wstyle', $page]);
    # The operating system's own section names and pages elsewhere are none of ours.
    my $lint = join "\n",
        grep { !/referenced manual not found|STYLE: operating system/ } split /\n/,
        $r->{out} . $r->{err};
    is($lint, '', "$page lints clean" =~ s/\Q$root\E\///r);
}

# Each option that --help prints stands in aotigen.1, and the other way round.
my $help = aotigen('--help');
is($help->{status}, 0, '--help works');
my %helped = map { $_ => 1 } $help->{out} =~ /(?<![\w-])--([a-z][a-z-]+)/g;
my $text = slurp("$root/man/aotigen.1");
my %manual;
for my $line ($text =~ /^(\..*)$/mg) {
    $manual{ s/\\-/-/gr } = 1 for $line =~ /\bFl (?:\\-|-)([a-z][a-z\\-]*[a-z])/g;
}
cmp_ok(scalar keys %helped, '>', 8, '--help names options');
is(only_in(\%helped, \%manual), '', 'what --help names is in aotigen.1');
is(only_in(\%manual, \%helped), '', 'what aotigen.1 names is in --help');

# Each level's variable and macro, and no others, stand in aotigen.1.
my $levels = slurp("$root/shared/wrapper/aotigen_levels.def") =~ s{/\*.*?\*/}{}sgr;
my %macro = map { ("-DAOTIGEN_$_" => 1) } $levels =~ /^LEVEL_[A-Z]+\(\w+, ([A-Z_]+),/mg;
my %variable = map { $_ => 1 } $levels =~ /"((?:AOT_INDUCTOR|TORCHINDUCTOR)_[A-Z_]+)"/g;
my %macro_told = map { $_ => 1 } $text =~ /^(-DAOTIGEN_[A-Z_]+)=/mg;
my %variable_told = map { $_ => 1 } $text =~ /^\.It Ev ((?:AOT_INDUCTOR|TORCHINDUCTOR)_\w+)/mg;
cmp_ok(scalar keys %macro, '>', 4, 'there are levels');
is(only_in(\%macro, \%macro_told), '', 'each has its macro under LEVELS in aotigen.1');
is(only_in(\%macro_told, \%macro), '', 'each macro there is that of a level');
is(only_in(\%variable, \%variable_told), '', 'each has its variable in aotigen.1');
is(only_in(\%variable_told, \%variable), '', 'each variable there is that of a level');

# Each environment variable that the runtime reads stands in aotigen.7, and the other way round.
my %read = map { $_ => 1 }
    slurp("$root/shared/variables.def") =~ /^VARIABLE\(\w+, (\w+),/mg;
my %described = map { $_ => 1 } slurp("$root/man/aotigen.7") =~ /^\.It Ev (\w+)/mg;
cmp_ok(scalar keys %read, '>', 10, 'the runtime reads variables');
is(only_in(\%read, \%described), '', 'aotigen.7 describes each');
is(only_in(\%described, \%read), '', 'and no other');

# Each function and macro of the public header stands in aotigen.3.
my $header = slurp("$root/shared/wrapper/aotigen.h");
my %functions = map { $_ => 1 } $header =~ /^(?:const char \*|void \*?|int )(aotigen_\w+)\(/mg;
my $page = slurp("$root/man/aotigen.3");
my %documented = map { $_ => 1 } $page =~ /^\.F[on] "?(?:[^"]*" )?(aotigen_\w+)/mg;
cmp_ok(scalar keys %functions, '>', 5, 'the header declares functions');
is(only_in(\%functions, \%documented), '',
    'what the header declares is in aotigen.3');
is(only_in(\%documented, \%functions), '',
    'what aotigen.3 documents is declared');
done_testing;
