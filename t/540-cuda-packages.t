# Packages for CUDA: MLP, attention, GPT-2 and ResNet-50, the plain one in, debug ones out, loaded
# by torch as any other. Outputs are the plain one's, bit for bit, at every level; cubins linked
# into the .so are taken over too. Names of samples as arguments narrow it to those.
use FindBin;
use lib "$FindBin::Bin/lib", "$FindBin::Bin/5xx";
use Aotigen;
use AotigenE2E;
use FakeCuda;

FakeCuda::need_gpu();
need_torch();
my @levels = map { { printer => $_->[0], check_inputs => $_->[1], nan_asserts => $_->[1] } } [0,
    'off'], map { [$_, 'all'] } 0 .. 3;

sub agree {
    my ($s, $what) = @_;
    my @seen = packages_agree($s, @levels);
    for my $i (0 .. $#levels) {
        my ($printer, $checks) = @{ $levels[$i] }{qw(printer nan_asserts)};
        unlike($seen[$i]{err}, qr/aotigen/,
            "$what, printer $printer, checks $checks: a sound model has no fault");
        is(!!($seen[$i]{out} =~ /^\[ (?:before|after)_launch: /m), $printer == 3,
            "$what: level $printer " . ($printer == 3 ? 'names kernels' : 'names none'));
        is(!!($seen[$i]{out} =~ /^\[  (?:before|after)_launch - /m), $printer == 2,
            "$what: level $printer " . ($printer == 2 ? 'prints values' : 'prints none'));
    }
    return;
}

my %rest = (
    embedded => sub {
        my $s = sample('mlp_dyn', 'cuda', as => 'mlp_dyn-embedded',
            settings => ['aot_inductor.embed_kernel_binary=True']);
        my ($seen) = packages_agree($s, { printer => 3 });
        like($seen->{out}, qr/^\[ before_launch: triton_/m, 'cubins in the .so: it speaks');
    },
    nan_inside => sub {
        my ($seen) = packages_agree(sample('nan_inside', 'cuda'), { nan_asserts => 'nan' });
        like($seen->{err}, qr/^aotigen: NaN born in run 1, launch \d+: triton_/m,
            'a NaN is named where it is born');
    },
);
for my $name (@ARGV ? @ARGV : qw(mlp_dyn attn embedded nan_inside gpt2 resnet50)) {
    SKIP: {
        skip "$name: no torchvision goes with this torch", 1
            if $name eq 'resnet50' && python('import torchvision')->{status};
        skip "$name: not in torch 2.6", 1
            if $name eq 'embedded' && need_torch()->{version} =~ /^2\.6/;
        $rest{$name} ? $rest{$name}->() : agree(sample($name, 'cuda'), $name);
    }
}
done_testing;
