# Run functions with unusual ends: the line that closes each is at the right place, or is left out
# with a warning that names the reason. The results are compiled.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E 'compiles';

my $torch = need_torch();
my $wrapper = corpus_of($torch) . '/cpu/nan_inside/wrapper.cpp';
my $text = slurp($wrapper);
my $dir = tempdir();
my $launch = 'AtenTensorHandle h; aoti_torch_clone(x, &h); aoti_torch_delete_tensor_object(h);';
# Each function that holds a launch is a run function. %s: the launch, and a check of its own line.
my @ends = (
    [one_line => "static void one_line(AtenTensorHandle x) { %s }\n"],
    [brace_behind => "static void brace_behind(AtenTensorHandle x) {\n  %s\n"
        . "  int64_t n = 0; (void)n; }\n"],
    [comment_before => "static void comment_before(AtenTensorHandle x) {\n  %s // } \\\n}\n"
        . "  /* a } in\n it */ }\n"],
    [comment_line => "static void comment_line(AtenTensorHandle x)\n{\n  %s\n  // the end: }\n\n"
        . "}  // comment_line\n"],
    [directive_before => "static void directive_before(AtenTensorHandle x) {\n  %s\n#ifdef NEVER\n"
        . "  never();\n#else\n  (void)x;\n#endif\n}\n"],
    [directives_nested => "static void directives_nested(AtenTensorHandle x) {\n#if 1 /* } */\n"
        . "# if 0\n  }\n# elif 1\n  %s\n# endif\n#endif\n}\n", 'is not where its braces tell'],
    [returns => "static int64_t returns(AtenTensorHandle x) {\n  %s\n  return 3;\n}\n"],
    [returns_in_branches => "static int64_t returns_in_branches(AtenTensorHandle x) {\n  %s\n"
        . "  if (x) {\n    return 3;\n  } else {\n    return 4; }\n}\n"],
    [nested => "static void nested(AtenTensorHandle x) {\n  struct inside { int f() { return 1; } "
        . "};\n  auto g = [&]() { return inside().f() + (x ? 1 : 0); };\n  %s\n  (void)g; }\n"],
    [lambda_last => "static void lambda_last(AtenTensorHandle x) {\n  %s\n  [&]() {\n    (void)x;\n"
        . "  }();\n}\n"],
    [raw_string => "static void raw_string(AtenTensorHandle x) {\n  %s\n"
        . "  const char *s = R\"x(} \" )\n#endif\n)x\"; (void)s;\n}\n"],
    [of_a_template => "template <class T> static T of_a_template(AtenTensorHandle x, T y) {\n  %s\n"
        . "  return y; }\ntemplate int of_a_template<int>(AtenTensorHandle, int);\n"],
    [inlined => "static inline auto inlined(AtenTensorHandle x) -> int64_t\n{ %s return 1; }\n"],
    [tries => "static void tries(AtenTensorHandle x) try {\n  %s\n"
        . "} catch (const std::exception &) {\n  throw;\n}\n", 'belongs to a function-try-block'],
    [two_ends => "static void two_ends(AtenTensorHandle x) {\n  %s\n#if 1\n}\n#else\n}\n#endif\n",
        'depends on a conditional of the preprocessor'],
    [two_heads => "#if 1\nstatic void two_heads(AtenTensorHandle x) {\n  (void)x;\n#else\n"
        . "void other_head(AtenTensorHandle);\n#endif\n  %s\n}\n",
        'depends on a conditional of the preprocessor'],
    [two_braces => "#if 1\nstatic void two_braces(AtenTensorHandle x) {\n#else\n"
        . "static void other_brace(AtenTensorHandle x) {\n#endif\n  %s\n}\n",
        'is not where its braces tell'],
    [defines => "static void defines(AtenTensorHandle x) {\n#define CLOSING }\n  %s\n}\n",
        'is not where its braces tell'],
);
# Every function on its own lines, in the wrapper's namespace.
my $functions = join '', map { my $f =
    $_->[1]; $f =~ s/%s/$launch static_assert(__LINE__ == \@LINE\@, "line");/r } @ends;
my $calls = "[[maybe_unused]] static const void *all_of_them[] = {"
    . join(', ', map { "reinterpret_cast<const void *>(&$_->[0]"
    . ($_->[0] eq 'of_a_template' ? '<int>' : '') . ')' } @ends) . "};\n";
$text =~ s/^(void AOTInductorModel::run_impl\()/$functions$calls$1/m or die;
my $n = 0;
my @lines = map { $n++; s/\@LINE\@/$n/r } split /^/, $text;
my $odd = spew("$dir/odd.cpp", join '', @lines);

my $r = aotigen("--torch=$torch->{dir}", $odd, '-o', "$dir/odd_dbg.cpp");
is($r->{status}, 0, 'rewritten') or diag($r->{err});
my $out = slurp("$dir/odd_dbg.cpp");
# Torch 2.6 includes a cache file that is gone elsewhere: it is torch's own cpp_prefix.h.
my $prefix = "$torch->{dir}/_inductor/codegen/cpp_prefix.h";
spew("$dir/odd_dbg.cpp", $out =~ s{^#include "/tmp/torchinductor[^"]+"}{#include "$prefix"}mgr);
for my $case (@ends) {
    my ($name, undef, $why) = @$case;
    # The first that is opened behind its head.
    my ($open) = $out =~ /\b$name\(AtenTensorHandle .*?\b(AOTIGEN_RUN(?:_UNCAUGHT)?)\(/s;
    is($open, defined $why ? 'AOTIGEN_RUN_UNCAUGHT' : 'AOTIGEN_RUN',
        "$name: " . (defined $why ? 'its head opens nothing' : 'its head opens'));
    my $head = qr/^\S+odd\.cpp:\d+:\d+: warning: left alone: the end of '$name' /m;
    my $said = qr/$head(.*): an exception leaves it as it is$/m;
    is($r->{err} =~ $said ? $1 : undef, $why,
        "$name: " . (defined $why ? 'is named with the reason' : 'is not named'));
}
my $opened = () = $out =~ /^\s*AOTIGEN_RUN\(/mg;
my $closed = () = $out =~ /^\s*AOTIGEN_RUN_END\(\);$/mg;
is($closed, $opened, 'as many close as open');
is($opened, 1 + grep({ !defined $_->[2] } @ends), 'those that can, and run_impl');

# The static_asserts compare the lines with the original's.
compiles("$dir/odd_dbg.cpp", $wrapper, qw(-Wreturn-type -Werror=return-type -Wno-comment));
done_testing;
