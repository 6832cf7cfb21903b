extern "C" {
extern const char aotigen_kept_of[] __attribute__((visibility("hidden")));
const char aotigen_kept_of[] = "@{of}";
}
