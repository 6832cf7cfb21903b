#line @{line}
