# Computes on the chip, when the input is there.
ACTIVATE $S[10]>=1 $S[20]++@complete {0c: 01};
PSEUDO_INST EXIT;
