Integer infeasible - objective value 0.00000000
      0 x_0_0        0.090909091                       0
      1 x_0_1         0.90909091                       0
      2 x_1_0                0.5                       0
      3 x_1_1                  0                       0
      4 x_1_2                0.5                       0
