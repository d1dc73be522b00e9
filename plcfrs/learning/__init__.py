"""What all that is learned shares: weights, taggers, and the runner of training."""
