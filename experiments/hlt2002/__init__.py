"""Papineni, Roukos, Ward, Henderson and Reeder (HLT 2002): BLEU and names against people."""
