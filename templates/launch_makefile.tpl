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
	$(CXX) @{openmp} $(EXTRA) -o $@ main.o kernel.o $(LIBRARIES) -lm

kernel.o: kernel.cpp
	$(CXX) $(FLAGS) $(EXTRA) -c -o $@ kernel.cpp

main.o: main.c
	$(CC) -std=c11 -O2 @{openmp} $(EXTRA) -c -o $@ main.c

clean:
	rm -f launch main.o kernel.o

.PHONY: clean
