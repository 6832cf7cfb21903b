    {@{index}, @{at}, @{term}, @{line}, @{arg}, @{is}},
