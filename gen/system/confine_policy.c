/* confine_policy.c - see confine_policy.h. */
#include "system/confine_policy.h"
#include "system/confine.h"

bool confine_policy_failed(const options *o, const char *who, const char *why, diags *d) {
  if (o->confining == CONFINING_REQUIRE) {
    diag_error(d, STATUS_INPUT, NULL, "--confine=require: %s", why);
    return false;
  }
  diag_warning(d, NULL,
               "%s not run confined: %s; what the package's text may read is decided by checks of "
               "its text alone",
               who, why);
  return true;
}

void confine_policy_refuse(const char *why, diags *d) {
  diag_error(d, STATUS_INPUT, NULL,
             "%s: nothing runs unconfined for that; a package of your own can be rewritten with "
             "--confine=off",
             why);
}

bool confine_policy_check_kernel(const options *o, diags *d) {
  return o->confining == CONFINING_OFF || confine_kernel_version() > 0 ||
         confine_policy_failed(o, "parser and compiler do",
                               "this kernel has no Landlock (Linux 5.13 has), or it is switched "
                               "off",
                               d);
}
