package scorer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"sync"
)

// Evals is a batch: items, what they are put to, and what scores the outcome.
type Evals struct {
	// Data gives the items, one at a time: what is done of them is let go, so
	// that memory does not grow with their number, but for 8 bytes a score. An
	// error beside an item marks that item, and the run goes on; one that wraps
	// ErrData ends it. JSONLines and CSV read such data.
	Data iter.Seq2[Item, error]
	// Target runs the system under test on an item; nil scores Item.Run as it
	// is.
	Target func(ctx context.Context, item Item) (Run, error)
	// Scorers score each run, one after the other. Each needs an ID of its own.
	Scorers []Scorer
	// Concurrency is how many items are worked on at once; 0 means 1.
	Concurrency int
	// Window is how many items may be under way, or done and waiting for a
	// slower one before them; 0 means four times Concurrency.
	Window int
	// OnItemComplete is told of each item, in the data's order and never two at
	// once. Its error stops the run.
	OnItemComplete func(ItemResult) error
	// Thresholds hold the mean of a scorer's scores, by the scorer's ID and in
	// its own scale.
	Thresholds map[string]Bound
	// Around runs once an item, and calls score once: for what must span the
	// item's target and scorers, such as a subtest or a trace.
	Around func(ctx context.Context, item Item, score func(context.Context) ItemResult) ItemResult
	// Progress is told how far the run is, after each item and at its end.
	Progress func(Progress)
	// Results names a file that gets a JSON line an item, as soon as it and all
	// before it are done. It is replaced, unless Resume is set: then what it
	// has a score of, by all scorers and of the very same item, is not asked
	// again, and counts. Lines of items with errors are dropped and these tried
	// again; those of items that the data no longer has stay and count for
	// nothing. Nothing else may write the file at the time.
	Results string
	Resume  bool
}

// Item is one row of data.
type Item struct {
	// ID names the item; RunEvals calls one that has none "item N", from 1.
	ID    string
	Input string
	// Run is what is scored where there is no Target.
	Run      Run
	Metadata map[string]any
}

// ItemResult is what came of an item.
type ItemResult struct {
	Item    Item
	Run     Run
	Results map[string]*Result // by the scorer's ID
	Err     error              // of the row or the target: no scorer was asked
	Errs    map[string]error   // of scorers, by ID
	// Skipped says that Around has left the item out; it counts nowhere.
	Skipped bool
}

// Failed reports whether the item has an error.
func (r ItemResult) Failed() bool { return r.Err != nil || len(r.Errs) > 0 }

// Progress is how far a run is.
type Progress struct {
	Done, Errors int
	End          bool // no more items come
}

// ErrData is wrapped by an error that ends the data before its end.
var ErrData = errors.New("the data ends before its end")

// RunEvals scores a batch. A row that cannot be read, a target or a scorer that
// fails, panics or ends its goroutine mark their item and the run goes on. On
// cancellation, and where OnItemComplete, the data or the results file fails,
// the summary has what was done, and the error says what ended the run. It
// returns when all that it has started has returned.
func RunEvals(ctx context.Context, e Evals) (*Summary, error) {
	if err := e.check(); err != nil {
		return nil, fmt.Errorf("evals: %w", err)
	}
	e.Concurrency = cmp.Or(e.Concurrency, 1)
	e.Window = max(cmp.Or(e.Window, 4*e.Concurrency), e.Concurrency)
	c := newCollector(e)
	done, file, err := openResults(e)
	if err != nil {
		return nil, fmt.Errorf("evals: results: %w", err)
	}
	defer file.close()
	c.file = file
	err = c.collect(ctx, &producer{Evals: e, done: done, room: make(chan struct{}, e.Window), out: make(chan outcome, e.Window)})
	return c.summary(), err
}

func (e Evals) check() error {
	switch {
	case e.Data == nil:
		return errors.New("there is no Data")
	case len(e.Scorers) == 0:
		return errors.New("there are no Scorers")
	case e.Concurrency < 0 || e.Window < 0:
		return fmt.Errorf("neither Concurrency %d nor Window %d may be negative", e.Concurrency, e.Window)
	case e.Resume && e.Results == "":
		return errors.New("there is no file to Resume from: name it in Results")
	}
	known := map[string]bool{}
	for i, s := range e.Scorers {
		if s == nil {
			return fmt.Errorf("one of the scorers is nil: Scorers[%d]", i)
		}
		if known[s.ID()] {
			return fmt.Errorf("two scorers have the ID %q: give one of them another", s.ID())
		}
		known[s.ID()] = true
	}
	for id, bound := range e.Thresholds {
		if !known[id] {
			return fmt.Errorf("a threshold is for %q, which is the ID of no scorer", id)
		}
		if err := bound.Check(math.Inf(1)); err != nil { // the scale is known with a result
			return fmt.Errorf("threshold of %s: %w", id, err)
		}
	}
	return nil
}

// outcome is what came of the item with that number, from 0.
type outcome struct {
	number  int
	key     itemKey
	result  ItemResult
	resumed []scored // its scores, where an earlier run has done it
}

