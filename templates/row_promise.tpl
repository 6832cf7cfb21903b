    {@{text}, @{code}, @{input}, @{dim}, @{kind}},
