/* version.h - the version of aotigen, defined only here. */
#ifndef GEN_VERSION_H
#define GEN_VERSION_H

#define AOTIGEN_VERSION "0.1.0"

#endif
