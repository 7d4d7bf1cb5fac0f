// Decodes a TestRun into the operator's own type, and fails for a field that it does not know.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/grafana/k6-operator/api/v1alpha1"
	"sigs.k8s.io/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	run := v1alpha1.TestRun{}
	if err == nil {
		err = yaml.UnmarshalStrict(text, &run)
	}
	if err == nil {
		_, err = run.Spec.ParseScript()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(run.Spec.Parallelism, run.Spec.Script.ConfigMap.File, len(run.Spec.Runner.Env))
}
