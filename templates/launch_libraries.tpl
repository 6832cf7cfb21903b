# The kernel calls functions of torch's library: @{functions}.
# TORCH is the directory of its libtorch_cpu.so: make TORCH=DIR
TORCH = @{torch}
LIBRARIES = -L'$(TORCH)' -Wl,-rpath,'$(TORCH)' -ltorch_cpu -lc10
