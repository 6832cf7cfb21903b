static const char @{name}[] = "@{text}";
