/* crash_signals.h - signal handlers that name the launch in flight. Inside the library only.
 *
 * A handler writes its line and then does what would have been done without it: it calls the
 * handler that was installed before, with the same arguments, mask and flags; or it restores the
 * default action and lets the signal end the process, with the same status and core. A handler that
 * the host installs later takes the place of ours. AOTIGEN_SIGNALS=0 installs none.
 */
#ifndef AOTIGEN_CRASH_SIGNALS_H
#define AOTIGEN_CRASH_SIGNALS_H

/* At a model's load, or its first run: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT and
 * SIGTERM, as far as the host does not ignore them. Once. */
void ag_crash_signals_install(void);

/* Before the model is unloaded: where a later handler of the host may call ours, the library stays
 * in memory. The handlers that can be taken back are so when it is unloaded. */
void ag_crash_signals_keep(void);

#endif
