"""Simulations: do tests reject 5 % of true null hypotheses, and intervals hold 95 % of truths?"""
