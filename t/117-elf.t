# Readers of ELF files: embedded kernels, sections of an object, and files that are cut off or changed.
use FindBin;
use lib "$FindBin::Bin/lib";
use Aotigen;

Aotigen::c_test('117-elf');
