objective value:                                   55
x_0_1                                               1 	(obj:0)
x_1_0                                               1 	(obj:0)
makespan                                           55 	(obj:1)
