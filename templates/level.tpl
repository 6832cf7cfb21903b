#ifndef AOTIGEN_@{macro}
#define AOTIGEN_@{macro} @{value} // @{meaning}
#endif
