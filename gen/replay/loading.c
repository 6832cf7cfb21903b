/* loading.c - see loading.h. */
#include "replay/loading.h"
#include "base/file.h"
#include <cjson/cJSON.h>
#include <string.h>

/* What torch's loader leaves alone, or hands to the '.so' as files: texts that the model was
 * compiled from, and compiled kernels. */
static bool is_plain(const char *name) {
  static const char *const endings[] = {
      ".cpp", ".so", ".o", ".h", ".cubin", ".ptx", ".fatbin", ".txt", "_metadata.json"};
  static const char *const names[] = {WATCHED_ORIGINAL, "aotigen_watch.json",
                                      "kernel_information.json", NULL};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
    if (file_ends_with(name, endings[i])) return true;
  return strings_index(names, name) >= 0;
}

/* The model's weights, or constants of its operators, may lie outside of its folder. */
static bool is_of_all_models(const char *name) {
  static const char *const folders[] = {"data/weights/", "data/constants/"};
  const char *slash = strchr(name, '/');
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (text_begins(name, folders[i]) || (slash && text_begins(slash + 1, folders[i]))) return true;
  return false;
}

/* "cpu", as torch's loader reads it; NULL where it is not told. */
static const char *find_device(const archive *z, const package_model *m, arena *a) {
  const char *so = z->members.at[m->so].name;
  const char *name = arena_printf(a, "%.*s_metadata.json", (int)(strlen(so) - strlen(".so")), so);
  size_t i = 0, n;
  while (i < z->members.n && strcmp(z->members.at[i].name, name)) i++;
  const char *text = i < z->members.n && z->members.at[i].size < 1 << 16
                         ? archive_read_text(z, i, &n, a, diags_new(a))
                         : NULL;
  cJSON *json = text ? cJSON_Parse(text) : NULL;
  const cJSON *at = cJSON_GetObjectItemCaseSensitive(json, "AOTI_DEVICE_KEY");
  const char *device = cJSON_IsString(at) ? arena_strdup(a, at->valuestring) : NULL;
  cJSON_Delete(json);
  return device;
}

bool loading_has_weights(const archive *z, const package_model *m) {
  const size_t n = strlen(m->dir);
  for (size_t i = 0; i < z->members.n; i++) {
    const char *name = z->members.at[i].name;
    if (is_of_all_models(name)) return true;
    const bool beside = !strncmp(name, m->dir, n) && name[n] && !strchr(name + n, '/');
    if (beside && i != m->ops && !is_plain(name + n)) return true;
  }
  return false;
}

const char *loading_explain(const archive *z, const package_model *m, const char *device,
                            arena *a) {
  const size_t n = strlen(m->dir), of_type = strcspn(device, ":");
  for (size_t i = 0; i < z->members.n; i++) {
    const char *name = z->members.at[i].name;
    if (is_of_all_models(name))
      return arena_printf(a, "the package has '%s', which torch's loader reads", name);
    if (strncmp(name, m->dir, n) != 0 || !name[n] || strchr(name + n, '/')) continue;
    if (i == m->ops) return "torch's loader is to call operators for the model";
    if (!is_plain(name + n))
      return arena_printf(a, "the model has '%s', which torch's loader may read", name + n);
  }
  if (m->so == PACKAGE_NO_MEMBER) return "the model has no '.so'";
  const char *of_model = find_device(z, m, a);
  if (!of_model) return "the package does not tell its device";
  if (strlen(of_model) != of_type || strncmp(of_model, device, of_type) != 0)
    return arena_printf(a, "the model is for '%s', and the capsule is of a run on '%s'", of_model,
                        device);
  return NULL;
}
