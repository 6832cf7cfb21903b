/* crash_signals.h - signal handlers that name the launch in flight. Inside the library only.
 *
 * A handler writes its line and then does what would have happened without it. It calls the handler
 * that was installed before, with the same arguments, mask and flags; or it restores the default
 * action and lets the signal end the process, with the same status and core. A handler that the
 * host installs later replaces ours. AOTIGEN_SIGNALS=0 installs none. */
#ifndef AOTIGEN_CRASH_SIGNALS_H
#define AOTIGEN_CRASH_SIGNALS_H

/* Installs handlers, once, at a model's load or its first run: for SIGSEGV, SIGBUS, SIGFPE, SIGILL,
 * SIGABRT, SIGINT and SIGTERM, unless the host ignores them. */
void ag_crash_signals_install(void);

/* Call it before the model is unloaded. If a later handler of the host may call ours, the library
 * stays in memory. Other handlers are removed when it is unloaded. */
void ag_crash_signals_keep(void);

#endif
