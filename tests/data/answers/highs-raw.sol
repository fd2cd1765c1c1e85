Model status
Optimal

# Primal solution values
Feasible
Objective 55
# Columns 6
makespan 55
x_0_0 0
x_0_1 1
x_1_0 1
x_1_1 0
x_1_2 0
# Rows 5
task_0 1
task_1 1
host_0 -25
host_1 0
host_2 -55

# Dual solution values
None

# Basis
HiGHS_basis_file v2
None
