# contained
!NAME numpy
