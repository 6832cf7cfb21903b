#undef @{function}
