Optimal - objective value 55.00000000
      0 makespan              55                       0
      1 x_0_0                  0                       0
      2 x_0_1                  1                      55
      3 x_1_0                  1                       0
      4 x_1_1                  0                      80
      5 x_1_2                  0                       0
