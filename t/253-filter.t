# A filter that selects no launch of a wrapper is named when it is given, with the nearest names; so
# is a buffer to be guarded that the wrapper has not; which memory stays without a guard.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch();
my ($wrapper) = grep { m{cpu/mlp_dyn/} } corpus_wrappers($torch);
skip_or_fail('corpus', 't/corpus holds no mlp_dyn of this torch') if !defined $wrapper;
my $path = root() . "/t/corpus/$wrapper";
my $dir = tempdir();

sub warned {
    my ($filter) = @_;
    my $r = run_cmd([build() . '/aotigen', "--torch=$torch->{dir}", "--kernels=$filter", $path,
        '-o', "$dir/out.cpp"]);
    is($r->{status}, 0, "'$filter' is no error") or diag($r->{err});
    return join "\n", $r->{err} =~ /warning: (--kernels.*)/g;
}

like(warned('aten.gelo'),
    qr/='aten.gelo' selects none of its \d+ sites; nearest to 'aten\.gelo': 'aten\.gelu'$/,
    'a letter that is wrong');
like(warned('*gelo*,!mm'), qr/nearest to '\*gelo\*': 'gelu', /, 'wildcards and exclusions');
like(warned('!*'), qr/^--kernels='!\*' selects none of its \d+ sites$/, 'all is excluded');
is(warned($_), '', "'$_' selects") for '', 'gelu', 'GELU', 'nothing,*gelu*', '!gelu';

# `list` shows what a filter selects, and names the kernels that are like one that there is not.
sub listed { return run_cmd([build() . '/aotigen', 'list', "--torch=$torch->{dir}", @_, $path]) }
my $all = listed();
my $some = listed('--kernels=*softmax*');
is($some->{status}, 0, 'a filter is shown');
like($some->{out}, qr/^  filter   '\*softmax\*' selects 1 of 4 sites$/m, 'and what it selects');
is(join(' ', $some->{out} =~ /^ +\d+  \w+ +(\w+)  /mg), 'cpp_fused__softmax_1', 'which is printed');
is(() = $all->{out} =~ /^ +\d+  \w+ +\w+  /mg, 4, 'without one all are');
unlike($all->{out}, qr/filter/, 'and none is named');
like(listed('--kernels=sotfmax')->{err}, qr/selects none of its 4 sites; nearest to 'sotfmax': /,
    'one that selects nothing');
like(listed('--kernels=!*addmm*', '--json')->{out},
    qr/^\{"type":"model".*"selected":2}$/m, 'as JSON');
$some = listed('--kernel=gelu');
is($some->{status}, 1, 'a kernel that there is not');
like($some->{err}, qr/has no kernel 'gelu'; the nearest is 'cpp_fused_gelu_0': 'aotigen list /,
    'and the one that is like it');
like(listed('--kernel=zzzzzzzz')->{err}, qr/has no kernel 'zzzzzzzz': /, 'or none');

my $r = run_cmd([build() . '/aotigen', "--torch=$torch->{dir}", '--guard=page:buf0+buf99+args',
    $path, '-o', "$dir/out.cpp"]);
is($r->{status}, 0, '--guard of an unknown name is no error');
like($r->{err}, qr/warning: --guard: .* no buffer, input or weight of the name 'buf99', 'args': /,
    'each is named');

# What --guard takes, and which memory it does not reach.
my $ops = root() . '/t/corpus/2.11.0/cpu/custom_op/wrapper.cpp';
for my $case (['canary,poison', 1], ['page:buf0', 0]) {
    my ($guard, $all) = @$case;
    $r = run_cmd([build() . '/aotigen', "--torch=$torch->{dir}", "--guard=$guard", $ops,
        '-o', "$dir/out.cpp"]);
    like($r->{err}, qr/note: --guard takes more memory in each run: at most \d+ buffers? at a time/,
        "$guard: what it takes");
    is($r->{err} =~ /; 1 result of operators stays in torch's memory, unguarded$/m ? 1 : 0, $all,
        'operators make their own memory');
}
done_testing;
