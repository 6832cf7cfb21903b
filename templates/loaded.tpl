AOTIGEN_LOADED(device_str, this->cubin_dir_);
