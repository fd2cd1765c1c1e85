objective value:                                   55
x6                                                  1 	(obj:1)
x7                                                  1 	(obj:2)
x8                                                  1 	(obj:4)
x10                                                 1 	(obj:16)
x11                                                 1 	(obj:32)
x2                                                  1 	(obj:0)
x3                                                  1 	(obj:0)
