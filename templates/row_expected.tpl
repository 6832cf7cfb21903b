    {@{dtype}, @{device}, @{dims}, @{aliases}, @{least}, @{least_of}, @{sizes_of}, @{ndim},
     @{user}, @{naliases}},
