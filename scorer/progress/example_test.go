package progress_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/evaltest/go-evaltest/scorer"
	"github.com/evaltest/go-evaltest/scorer/progress"
)

func ExampleTo() {
	length := scorer.Func("length", func(_ context.Context, run scorer.Run) (*scorer.Result, error) {
		return &scorer.Result{Score: float64(len(run.Output[0].Text)), Scale: 100}, nil
	})
	_, err := scorer.RunEvals(context.Background(), scorer.Evals{
		Data:     scorer.JSONLines(strings.NewReader("{\"output\":\"a\"}\n{\"output\":\"abc\"}\n")),
		Scorers:  []scorer.Scorer{length},
		Progress: progress.To(os.Stdout, 2),
	})
	fmt.Println(err)
	// Output:
	// evals: 2 of 2 items, 0 errors, 0s
	// <nil>
}
