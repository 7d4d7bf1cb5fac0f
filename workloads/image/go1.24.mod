module pictures

go 1.24.0
