, @{lines}, @{nlines}
