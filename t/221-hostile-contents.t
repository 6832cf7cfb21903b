# Hostile packages: which members a package has and lacks, and the JSON of its custom ops.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenHostile;

refused_package('no model', qr/holds no model of AOTInductor/,
    [{ name => 'model/archive_format', data => 'pt2' }]);
refused_package('no such model', qr/holds no model 'other': it holds model/, $sound,
    words => ['model.pt2', '--model=other', '-o', 'out.pt2']);
refused_package('no wrapper', qr/has no wrapper beside it/,
    package_of({ $x_wrapper => undef }));
refused_package('a wrapper elsewhere', qr/has no wrapper beside it/, package_of({
    $x_wrapper => undef }, { name => 'model/data/aotinductor/x.wrapper.cpp', data => $wrapper }));
refused_package('two wrappers', qr/is a second wrapper beside '\Q$x_wrapper\E'/,
    with_member({ name => "${in}y.wrapper.cpp", data => $wrapper }));
refused_package("two '.so'", qr/is a second '\.so' beside '\Q$x_so\E'/,
    with_member({ name => "${in}y.wrapper.so", data => $so }));
refused_package('neither', qr/holds no model of AOTInductor/,
    package_of({ $x_wrapper => undef, $x_so => undef }));
refused_package("no '.so' and no object file", qr/has neither a '\.so' nor an object file/,
    package_of({ $x_so => undef }));
refused_package('two object files', qr/more than one object file/,
    package_of({ $x_so => undef }, map { { name => "${in}$_.o", data => $object } } 'a', 'b'));
refused_package('an empty wrapper', qr/is empty/, package_of({ $x_wrapper => '' }));
refused_package('a binary wrapper', qr/is binary/, package_of({ $x_wrapper => "int x;\0" }));
refused_package('an empty kernel', qr/is empty/, package_of({ $x_kernel => '' }));
refused_package('a binary kernel', qr/is binary/, package_of({ $x_kernel => $so }));
refused_package('a wrapper that is none', qr/is not a wrapper that AOTInductor emitted/,
    package_of({ $x_wrapper => "int main() { return 0; }\n// Compile cmd\n// g++ -c\n" }),
    compiles => 1);
refused_package('a wrapper that does not parse', qr/:\d+:\d+: error: does not parse/,
    package_of({ $x_wrapper => $wrapper . 'int (;' }), compiles => 1);
refused_package('an instrumented wrapper', qr/is instrumented already/,
    package_of({ $x_wrapper => "// Instrumented by aotigen 0\n" . $wrapper }));
refused_package('more kernels than a model has',
    qr/too many source files: a model has a wrapper and its kernels/,
    with_member(map { { name => "${in}k$_.kernel.cpp", data => $kernel } } 1 .. 70));

# Metadata. What is not read may be anything; what is read may not.
my $deep = '[' x 1_000_000 . ']' x 1_000_000;
for my $case (
    ['nested a million deep', $deep],
    ['nested a million objects deep', '{"nodes":' x 1_000_000 . '1' . '}' x 1_000_000],
    ['cut off', '{"nodes": ['],
    ['no JSON', 'nodes'],
    ['of a million and more values', '{"nodes": [' . '1,' x 1_200_000 . '1]}'],
    ['of 20 MB', '{"nodes": ["' . 'x' x (20 << 20) . '"]}'],
    ['a string', '"nodes"'], ['of another kind', '{"nodes": {}}'],
    ) {
    refused_package("custom ops' JSON that is $case->[0]",
        qr/\Qx.wrapper.json: error: is not the JSON of a model's custom ops\E/,
        with_member({ name => "${in}x.wrapper.json", data => $case->[1] }), compiles => 1);
}
refused_package("custom ops' JSON that is binary", qr/is binary/,
    with_member({ name => "${in}x.wrapper.json", data => "{\0}" }));
refused_package("custom ops' JSON of a gigabyte", qr/too large/,
    with_member({ name => "${in}x.wrapper.json", hole => 1 << 30 }));
accepted("custom ops' JSON of odd types",
    with_member({ name => "${in}x.wrapper.json",
        data => '{"nodes": [1, null, {"node": 7}, '
            . '{"node": {"target": [], "inputs": {"a": 1}, "outputs": "x"}}]}' }));
accepted('metadata that is not read, nested a million deep',
    package_of({ "${in}x.wrapper_metadata.json" => $deep }));
done_testing;
