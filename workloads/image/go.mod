module pictures

go 1.26.0

ignore ./node_modules

require (
	github.com/nfnt/resize v0.0.0-20180221191011-83c6a9932646
	go.uber.org/automaxprocs v1.6.0
	golang.org/x/image v0.47.0
)
