"""What follows from a command, in the order of the rulebook: setup, build, battle, break. Pure."""
