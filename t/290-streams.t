# Streams of a wrapper: which launch runs on which, and what the text orders them by.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use JSON::PP ();

my $torch = headers('2.15.0');
my $corpus = root() . '/t/corpus/2.15.0/cuda';
my $dir = tempdir();

# The launches of a wrapper, "1 mul_0: the caller's stream".
sub streams_of {
    my ($wrapper) = @_;
    my $r = aotigen('list', '--json', "--torch=$torch->{dir}", $wrapper);
    is($r->{status}, 0, "$wrapper: listed") or diag($r->{err});
    my @sites = grep { $_->{type} eq 'site' && $_->{site} }
        map { JSON::PP::decode_json($_) } split /\n/, $r->{out};
    return join "\n", map { "$_->{site} " . ($_->{kernel} =~ s/.*_(?=\w+_\w+$)//r) . ': '
            . ($_->{stream} // 'none') } @sites;
}

sub changed {
    my ($name, $from, $change) = @_;
    local $_ = slurp("$corpus/$from/wrapper.cpp");
    $change->();
    return spew("$dir/$name.cpp", $_);
}

is(streams_of("$corpus/streams_fork_join/wrapper.cpp"), <<'X' =~ s/\n\z//r,
1 mul_0: the caller's stream
2 mm_out: side stream 1
3 relu_1: the caller's stream
4 sin_2: the caller's stream
5 add_3: the caller's stream
X
    'a library call runs on the stream of the guard; a kernel on that which it is passed');
is(streams_of("$corpus/streams_cond/wrapper.cpp"), <<'X' =~ s/\n\z//r,
1 sum_0: the caller's stream
2 item_int64: the caller's stream
3 mm_out: the caller's stream
4 mm_out: side stream 1
5 gt_1: the caller's stream
X
    'in a branch, too');
is(streams_of("$corpus/streams_nested/wrapper.cpp"), <<'X' =~ s/\n\z//r,
1 mm_out: side stream 1
2 relu_0: the caller's stream
3 mm_out: side stream 2
4 add_1: the caller's stream
X
    'two side streams');
is(streams_of("$corpus/attn/wrapper.cpp") =~ s/.*: none(\n|\z)//gr, '',
    'where there is one stream, none is named');

# What torch does not emit today: a kernel that is passed the side stream, a guard that its block
# ends, one that is replaced while it lives, and one that only a branch makes.
like(streams_of(changed('passed', 'streams_fork_join',
        sub { s/(call_triton_poi_fused_add_relu_1\(.*?), stream,/$1, stream1,/ or die })),
    qr/^3 relu_1: side stream 1$/m, 'a kernel that is passed the side stream');
like(streams_of(changed('block', 'streams_fork_join', sub {
        s/^ +_aoti_current_stream_guard = std::make_unique<(\w+)>(\(.*;)\n//m or die;
        my $guard = "$1 side$2";
        s/^( +.*)(aoti_torch_cuda_mm_out\()(.*;\n)/{ $guard\n$1$2$3}\n$1$2buf5, buf0, buf0));\n/m
            or die;
    })), qr/^2 mm_out: side stream 1\n3 mm_out: the caller's stream$/m,
    'a guard ends with its block');
like(streams_of(changed('replaced', 'streams_fork_join', sub {
        my ($again) = /^( +_aoti_current_stream_guard = std::make_unique.*\n)/m or die;
        s/(\Q$again\E)/$1$again/ or die;
    })), qr/^2 mm_out: the caller's stream$/m,
    'a guard that replaces another one is made before that ends');
like(streams_of(changed('branch', 'streams_fork_join', sub {
        s/^( +)(_aoti_current_stream_guard = std::make_unique.*\n)/$1if (cond) {$2}\n/m or die;
        s/^(void AOTInductorModel::run_impl)/static bool cond;\n$1/m or die;
    })), qr/^2 mm_out: a stream that only a run tells$/m, 'a guard that a branch makes');
# What orders streams is marked, where a line can stand behind all of it.
sub marks {
    my ($wrapper) = @_;
    my $r = aotigen("--torch=$torch->{dir}", '-o', '-', $wrapper);
    is($r->{status}, 0, "$wrapper: rewritten") or diag($r->{err});
    return ($r->{out} =~ /^ +(?:\d+, )+(\d), nullptr\};$/m,
        [$r->{out} =~ /^ *AOTIGEN_STREAM_OP\((.*)\);$/mg]);
}
my $side = '_aoti_aux_stream_cache.get(1,this->device_idx_,stream)';
my @events = map { "_aoti_event_cache.get($_,this->device_idx_)" } 2, 3;
is_deeply([marks("$corpus/streams_fork_join/wrapper.cpp")], [1, ["AOTIGEN_STREAM_RECORDS, stream, "
    . $events[0], "AOTIGEN_STREAM_WAITS, $side, $events[0]", "AOTIGEN_STREAM_RECORDS, $side, "
    . $events[1], "AOTIGEN_STREAM_WAITS, stream, $events[1]"]], 'each event');
is_deeply([marks(changed('apart', 'streams_fork_join', sub {
        s/^( +)(AOTI_RUNTIME_CUDA_CHECK\(cudaEventRecord.*)/$1if (stream) $2/m or die;
    }))], [0, []], 'none where an if without braces has one');
is_deeply([marks("$corpus/attn/wrapper.cpp")], [0, []], 'none in a model with one stream');

# Where none are marked a warning says so.
sub warnings {
    my ($wrapper) = @_;
    my $r = aotigen("--torch=$torch->{dir}", '-o', '-', $wrapper);
    return join '', $r->{err} =~ /(\S+ warning: races between streams[^\n]*\n)/g;
}
is(warnings("$corpus/$_/wrapper.cpp"), '', "$_: no warning") for qw(streams_fork_join attn);
like(warnings("$dir/apart.cpp"), qr/^\S+apart.cpp:\d+:1: warning: .* behind this statement/,
    'a statement without a line behind it is named');
like(warnings(changed('query', 'streams_fork_join', sub {
        s/^( +)(AOTI_RUNTIME_CUDA_CHECK\(cudaEventRecord.*\n)/$1$2$1cudaStreamQuery(stream);\n/m
            or die;
    })), qr/^\S+query.cpp: warning: .*: a query, a jump/, 'and so is a poll');
done_testing();
