What	WP 1
should	MD 1
I	PRP 1
do	VB 1
?	. 1
