AOTIGEN_GRID("@{kernel}", @{x}, @{y}, @{z});
