AOTIGEN_STREAM_OP(@{op}, @{stream}, @{event});
