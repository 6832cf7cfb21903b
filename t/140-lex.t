# Ends of tokens, literals, comments and brackets.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('140-lex');
