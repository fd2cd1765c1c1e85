Columns
    Index Status        Lower        Upper       Primal         Dual  Type        Name
        0                   0          inf           55               Continuous  makespan
        1                   0            1            0               Integer     x_0_0
        2                   0            1            1               Integer     x_0_1
        3                   0            1            1               Integer     x_1_0
        4                   0            1           -0               Integer     x_1_1
        5                   0            1           -0               Integer     x_1_2
Rows
    Index Status        Lower        Upper       Primal         Dual  Name
        0                   1            1            1               task_0
        1                   1            1            1               task_1
        2                -inf            0          -25               host_0
        3                -inf            0            0               host_1
        4                -inf          -40          -55               host_2

Model status: Optimal

Objective value: 55
