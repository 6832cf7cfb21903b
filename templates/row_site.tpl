    /* @{site} */ {@{function}, @{kernel}, @{nodes}, @{aten}, @{params},
     @{line}, @{nparams}, @{form}, @{flags}, @{number}, @{scope}, @{heads}, @{lines}, @{nlines},
     @{graph}, @{bounds}, @{nbounds}, @{nopen}, @{op}@{stream}},
