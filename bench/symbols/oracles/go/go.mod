module symbench

go 1.24
