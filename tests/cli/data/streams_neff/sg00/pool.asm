# Loads by a function, then tells sp.
PSEUDO_FUNCTION_CALL load args_table=0;
NOP $S[10]>=1 $S[20]+=1@complete;
MOVE dtype=int32 $R[1]=0x10, $R[2]=0xffffffff;
ALU_OP dtype=int32 op=ADD $R[3]=$R[1],$R[2];
PSEUDO_INST EXIT;
PSEUDO_FUNCTION_BEGIN load reset_semaphores=0 return=$R[4],$R[5];
PSEUDO_DMATRIGGER "q in" block_id=0;
PSEUDO_FUNCTION_RETURN;
