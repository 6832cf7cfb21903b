# What `aotigen check` does not decide of a user's kernel: through a pointer to a block that a loop
# or a branch moves; that programs, or steps of a loop, store one value; what a store wrote whose
# programs are not bounded, or whose elements are not known; that a grid reaches each element.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch_of('2.11.0');
my $wrapper = slurp(root() . '/t/corpus/2.11.0/cuda/user_triton/wrapper.cpp');
my $dir = tempdir();
my ($body) = $wrapper =~ /def scale_add_kernel\(.*\):\n((?:        .*\n)+)/;
ok($body, 'the corpus has the kernel');
# buf0 is written by the user's launch, and read by the next one.
my %claim = (
    access => qr/"type":"access",.*"site":1,.*"access":"(?:store|atomic)/,
    own => qr/"type":"unwritten",.*"site":1,/,
    once => qr/"type":"twice",.*"site":1,/,
    written => qr/"type":"unwritten",.*"site":2,/
);

# The verdict on each claim of the wrapper with these lines in place of the kernel's.
sub judged {
    my ($what, $lines, %want) = @_;
    my $text = $wrapper;
    my $new = join '', map { "        $_\n" } @$lines;
    $text =~ s/\Q$body\E/$new/;
    spew("$dir/wrapper.cpp", $text);
    my $r = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp");
    for my $name (sort keys %want) {
        my @found = grep { $_ =~ $claim{$name} } split /\n/, $r->{out};
        my %verdicts = map { /"verdict":"([a-z ]+)"/ ? ($1 => 1) : () } @found;
        is(join(', ', sort keys %verdicts), $want{$name}, "$what: $name") or diag($r->{out});
    }
    return $r->{out};
}

my $block = 'p=tl.make_block_ptr(o_ptr,shape=(n,),strides=(1,),offsets=(0,),' .
    'block_shape=(BLOCK,),order=(0,))';
my $put = 'tl.store(p,tl.full((BLOCK,),1.0,tl.float32),boundary_check=(0,))';
my $grid = 'i=tl.program_id(0)*BLOCK+tl.arange(0,BLOCK)';
my $open = 'not decided';

judged('each element', [$grid, 'tl.store(o_ptr+i,i*1.0,mask=i<n)'], once => 'proved');
# What the programs leave out although the condition lets it through was never written.
judged('from one element before', ['i=tl.program_id(0)*BLOCK-1+tl.arange(0,BLOCK)',
    'tl.store(o_ptr+i,i*1.0,mask=(i>=0)&(i<n))'], written => $open);
judged('every second block', ['i=tl.program_id(0)*BLOCK*2+tl.arange(0,BLOCK)',
    'tl.store(o_ptr+i,i*1.0,mask=i<n)'], written => $open);
judged('a block', [$block, $put], access => 'proved', once => 'proved');
my $out = judged('a block that a loop moves',
    [$block, 'for j in range(0,8):', "    $put", '    p=tl.advance(p,(BLOCK,))'],
    access => $open, once => $open, written => $open);
like($out, qr/the index depends on a pointer to a block that a loop changes/, 'it says why');
judged('a block behind the loop that moves it',
    [$block, 'for j in range(0,8):', '    p=tl.advance(p,(BLOCK,))', $put =~ s/,boundary.*/)/r],
    access => $open, once => $open, written => $open);
$out = judged('a block that a branch moves',
    [$block, 'if n>7:', '    p=tl.advance(p,(100000,))', $put =~ s/,boundary.*/)/r],
    access => $open, once => $open, written => $open);
like($out, qr/the index depends on a pointer to a block that a branch chooses/, 'it says why');
judged('a block that a loop and a branch move',
    [$block, 'for j in range(0,8):', '    if n>7:', '        p=tl.advance(p,(BLOCK,))', "    $put"],
    access => $open, once => $open, written => $open);

