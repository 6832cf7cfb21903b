    {@{dtype}, @{device}, @{dims}, @{rivals}, @{least}, @{ndim}, @{user}, @{nrivals}},
