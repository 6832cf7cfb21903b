{@{min}, @{max}, @{stride}, @{symbol}}
