"""Chiang, DeNeefe, Chan and Ng (EMNLP 2008): what follows from a metric that is no sum."""
