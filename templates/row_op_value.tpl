{@{name}, @{kind}, @{tensors}, @{text}}
