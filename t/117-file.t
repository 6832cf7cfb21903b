# Paths, small files, and lists of strings.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('117-file');
