# What `aotigen check` concludes of launches on several streams that use one memory: what orders
# them, what does not, what torch itself emitted wrongly, and what no text decides.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use JSON::PP ();

my $torch = headers('2.15.0');
my $corpus = root() . '/t/corpus/2.15.0/cuda';
my $dir = tempdir();

# The findings of a wrapper.
sub check {
    my ($what, $wrapper) = @_;
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", $wrapper);
    my @all = map { JSON::PP::decode_json($_) } grep { /^\{/ } split /\n/, $r->{out};
    my $refuted = grep { $_->{verdict} eq 'refuted' } @all;
    is($r->{status}, $refuted ? 1 : 0, "$what: its status") or diag($r->{err});
    return @all;
}

# "3 refuted, 4 proved": the launches, with what is concluded of their order.
sub orders {
    return join ', ', map { "$_->{site} $_->{verdict}" } grep { $_->{type} eq 'order' } @_;
}

# A wrapper of the corpus, changed: what is concluded, and the pattern of one finding's text.
sub judged {
    my ($what, $from, $change, $orders, $like) = @_;
    local $_ = slurp("$corpus/streams_$from/wrapper.cpp");
    $change->() if $change;
    my @found = check($what, spew("$dir/wrapper.cpp", $_));
    is(orders(@found), $orders, $what) or diag(explain(\@found));
    my @text = map { join ' | ', grep { defined } @$_{qw(example why would_decide cause)} }
        grep { $_->{type} eq 'order' && $_->{verdict} ne 'proved' } @found;
    like(join("\n", @text), $like, "$what: why") if $like;
    my ($unwritten) = grep { $_->{type} eq 'unwritten' && $_->{verdict} ne 'proved' } @found;
    return $unwritten;
}

# What torch emits.
my $buf5 = 'buf5, which launch 2, aoti_torch_cuda_mm_out, writes on side stream 1: no event orders'
    . ' them';
my $torchs = qr/torch passes launch 3 'stream', not side stream 1 of the guard around it: torch's/;
my $unwritten = judged('fork and join', 'fork_join', undef,
    '2 proved, 3 refuted, 5 proved',
    qr/^launch 3, triton_poi_fused_add_relu_1, on the caller's stream reads $buf5 \| $torchs f/);
is($unwritten->{why}, "launch 2, aoti_torch_cuda_mm_out, writes it on side stream 1, and an order"
        . ' with that is not shown', 'what another stream may still write is not proved written');
judged('a kernel that is passed the guard\'s stream', 'fork_join',
    sub { s/(call_triton_poi_fused_add_relu_1\(.*?), stream,/$1, stream1,/ or die },
    '2 proved, 5 proved');
judged('a wait that is missing', 'missing', undef, '2 proved, 3 refuted',
    qr/^launch 3, triton_poi_fused_add_1, on the caller's stream reads $buf5$/);
judged('two side streams', 'nested', undef, '2 refuted, 4 proved',
    qr/on the caller's stream reads buf2, which launch 1, .* torch passes launch 2 'stream', not/);
judged('in a branch', 'cond', undef, '5 refuted',
    qr/: no event orders them \| line \d+ waits for what side stream 1 was given before launch 4$/);
my $slot = qr/events name side stream 3, where nothing runs, and not side stream 1: torch numbers /;
judged('events that torch numbers by the model\'s objects', 'fork_join', sub {
        s/(cudaStreamWaitEvent\(_aoti_aux_stream_cache\.get\()1/${1}3/ or die;
        s/(cudaEventRecord\(.*_aoti_aux_stream_cache\.get\()1/${1}3/ or die;
        s/(call_triton_poi_fused_add_relu_1\(.*?), stream,/$1, stream1,/ or die;
    }, '2 refuted, 2 not decided, 5 refuted, 5 refuted',
    qr/^.*side stream 1 reads buf0, which launch 1, .* \| $slot.*: torch's fault\n.*, an input/);

# What orders the two, and what does not.
my $get = '_aoti_event_cache.get(%d, this->device_idx_)';
my $side = '_aoti_aux_stream_cache.get(%d, this->device_idx_, stream)';
sub stream_of { return $_[0] ? sprintf $side, $_[0] : 'stream' }
sub event { return $_[0] =~ /^\d+$/ ? sprintf $get, $_[0] : $_[0] }
sub record { return sprintf 'cudaEventRecord(%s, %s);', event($_[0]), stream_of($_[1]) }
sub waits {
    return sprintf 'cudaStreamWaitEvent(%s, %s, 0);', stream_of($_[1]), event($_[0]);
}

# Lines before the launch that reads what the side stream writes.
sub between {
    my ($what, $lines, $verdict, $like) = @_;
    judged($what, 'missing', sub {
        s/^( +call_triton_poi_fused_add_1\()/$lines\n$1/m or die;
        s/^(void AOTInductorModel::run_impl)/static bool c;\n$1/m or die;
    }, "2 proved, 3 $verdict", $like);
}
my ($record, $wait) = (record(5, 1), waits(5, 0));
my $perhaps = qr/it is not shown that an event orders them \| which branches of the/;
between('a record and a wait', "$record $wait", 'proved');
between('in a block', "{ $record $wait }", 'proved');
between('the wait is before the record', "$wait $record", 'refuted');
between('a record alone', $record, 'refuted');
between('a wait alone', $wait, 'refuted');
between('another event', $record . waits(6, 0), 'refuted');
between('another stream waits', $record . waits(5, 2), 'refuted');
between('another stream records', record(5, 2) . $wait, 'refuted');
between('an event that another stream records again', $record . record(5, 0) . $wait, 'refuted');
between('an event that the stream records again', $record . record(5, 1) . $wait, 'proved');
between('recorded again behind the wait', $record . $wait . record(5, 0), 'proved');
between('by a third stream', $record . waits(5, 2) . record(6, 2) . waits(6, 0), 'proved');
between('by a third stream, in the wrong order', record(6, 2) . $record . waits(5, 2) . waits(6, 0),
    'refuted');
between('a wait in a branch', "$record if (c) { $wait }", 'not decided', $perhaps);
between('a record in a branch', "if (c) { $record } $wait", 'not decided', $perhaps);
between('another record in a branch', "$record if (c) { " . record(5, 0) . " } $wait",
    'not decided', $perhaps);
between('a wait in a loop', "while (c) { $wait $record }", 'not decided', $perhaps);
between('events of other names', "cudaEvent_t a, b; @{[record('a', 1)]} @{[waits('b', 0)]}",
    'not decided', $perhaps);
between('one of a name, which may change', "cudaEvent_t a; @{[record('a', 1)]} @{[waits('a', 0)]}",
    'not decided', $perhaps);
between('the host waits for the stream', "cudaStreamSynchronize(@{[stream_of(1)]});", 'proved');
between('the host waits for the reader\'s stream', 'cudaStreamSynchronize(stream);', 'refuted');
between('the host waits for the event', "$record cudaEventSynchronize(@{[event(5)]});", 'proved');
between('the host waits for the device', 'cudaDeviceSynchronize();', 'proved');
between('the host waits in a branch', 'if (c) cudaDeviceSynchronize();', 'not decided', $perhaps);

# What stands behind the product, on its stream.
sub behind {
    my ($what, $lines, $orders, $like) = @_;
    judged($what, 'missing', sub {
        s/^(.*aoti_torch_cuda_mm_out\(buf5.*\n)/$1$lines\n/m or die;
        my $of = 'extern "C" AOTITorchError aoti_torch';
        s/^(void AOTInductorModel::run_impl)/${of}_item_float32(AtenTensorHandle, float*);
            ${of}_zero_(AtenTensorHandle);\n$1/m or die;
    }, $orders, $like);
}
behind('an element is read', 'float x; AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_item_float32(buf5, '
        . '&x));', '2 proved, 4 proved');
behind('a call that may wait', 'AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_zero_(arg1_1));',
    '2 proved, 4 not decided', $perhaps);

# What is not known.
judged('by a function of the wrapper', 'missing', sub {
    s/^(void AOTInductorModel::run_impl)/static void wait_all() { cudaDeviceSynchronize(); }\n$1/m
        or die;
    s/^(namespace torch)/extern "C" cudaError_t cudaDeviceSynchronize();\n$1/m or die;
}, '2 not decided, 2 not decided, 3 not decided',
    qr/what the wrapper's other functions order by events/);

judged('in another branch', 'missing', sub {
        my ($add) = s/^( +call_triton_poi_fused_add_1\(.*\n)//m ? $1 : die;
        my ($new) = s/^( +AtenTensorHandle buf6_handle;\n(?:.*\n){2})//m ? $1 : die;
        s/^(.*aoti_torch_cuda_mm_out\(buf5.*)/$new if (c) {\n$1\n} else {\n$add}/m or die;
        s/^(void AOTInductorModel::run_impl)/static bool c;\n$1/m or die;
    }, '2 proved');
judged('a writer in a branch', 'missing', sub {
        s/^(.*aoti_torch_cuda_mm_out\(buf5.*)/if (c) {\n$1\n}/m or die;
        s/^(void AOTInductorModel::run_impl)/static bool c;\n$1/m or die;
    }, '2 proved, 3 not decided', qr/them \| which branches of the wrapper are taken$/);
judged('a stream that may be the caller\'s', 'missing', sub {
        s/(make_unique<AOTICudaStreamGuard>\()_aoti[^)]*\)/$1other/ or die;
        s/^(void AOTInductorModel::run_impl)/extern cudaStream_t other;\n$1/m or die;
    }, '2 not decided, 2 not decided, 3 not decided',
    qr/\| whether stream and other are one stream\n.*\n.*\| whether other and stream are one/);
judged('a guard in a branch', 'missing', sub {
        s/^( +)(_aoti_current_stream_guard = std::make_unique.*\n)/$1if (c) {$2}\n/m or die;
        s/^(void AOTInductorModel::run_impl)/static bool c;\n$1/m or die;
    }, '2 not decided, 3 not decided', qr/a stream that only .* \| on which stream launch 2 runs/);
my $view = 'RAIIAtenTensorHandle('
    . 'reinterpret_tensor_wrapper(buf5, 2, int_array_0, int_array_1, 0L))';
judged('a view of what is written whole', 'missing',
    sub { s/(call_triton_poi_fused_add_1\()buf5/$1$view/ or die }, '2 proved, 3 refuted');
judged('two views', 'missing', sub {
        s/(call_triton_poi_fused_add_1\()buf5/$1$view/ or die;
        s/(aoti_torch_cuda_mm_out\()buf5/$1$view/ or die;
    }, '2 proved, 3 not decided', qr/them \| which elements the two views have in common$/);

# The caller.
judged('an output that the caller\'s stream does not wait for', 'missing', sub {
        s/^ +call_triton_poi_fused_add_1\(.*\n//m or die;
        s/= buf6\.release/= buf5.release/ or die;
        s/^    buf5\.reset\(\);\n//m or die;
    }, '2 not decided',
    qr/^launch 2, .* writes buf5, an output, on side stream 1, and it is not shown that the/);
judged('an input that no event precedes', 'missing', sub {
        s/^.*cudaStreamWaitEvent.*\n//m or die;
        s/(aoti_torch_cuda_mm_out\(buf5, )buf0/$1arg1_1/ or die;
    }, '2 not decided, 3 refuted', qr/^launch 2, .* uses arg1_1, an input, and it is not shown/);

# One stream.
for (qw(attn mlp_dyn user_triton)) {
    my @found = check($_, "$corpus/$_/wrapper.cpp");
    is(orders(@found), '', "$_: nothing is said of an order");
    is(scalar(grep { exists $_->{cause} } @found), 0, "$_: nor of a cause");
}
done_testing();
