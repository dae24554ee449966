from qlc.grammar._interim import SyntaxProblem, parse, print_condition, print_group, print_measure, print_path, print_program, print_value
