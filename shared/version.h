/* version.h - the version of aotigen, defined only here. */
#ifndef AOTIGEN_SHARED_VERSION_H
#define AOTIGEN_SHARED_VERSION_H

#define AOTIGEN_VERSION "0.1.0"

#endif
