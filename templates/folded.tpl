AOTIGEN_FOLDED(this->constants_.get());
