#define @{function} AOTIGEN_WITH_ROOM(@{function})
