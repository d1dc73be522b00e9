Who	WP 3
did	VBD 3
Inga	NNP 2
Ole	NNP 1
row	VB 2 NN 1
meet	VB 1
on	IN 3
the	DT 2
quay	NN 1
lake	NN 1
?	? 3