// producer reads the data and works on items, as many at once as may be.
type producer struct {
	Evals
	done resumed
	room chan struct{} // taken by an item until it has been collected
	out  chan outcome  // has room for all that take room
	err  error         // why the data ended early; set before out is closed
}

// produce ends when all items are out, or ctx ends.
func (p *producer) produce(ctx context.Context) {
	defer close(p.out)
	var working sync.WaitGroup
	defer working.Wait()
	p.err = guard("the data", func() error { return p.read(ctx, &working) })
}

func (p *producer) read(ctx context.Context, working *sync.WaitGroup) error {
	workers := make(chan struct{}, p.Concurrency)
	number := 0
	for item, err := range p.Data {
		if errors.Is(err, ErrData) {
			return err
		}
		if !take(ctx, p.room) {
			return nil
		}
		item.ID = cmp.Or(item.ID, fmt.Sprintf("item %d", number+1))
		o := outcome{number: number, result: ItemResult{Item: item, Err: err}}
		number++
		if err == nil && p.Results != "" {
			o.key, o.result.Err = keyOf(item)
		}
		if o.result.Err == nil {
			o.resumed = p.done.take(o.key)
		}
		if o.result.Err != nil || o.resumed != nil {
			p.out <- o
			continue
		}
		if !take(ctx, workers) {
			return nil
		}
		working.Go(func() {
			o.result = p.work(ctx, item)
			<-workers
			p.out <- o
		})
	}
	return nil
}

// take takes a place, unless ctx ends first.
func take(ctx context.Context, places chan struct{}) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// collector takes in outcomes in the data's order.
type collector struct {
	Evals
	file     *resultsFile
	tallies  map[string]*tally
	progress Progress
	total    Summary
}

func newCollector(e Evals) *collector {
	c := &collector{Evals: e, tallies: map[string]*tally{}}
	for _, s := range e.Scorers {
		c.tallies[s.ID()] = &tally{}
	}
	return c
}

// collect sets p to work and takes in what it gives.
func (c *collector) collect(caller context.Context, p *producer) error {
	ctx, stop := context.WithCancel(caller)
	go p.produce(ctx)
	defer func() { // all that was started returns before we do, also where a callback panics
		stop()
		for range p.out {
			<-p.room
		}
	}()
	waiting := map[int]outcome{}
	next := 0
	for o := range p.out {
		waiting[o.number] = o
		for o, ok := waiting[next]; ok; o, ok = waiting[next] {
			delete(waiting, next)
			next++
			<-p.room
			if err := c.take(ctx, o); err != nil {
				return fmt.Errorf("evals: item %q: %w", o.result.Item.ID, err)
			}
		}
	}
	if c.Progress != nil {
		c.progress.End = true
		c.Progress(c.progress)
	}
	switch {
	case caller.Err() != nil:
		return caller.Err()
	case p.err != nil:
		return fmt.Errorf("evals: %w", p.err)
	}
	return nil
}

// take counts one item and tells of it.
func (c *collector) take(ctx context.Context, o outcome) error {
	r := o.result
	switch {
	case o.resumed != nil:
		return c.resume(o.resumed)
	case r.Skipped, r.Failed() && ctx.Err() != nil: // it was cut short, and is not done
		return nil
	}
	if err := c.count(r); err != nil {
		return err
	}
	if err := c.file.write(o.key, r); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	if c.OnItemComplete != nil {
		if err := c.OnItemComplete(r); err != nil {
			return fmt.Errorf("OnItemComplete: %w", err)
		}
	}
	if c.Progress != nil {
		c.Progress(c.progress)
	}
	return nil
}

func (c *collector) count(r ItemResult) error {
	c.total.Items++
	c.progress.Done++
	if r.Failed() {
		c.total.Errors++
		c.progress.Errors++
	}
	for _, s := range c.Scorers {
		result := r.Results[s.ID()]
		if result == nil {
			c.tallies[s.ID()].errors++
			continue
		}
		if err := c.add(s.ID(), result.Score, cmp.Or(result.Scale, 1)); err != nil {
			return err
		}
		c.total.Calls += result.Calls
		c.total.Usage.add(result.Usage)
	}
	return nil
}

// add counts a score, whose scale must be the scorer's and hold its threshold.
func (c *collector) add(id string, score, scale float64) error {
	if bound, ok := c.Thresholds[id]; ok {
		if err := bound.Check(scale); err != nil {
			return fmt.Errorf("threshold of %s: %w", id, err)
		}
	}
	return c.tallies[id].add(id, score, scale)
}

// resume counts an item of an earlier run.
func (c *collector) resume(scores []scored) error {
	c.total.Items++
	c.total.Resumed++
	c.progress.Done++
	for i, s := range c.Scorers {
		if err := c.add(s.ID(), scores[i].score, scores[i].scale); err != nil {
			return fmt.Errorf("results: %s: %w", c.Results, err)
		}
	}
	return nil
}

func (c *collector) summary() *Summary {
	s := c.total
	s.Scores, s.Verdicts = map[string]Stats{}, map[string]string{}
	for id, t := range c.tallies {
		s.Scores[id] = t.stats()
		if bound, ok := c.Thresholds[id]; ok {
			s.Verdicts[id] = t.verdict(bound)
		}
	}
	return &s
}
