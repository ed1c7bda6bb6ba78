# Adds the inputs of all ranks, when all 16 pieces are there; then S[3] says so.
PSEUDO_TRIGGER_COLLECTIVE $S[1]>=16 $S[3]++@complete ctype=ALL_REDUCE input_tensor_id=1 output_tensor_id=2 num_elements=1024 dtype=fp32 op=ADD group_id=0;
PSEUDO_INST EXIT;
