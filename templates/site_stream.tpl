, @{name}, @{kind}
