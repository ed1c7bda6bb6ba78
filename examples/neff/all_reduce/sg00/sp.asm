# Brings the input in: a trigger returns at once, each of the 16 rings raises S[1] by 1 when done.
PSEUDO_DMA_TRIGGER q_load block_id=0;
PSEUDO_INST EXIT;
