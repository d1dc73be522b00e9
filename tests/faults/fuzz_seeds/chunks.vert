-DOCSTART- -X- O

Zorbs NNS B-NP
fell VBD B-VP
. . O

<s>
Rain NN B-NP
fell VBD O
