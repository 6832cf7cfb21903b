# make install and make uninstall: the layout, the installed program, pkg-config, and the
# completions of bash and zsh.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $root = root();
my $llvm = $ENV{LLVM} // '/usr/lib/llvm-19';
skip_or_fail('install', 'there is no libclang to build with here')
    if !-e "$llvm/include/clang-c/Index.h";
delete @ENV{qw(MAKEFLAGS MAKELEVEL MFLAGS PREFIX)};
my $dir = tempdir();
my $to = "$dir/a place";
my $home = "$to/opt/aotigen";

sub make_target {
    my ($target) = @_;
    my $b = build() =~ s{^\Q$root\E/}{}r;
    return run_cmd(['make', '-C', $root, "B=$b", "DESTDIR=$to", 'PREFIX=/opt/aotigen', $target],
        timeout => 600);
}

sub files_below {
    my @found;
    File::Find::find({ no_chdir => 1,
        wanted => sub { push @found, substr $_, length "$to/" if !-d } }, $to);
    return sort @found;
}

my $built = run_cmd(['make', '-C', $root, 'B=' . (build() =~ s{^\Q$root\E/}{}r), 'program'],
    timeout => 600);
is($built->{status}, 0, 'make program') or diag($built->{err});
my @before = map { (stat)[9] } build() . '/aotigen', build() . '/libaotigen.a';
my $r = make_target('install');
is($r->{status}, 0, 'make install') or diag($r->{out}, $r->{err});
is($r->{out} =~ /^  (?:CC|LINK|AR) /m ? 'built' : '', '', 'builds nothing that is built');
is_deeply([map { (stat)[9] } build() . '/aotigen', build() . '/libaotigen.a'], \@before,
    'and leaves it as it was');
for my $file (qw(bin/aotigen lib/aotigen/libaotigen.a
    lib/aotigen/libaotigen-open.so lib/aotigen/libaotigen-watch.so
    lib/aotigen/aotigen-replay-host
    lib/aotigen/clang/include/stddef.h
    lib/pkgconfig/aotigen.pc include/aotigen/aotigen.h include/aotigen/aotigen_macros.h
    include/aotigen/aotigen_tables.h include/aotigen/aotigen_torch.h
    include/aotigen/aotigen_levels.def
    share/man/man1/aotigen.1 share/man/man3/aotigen.3 share/man/man7/aotigen.7
    share/doc/aotigen/README.md share/doc/aotigen/LICENSE
    share/doc/aotigen/samples/messages.md share/doc/aotigen/samples/compare_saved.py
    share/bash-completion/completions/aotigen share/zsh/site-functions/_aotigen)) {
    ok(-s "$home/$file", "$file is there");
}
my $doc = "$home/share/doc/aotigen";
my %named = map { $_ => 1 } slurp("$doc/README.md") =~ m{`([\w/.-]+\.(?:md|py))`}g;
is(join(' ', grep { !-e "$doc/$_" } sort keys %named), '', 'README.md names what is there');
ok($named{'samples/messages.md'}, 'the page of messages among it');
unlike(slurp("$doc/README.md"), qr{^ +make |\./man/}m, 'and neither make nor the sources');
like(run_cmd(["$home/bin/aotigen", '--version'])->{out}, qr/^aotigen \d/, 'the program runs');
my $relative = run_cmd(['make', '-C', $root, 'PREFIX=opt', 'install']);
like($relative->{err}, qr/PREFIX='opt' must be an absolute path/,
    'a PREFIX that is not an absolute path is refused');

# ---- completion
my $help = aotigen('--help')->{out};
my @names = $help =~ /^  (?:-\w,|   ) --([\w-]+)/mg;
my %completion = (bash => slurp("$home/share/bash-completion/completions/aotigen"),
    zsh => slurp("$home/share/zsh/site-functions/_aotigen"));
cmp_ok(scalar @names, '>', 8, '--help names options');
my @verbs = $help =~ /^  aotigen ([a-z]+) /mg;
cmp_ok(scalar @verbs, '>', 8, 'and verbs');
for my $shell (sort keys %completion) {
    is(join(' ', grep { $completion{$shell} !~ /--\Q$_\E(?![\w-])/ } @names), '',
        "$shell: every option of --help");
    is(join(' ', grep { $completion{$shell} !~ /^ +$_\)/m } @verbs), '', "$shell: every verb");
}

