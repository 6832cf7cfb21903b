# Entry points of unusual shape: each one that can throw is guarded, in its own `try` or around its
# body, or is named in a warning. The rewritten wrapper is compiled.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;
use AotigenE2E 'compiles';

my $torch = need_torch();
my $wrapper = corpus_of($torch) . '/cpu/nan_inside/wrapper.cpp';
my $text = slurp($wrapper);
my $dir = tempdir();
spew("$dir/elsewhere.h",
    "#define TRY_ELSEWHERE(...) try { __VA_ARGS__ } catch (...) { return 1; }\n");
my $throws = 'std::string(std::to_string(n)).at(9);';
# [its name, where its guards are, its text, why it is left alone if it is]
my @entries = (
    [OfTorchsMacro => 'try', "(int n) {\n  ENTRY_TRY({ $throws })\n  return 0;\n}"],
    [OfTwoForms => 'try', "(int n) ENTRY_TRY({ $throws return 0; })"],
    [WithACallBefore => 'try body',
        "(int n) {\n  $throws\n  ENTRY_TRY({ $throws })\n  return 0;\n}"],
    [WithACallBehind => 'try body',
        "(int n) {\n  ENTRY_TRY({ $throws })\n  $throws\n  return 0;\n}"],
    [WithItsOwnTry => 'own',
        "(int n) {\n  try { $throws } catch (...) { return 1; }\n  return 0;\n}"],
    [WithATryWithin => 'own',
        "(int n) {\n  for (int i = 0; i < n; i++) {\n    try {\n      $throws\n"
            . "    } catch (const std::exception &) {\n      return 1;\n    }\n  }\n"
            . "  return 0;\n}"],
    [WithoutATry => 'body', "(int n) {\n  $throws\n  return 0;\n}"],
    [OnOneLine => 'body', "(int n) { $throws return 0; }"],
    [ThatThrows => 'body', "(int n) {\n  if (n) throw 3;\n  return 0;\n}"],
    [ThatAllocates => 'body', "(int n) {\n  return *new int(n);\n}"],
    [ThatCannotThrow => '', "(int n) {\n  return steady(n);\n}"],
    [ThatCallsAnother => '', "(int n) {\n  return AOTInductorModelWithoutATry(n);\n}"],
    [ThatDeletes => 'try deletes',
        "(int n) {\n  ENTRY_TRY({ delete new std::string(std::to_string(n)); })\n  return 0;\n}"],
    [OfAnotherHeader => '',
        "(int n) {\n  TRY_ELSEWHERE({ $throws })\n  return 0;\n}",
        "catches its exceptions by 'TRY_ELSEWHERE', which is not defined in the wrapper"],
    [OfANestedMacro => '',
        "(int n) {\n  OUTER_TRY({ $throws })\n  return 0;\n}",
        "catches its exceptions by 'OUTER_TRY', which has no 'try' of its own"],
    [WithTwoEnds => '',
        "(int n) {\n  $throws\n  return 0;\n#if 1\n}\n#else\n}\n#endif\n",
        'has an end that depends on a conditional of the preprocessor'],
);
my $head = qq(#include "$dir/elsewhere.h"\n) . <<'CPP';
#include <string>
/* #define ENTRY_TRY no */
#define ENTRY_TRY(...) \
  try { \
    __VA_ARGS__ \
  } catch (const std::exception &) { \
    return 1; \
  } catch (...) { \
    return 2; \
  }
#define OUTER_TRY(...) TRY_ELSEWHERE(__VA_ARGS__)
static int steady(int n) noexcept { return n; }
extern "C" {
CPP
my @defined = map {
    "int AOTInductorModel$_->[0]$_->[2]\nstatic_assert(__LINE__ == \@LINE\@, \"line\");\n"
} @entries;
my $functions = $head . join('', @defined) . "}\n";
# Neither is an entry point: one has C++ linkage, one is only declared.
$functions .= "int AOTInductorModelOfCpp(int n) {\n  $throws\n  return 0;\n}\n"
    . "extern \"C\" int AOTInductorModelDeclared(int);\n";
my $plain = $text;
$plain =~ s/^(namespace torch)/$functions$1/m or die;
my $n = 0;
my @lines = map { $n++; s/\@LINE\@/$n/r } split /^/, $plain;
my $odd = spew("$dir/odd.cpp", join '', @lines);

my $r = aotigen("--torch=$torch->{dir}", $odd, '-o', "$dir/odd_dbg.cpp");
is($r->{status}, 0, 'rewritten') or diag($r->{err});
my $out = slurp("$dir/odd_dbg.cpp");
# Torch 2.6 includes a file of its cache, which this machine lacks: a copy of torch's cpp_prefix.h.
my $prefix = "$torch->{dir}/_inductor/codegen/cpp_prefix.h";
spew("$dir/odd_dbg.cpp", $out =~ s{^#include "/tmp/torchinductor[^"]+"}{#include "$prefix"}mgr);
my ($macro) = $out =~ /^(#define ENTRY_TRY.*?[^\\]\n)/ms;
is(scalar(() = $macro =~ /AOTIGEN_ENTRY/g), 2, "the macro's try is guarded once");
like($macro,
    qr/try \{ AOTIGEN_ENTRY\(\); \\\n +__VA_ARGS__ \\\n +AOTIGEN_ENTRY_END\(\);\} catch/,
    'within its block');
for my $entry (@entries) {
    my ($name, $where, undef, $why) = @$entry;
    my ($body) = $out =~ /^int AOTInductorModel$name(\(int n\).*?)^static_assert/ms;
    my $own = () = $body =~ /try \{ AOTIGEN_ENTRY\(\);/g;
    my $all = () = $body =~ /AOTIGEN_ENTRY\(\);/g;
    my @found = (
        ('try') x !!($body =~ /ENTRY_TRY/),
        ('own') x $own,
        ('body') x ($all - $own),
        ('deletes') x !!($body =~ /\{ AOTIGEN_ENTRY_DELETES\(\);/),
    );
    is("@found", $where, "$name: guarded " . ($where || 'nowhere'));
    is(scalar(() = $body =~ /AOTIGEN_ENTRY_END\(\);/g), $all, "$name: as many close as open");
    my $warning = qr/^\S+odd\.cpp:\d+:\d+: warning: left alone: 'AOTInductorModel$name'/m;
    my $said = qr/$warning (.*): an exception leaves it as it is$/m;
    is($r->{err} =~ $said ? $1 : undef, $why,
        "$name: " . (defined $why ? 'is named with the reason' : 'is not named'));
}
my ($cpp) = $out =~ /^int AOTInductorModelOfCpp(.*?)^\}/ms;
unlike($cpp, qr/AOTIGEN/, 'a function without C linkage is not an entry point');
# The guard in the one macro that torch's wrapper defines serves all of torch's entry points.
is(scalar(() = $out =~ /try \{ AOTIGEN_ENTRY\(\);/g), 4,
    "torch's macro, this test's, and two of their own");
unlike($r->{err}, qr/left alone: 'AOTInductor(?!Model(?:OfAnother|OfANested|WithTwo))/,
    "none of torch's is left alone");

# A wrapper that defines no entry point.
(my $none = $text) =~ s{^extern "C" \{\n.*?^\} // extern "C"$}{}ms or die;
$r = aotigen("--torch=$torch->{dir}", spew("$dir/none.cpp", $none), '-o', "$dir/none_dbg.cpp");
is($r->{status}, 0, 'a wrapper without entry points is rewritten') or diag($r->{err});
my $undefined = qr/the entry points of 'run_impl', AOTInductor\*, are not defined in the wrapper/;
like($r->{err},
    qr/none\.cpp:\d+:\d+: warning: left alone: $undefined: an exception leaves them as it is$/m,
    'and a warning says so');

# The static_asserts compare the lines with the original's.
compiles("$dir/odd_dbg.cpp", $wrapper, qw(-Wreturn-type -Werror=return-type));
done_testing;
