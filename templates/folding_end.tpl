AOTIGEN_FOLDING_END(@{initialization}, this->constants_.get());
