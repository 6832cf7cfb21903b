{@{name}, @{kind}, @{tensors}}
