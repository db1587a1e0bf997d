// Reads a Go module with Go's own parser and type checker and prints, as JSON, its symbols and their references.
//
// Two oracles answer for each symbol. `uses` are the identifiers that the type checker resolves to the declaration, in
// any configuration. `renamed` is the result of an experiment: the declaration alone gets a fresh name, everything is
// type-checked again, the identifiers at the errors get the name too, until no error is left.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// Position is a place in a file of the module; line and column are 0-based, the column counts bytes.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Symbol is one declaration that a caller may ask about.
type Symbol struct {
	Name       string     `json:"name"`
	NamePath   string     `json:"namePath"`
	Kind       string     `json:"kind"`
	IsExported bool       `json:"isExported"`
	At         Position   `json:"at"`
	Uses       []Position `json:"uses"`
	// Of a method: the uses of methods that are linked to it by an interface.
	Related []Position `json:"related"`
	Renamed []Position `json:"renamed,omitempty"`
	// Why the experiment did not end, if it did not.
	Problem string `json:"problem,omitempty"`
}

func main() {
	if len(os.Args) < 5 {
		fail(fmt.Errorf("usage: main <module directory> <configurations> <packages> <file:line:name …> [deletions | implementations | errors | links]"))
	}
	module, err := load(os.Args[1], strings.Fields(os.Args[2]), strings.Fields(os.Args[3]))
	if err != nil {
		fail(err)
	}
	if len(os.Args) > 5 && os.Args[5] == "implementations" {
		write(module.implementations())
		return
	}
	if len(os.Args) > 5 && os.Args[5] == "links" {
		write(module.allLinks())
		return
	}
	if len(os.Args) > 5 && os.Args[5] == "errors" {
		writeErrors(module)
		return
	}
	symbols := module.symbols()
	isChosen := map[string]bool{}
	for _, at := range strings.Fields(os.Args[4]) {
		isChosen[at] = true
	}
	if len(isChosen) == 0 {
		write(symbols)
		return
	}
	if len(os.Args) > 5 {
		writeDeletions(module, symbols, isChosen)
		return
	}
	var chosen []*Symbol
	for _, symbol := range symbols {
		if isChosen[fmt.Sprintf("%s:%d:%s", symbol.At.File, symbol.At.Line, symbol.Name)] {
			// Interfaces, also those of other modules, demand the names of linked methods.
			if len(symbol.Related) == 0 {
				module.rename(symbol)
			}
			chosen = append(chosen, symbol)
		}
	}
	write(chosen)
}

func writeDeletions(module *module, symbols []*Symbol, isChosen map[string]bool) {
	deletions := []Deletion{}
	for _, symbol := range symbols {
		if isChosen[fmt.Sprintf("%s:%d:%s", symbol.At.File, symbol.At.Line, symbol.Name)] {
			deletions = append(deletions, module.deletion(symbol))
		}
	}
	write(deletions)
}

// writeErrors reads changes of single files from stdin and prints the errors of each.
func writeErrors(module *module) {
	var changes []Change
	if err := json.NewDecoder(os.Stdin).Decode(&changes); err != nil {
		fail(err)
	}
	results := [][]Problem{}
	for _, change := range changes {
		results = append(results, module.errorsAfter(change))
	}
	write(results)
}

func write(answer any) {
	encoder := json.NewEncoder(os.Stdout)
	if err := encoder.Encode(answer); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
