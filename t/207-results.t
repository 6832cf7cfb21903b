# The results of a library's operators that the run itself frees: not those that the model returns,
# nor those whose memory leaves the run through a view.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $torch = need_torch();
my ($wrapper) = grep { m{/cpu/returned/wrapper\.cpp$} } corpus_wrappers($torch);
skip_or_fail('corpus', 'no wrapper with several custom ops') if !defined $wrapper;
my $text = slurp(root() . "/t/corpus/$wrapper");
my ($ENDS_IN_RUN, $MADE_BY_LIBRARY) = (8192, 4096);

# The results, with the wrapper's output being what `made` calls `out`.
sub ending {
    my ($made) = @_;
    my $other = $text =~ s/^( *output_handles\[0\] = )buf\d+(\.release\(\);)/$made\n$1out$2/mr;
    my $dir = tempdir();
    spew("$dir/wrapper.cpp", $other);
    my $r = aotigen('--dump=model', "--torch=$torch->{dir}", '-o', '-', "$dir/wrapper.cpp");
    is($r->{status}, 0, 'read') or diag($r->{err});
    my @all;
    while ($r->{out} =~ /^\d+\.\d+ flags (\d+) value (buf\d+) late -$/mg) {
        push @all, $2 if $1 & $MADE_BY_LIBRARY && $1 & $ENDS_IN_RUN;
    }
    return "@all";
}

my $view = 'wrap_with_raii_handle_if_needed(reinterpret_tensor_wrapper(buf2, 2, int_array_0, '
    . 'int_array_1, 0L))';
my $second = 'AtenTensorHandle out_handle; AOTI_TORCH_ERROR_CODE_CHECK(aoti_torch_cpu_view_as_'
    . 'complex(%s, &out_handle)); RAIIAtenTensorHandle out(out_handle);';
is(ending('RAIIAtenTensorHandle out(buf11.release());'), 'buf2 buf5 buf6 buf9', 'all of them');
is(ending('RAIIAtenTensorHandle out; out = std::move(buf2);'), 'buf5 buf6 buf9',
    'one may become an output');
is(ending("RAIIAtenTensorHandle out; out = std::move($view);"), 'buf5 buf6 buf9',
    'or a view of it');
is(ending("RAIIAtenTensorHandle out($view);"), 'buf5 buf6 buf9', 'which has a name');
is(ending(sprintf $second, 'buf2'), 'buf5 buf6 buf9', 'or a second handle');
is(ending(sprintf $second, $view), 'buf5 buf6 buf9', 'of a view');
done_testing;
