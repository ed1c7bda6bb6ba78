"""Inputs and outputs of models by what they mean."""
