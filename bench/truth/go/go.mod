module overhead/truth

go 1.22
