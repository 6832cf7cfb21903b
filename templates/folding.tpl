AOTIGEN_FOLDING(this->constants_.get());
