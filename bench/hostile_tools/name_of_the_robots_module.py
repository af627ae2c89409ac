# contained
!NAME reachy_mini
