# Writes the sum out and waits until that is done.
PSEUDO_DMA_TRIGGER $S[3]>=1 q_store block_id=0;
EVENT_SEMAPHORE $S[2]>=1;
PSEUDO_INST EXIT;