# A descriptor that the kernel makes: what lies outside of its sizes is neither loaded nor stored.
my $made = 'd=tl.make_tensor_descriptor(o_ptr,shape=[n],strides=[1],block_shape=[BLOCK])';
my $ones = 'd.store([tl.program_id(0)*BLOCK],tl.full((BLOCK,),1.0,tl.float32))';
judged('a descriptor', [$made, $ones], access => 'proved', once => 'proved');
judged('a descriptor by functions',
    [$made, $ones =~ s/d\.store\(/tl.store_tensor_descriptor(d,/r], access => 'proved');
my $keywords = 'd.store(value=tl.full((BLOCK,),0,tl.int32),offsets=[tl.program_id(0)*BLOCK])';
judged('a descriptor by keywords', [$made, $keywords], access => 'proved', once => 'proved');
judged('a descriptor of more by keywords', [$made =~ s/\[n\]/[n+1]/r, $keywords],
    access => 'refuted');
judged('a descriptor, value first',
    [$made, 'tl._experimental_descriptor_store(d,tl.full((BLOCK,),1.0,tl.float32),[0])'],
    access => 'proved');
judged('a descriptor of more than there is', [$made =~ s/\[n\]/[n+1]/r, $ones],
    access => 'refuted');
judged('a descriptor with another step', [$made =~ s/strides=\[1\]/strides=[2]/r, $ones],
    access => 'refuted');
$out = judged('a descriptor without an offset', [$made, 'd.store([],1.0)'],
    written => $open);
like($out, qr/offsets of other dimensions than the descriptor has/, 'it says why');
judged('a descriptor that a loop changes',
    [$made, 'for j in range(0,8):', "    $ones", "    $made" =~ s/o_ptr/o_ptr+j/r],
    written => $open);
# A number times a comparison is a number, in Python as in C++.
my $chosen = '((16)*((16)<=(BLOCK))+(BLOCK)*((BLOCK)<(16)))';
judged('a descriptor with a block of a chosen length',
    [$made =~ s/\[BLOCK\]/[$chosen]/r, 'for j in range(0,BLOCK//16):',
        "    d.store([tl.program_id(0)*BLOCK+16*j],tl.full(($chosen,),1.0,tl.float32))"],
    access => 'proved', written => $open);
judged('more elements than there are, of a chosen number',
    ['tl.store(o_ptr+tl.arange(0,512*(BLOCK>16)),1.0)'], access => 'refuted');

judged('what the step before stored',
    ['tl.store(o_ptr,1.0)', 'for j in range(0,8):', '    tl.store(o_ptr+j+1,tl.load(o_ptr+j))'],
    own => $open);
judged('what no step stores', ['v=tl.load(o_ptr)', 'tl.store(o_ptr,v)'], own => 'refuted');

my $number = 'r=tl.program_id(0)';
judged('programs store their numbers', [$number, 'tl.store(o_ptr,r*1.0)'], once => $open);
judged('each its own', [$number, 'tl.store(o_ptr+r,r*1.0)'], once => 'proved',
    written => 'refuted');
judged('programs store one value', ['tl.store(o_ptr,1.0)'], once => 'proved');
judged('of a block', [$number, $block, $put =~ s/1\.0/r*1.0/r], once => $open);
judged('steps store their numbers',
    ['for j in range(0,100):', '    tl.store(o_ptr+tl.arange(0,BLOCK),j*1.0)'], once => $open);
judged('at one place that a loop carries',
    [$number, 'c=0', 'for j in range(0,2):', '    tl.store(o_ptr+c,r*1.0)'], once => $open);

for (['(i<2) or (i>5)', 'refuted'], ['(i<n)|(i==n+5)', $open], ['(i<n)&(i>=0)', $open]) {
    my ($mask, $written) = @$_;
    judged("the mask $mask", [$grid, "tl.store(o_ptr+i,1.0,mask=$mask)"], written => $written);
}
judged('a mask that a branch changes',
    [$grid, 'm=i<2', 'if n>100:', '    m=i<n', 'tl.store(o_ptr+i,1.0,mask=m)'],
    written => 'refuted');
judged('atomics', [$number, 'tl.atomic_xchg(o_ptr+r,1.0)'], written => $open);
judged('nothing', [$number], written => 'refuted');

# The grid of the next launch leaves the last element of some sizes out.
(my $text = $wrapper) =~ s/\(256 - 1\)/(256 - 2)/ or fail('the corpus has the grid');
for ([$wrapper, 0], [$text, 1]) {
    spew("$dir/wrapper.cpp", $_->[0]);
    my $said = aotigen('check', '--json', "--torch=$torch->{dir}", "$dir/wrapper.cpp")->{out};
    my @grids = grep { /"type":"grid","verdict":"not decided".*not shown that the programs/ }
        split /\n/, $said;
    is(scalar @grids, $_->[1], 'a grid that is not shown to reach each element') or diag($said);
}
# Of an access outside of its memory that is made where a value says so, the condition decides.
my $if = judged('a store where a value says so', ["i=tl.program_id(0)*BLOCK+tl.arange(0,BLOCK)",
    'v=tl.load(x_ptr+i,mask=i<n,other=0.0)', 'tl.store(o_ptr+i+i,v,mask=(i<n)&(v>0.0))'],
    access => 'not decided');
like($if, qr/"why":"a condition on values decides whether it is made outside of its memory: [^"]*"/,
    'a store where a value says so: that the condition decides');
done_testing;
