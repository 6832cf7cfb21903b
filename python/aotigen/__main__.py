"""python -m aotigen: the command, where the environment's own is not on PATH."""

from aotigen import main

main()
