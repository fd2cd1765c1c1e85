Columns
    Index Status        Lower        Upper       Primal         Dual  Type        Name
        0                   0            1                            Integer     x_0_0
        1                   0            1                            Integer     x_0_1
        2                   0            1                            Integer     x_1_0
        3                   0            1                            Integer     x_1_1
        4                   0            1                            Integer     x_1_2
Rows
    Index Status        Lower        Upper       Primal         Dual  Name
        0                   1            1                            task_0
        1                   1            1                            task_1
        2                -inf           50                            host_0
        3                -inf           50                            host_1
        4                -inf           10                            host_2

Model status: Infeasible

Objective value: inf
