PSEUDO_DMA_TRIGGER $S[1]>0 qSwap block_id=0;
