# The symbols that the runtime library defines and needs.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

my $library = build() . '/libaotigen.a';
ok(-e $library, 'libaotigen.a is built') or do { done_testing; exit 1 };

# readelf: Num Value Size Type Bind Vis Ndx Name
my $r = run_cmd(['readelf', '-sW', $library]);
is($r->{status}, 0, 'readelf reads it');
# Another program runs in a process of its own. A child of the process explains an index assert or a
# division that ends it, and ends itself. Where
# there is torch, what it has for a tensor that is not there is compared, and it is asked whether
# the values of a tensor are those in its memory.
# What torch's C++ allocated for a watched model is freed by C++; what it looks up, C++ hashes.
my %may = ('background.o' => { map { $_ => 1 } qw(_exit execve kill) },
    'explain_crash.o' => { map { $_ => 1 } qw(_exit kill) },
    'container_api.o' => { map { $_ => 1 } qw(_ZdlPv _ZSt11_Hash_bytesPKvmm) },
    'tensor.o' => { map { $_ => 1 } qw(_ZN3c1019UndefinedTensorImpl10_singletonE
            _ZN2at4_ops6is_neg4callERKNS_6TensorE _ZN2at4_ops7is_conj4callERKNS_6TensorE) });
my (@strong, @foreign, @shown, %needs, %has, $object);
for my $line (split /\n/, $r->{out}) {
    $object = $1 if $line =~ /^File: .*\((.*)\)$/;
    my (undef, undef, undef, undef, $type, $bind, $visibility, $section, $name) = split ' ',
    " $line" =~ s/^\s*/x /r;
    next if !defined $name || $bind !~ /^(?:GLOBAL|WEAK)$/;
    $name =~ s/@.*//;
    push @strong, $name if $section eq 'UND' && $name =~ /^_Z/ && $bind ne 'WEAK';
    if ($section eq 'UND') { $needs{$name} = 1 if !$may{$object}{$name}; next }
    $has{$name} = 1;
    my $of_nvtx = $object eq 'nvtx.o' && $name =~ /^(?:nvtx|InitializeInjectionNvtx)/;
    push @foreign, $name if $name !~ /^(?:aotigen|ag)_/ && !$of_nvtx;
    push @shown, $name if $visibility ne 'HIDDEN';
}
cmp_ok(scalar keys %has, '>', 5, 'it defines something');
ok($has{aotigen_before} && $has{aotigen_after} && $has{aotigen_load},
    'among it what a wrapper calls');
is("@foreign", '', 'names begin with aotigen_ or ag_, or are what the headers of NVTX define');
is("@shown", '', 'all is hidden: two debug models in one process keep apart');

my %never = map { $_ => 1 } qw(exit _exit _Exit quick_exit abort __assert_fail
    printf puts putchar vprintf __printf_chk __vprintf_chk
    putchar_unlocked stdout system popen execve fork longjmp raise kill);
is(join(' ', grep { $never{$_} } sort keys %needs), '',
    'it ends no process and prints not through stdio');
my @cuda = grep { /^(?:cu[A-Z]|cuda[A-Z]|_Z)/ } sort keys %needs;
is("@cuda @strong", ' ', 'it needs no CUDA library and no C++ to link');
done_testing;