sub completes {
    my (@words) = @_;
    my $script = <<'BASH';
source "$0"
set -u
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
_aotigen
((${#COMPREPLY[@]} == 0)) || printf '%s\n' "${COMPREPLY[@]}"
BASH
    my $said = run_cmd(['bash', '--norc', '-c', $script,
        "$home/share/bash-completion/completions/aotigen", 'aotigen', @words], cwd => $dir);
    is($said->{err}, '', "bash: 'aotigen @words' without an error");
    return join ' ', sort split /\n/, $said->{out};
}

spew("$dir/$_", '') for 'my model.pt2', 'w.cpp', 'k.o', 'notes.txt';
my $folders = join ' ', sort map { s{.*/}{}r } grep { -d } glob "'$dir'/*";
is(run_cmd(['bash', '-n', "$home/share/bash-completion/completions/aotigen"])->{status}, 0,
    'bash reads its file');
is(completes('--pri'), '--printer=', 'bash: an option');
is(completes('--printer', '=', ''), '0 1 2 3', 'bash: its values');
is(completes('-p', ''), '0 1 2 3', 'bash: by its letter too');
is(completes('--check-inputs', '=', 'm'), 'model', 'bash: the value that begins so');
is(completes('--nan-asserts=n'), '--nan-asserts=nan', q(bash: where '=' parts no words));
is(completes('--dump', ''), 'command edits kernels model plan', 'bash: stages');
is(completes('l'), 'list', 'bash: a verb');
is(completes('list', '--pri'), '', 'bash: no option of another verb');
is(completes('list', '--js'), '--json', 'bash: one of its own');
is(completes('list', ''), join(' ', sort($folders, 'my model.pt2', 'w.cpp')), 'bash: inputs');
is(completes('build', ''), join(' ', sort($folders, 'k.o', 'w.cpp')), 'bash: what is built');
is(completes('run', '--ke'), join(' ', '--keep=', '--kernels='), 'bash: options of run');
like(completes('run', '--', 'ech'), qr/\becho\b/, 'bash: its command');
is(completes('run', '--', 'ls', '--pri'), '', "bash: the command's options are not aotigen's");
is(completes('-k', ''), '', 'bash: nothing for a name that it cannot know');
SKIP: {
    skip('there is no zsh here', 1) if run_cmd(['zsh', '--version'])->{status};
    is(run_cmd(['zsh', '-n', "$home/share/zsh/site-functions/_aotigen"])->{status}, 0,
        'zsh reads its file');
}

# ---- pkg-config
SKIP: {
    skip('there is no pkg-config here', 4) if run_cmd(['pkg-config', '--version'])->{status};
    my %env = (env => { PKG_CONFIG_PATH => "$home/lib/pkgconfig" });
    is(run_cmd(['pkg-config', '--validate', 'aotigen'], %env)->{err}, '',
        'pkg-config finds nothing wrong');
    is(run_cmd(['pkg-config', '--modversion', 'aotigen'], %env)->{out},
        aotigen('--version')->{out} =~ s/^aotigen (.*\n).*\n/$1/r,
        'its version is that of the program');
    spew("$dir/user.c",
        "#include <aotigen.h>\nconst char *user(void) { return aotigen_grid(\"k\", 1, 1, 1); }\n");
    # As in a Makefile: a shell splits what it prints. A shared object, as a wrapper is: torch's
    # functions come with the process.
    my $cc = run_cmd(['sh', '-c', 'eval "cc -shared -fPIC user.c -o user.so $(pkg-config --cflags '
        . '--libs aotigen)"'], %env, cwd => $dir);
    is($cc->{status}, 0, 'C compiles and links with what it says') or diag($cc->{err});
    like(run_cmd(['readelf', '-sW', "$dir/user.so"])->{out}, qr/ LOCAL .* aotigen_grid$/m,
        'with the library inside');
}

# ---- a wrapper, where there is a torch
SKIP: {
    my $torch = torch();
    skip('no torch was set up', 4) if !$torch;
    my $sample = corpus_of($torch) . '/cpu/nan_inside';
    my %where = (cwd => $dir, timeout => 300);
    my $listed = run_cmd(["$home/bin/aotigen", 'list', "--torch=$torch->{dir}",
        "$sample/wrapper.cpp"], %where);
    like($listed->{out}, qr/cpp_fused_log_sub_sum_0/, 'list') or diag($listed->{err});
    my $rewritten = run_cmd(["$home/bin/aotigen", "--torch=$torch->{dir}", "$sample/wrapper.cpp",
        '-o', 'dbg.cpp'], %where);
    is($rewritten->{status}, 0, 'a wrapper is rewritten') or diag($rewritten->{err});
    my $so = run_cmd(["$home/bin/aotigen", 'build', '-v', "--torch=$torch->{dir}", 'dbg.cpp',
        "$sample/kernel.cpp", '-o', 'dbg.so'], %where);
    is($so->{status}, 0, 'and built') or diag($so->{err});
    like($so->{err}, qr{\Q$home\E/bin/\.\./lib/aotigen/libaotigen\.a},
        'with the library that was installed');
}

# ---- gone again
spew("$home/share/doc/aotigen/mine", "a user's\n");
is(make_target('uninstall')->{status}, 0, 'make uninstall');
is(join(' ', files_below()), 'opt/aotigen/share/doc/aotigen/mine',
    'leaves nothing but what it did not bring');
ok(!-e "$home/lib/aotigen" && !-e "$home/include/aotigen", 'nor its folders');
done_testing;
