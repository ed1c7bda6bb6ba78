PSEUDO_DMA_TRIGGER qIn block_id=0;
PSEUDO_DMA_TRIGGER $S[1]>0 qSpillReload0 block_id=1;
PSEUDO_DMA_TRIGGER $S[2]>0 qOut block_id=2;
EVENT_SEMAPHORE $S[3]>0 $S[20]++@complete;
