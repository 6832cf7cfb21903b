# Makefile - @{title}
#
# The flags are those of the package's own command. EXTRA adds to them:
#   make clean; make EXTRA='-g -fsanitize=address'

ifeq ($(origin CXX),default)
CXX = @{compiler}
endif
FLAGS = @{flags}
@{libraries}

launch: main.o kernel.o
@{tab}$(CXX) @{openmp} $(EXTRA) -o $@ main.o kernel.o $(LIBRARIES) -lm

kernel.o: kernel.cpp
@{tab}$(CXX) $(FLAGS) $(EXTRA) -c -o $@ kernel.cpp

main.o: main.c
@{tab}$(CC) -std=c11 -O2 @{openmp} $(EXTRA) -c -o $@ main.c

clean:
@{tab}rm -f launch main.o kernel.o

.PHONY: clean
