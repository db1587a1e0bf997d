package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"path/filepath"
	"strings"
)

// Change is another content of one file; the path is relative to the module.
type Change struct {
	File string `json:"file"`
	Text string `json:"text"`
}

// Problem is an error of the parser or the type checker; the line is 0-based.
type Problem struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// errorsAfter parses and type-checks the module with one changed file, in every configuration. After a syntax error
// nothing is type-checked, as in the compiler.
func (m *module) errorsAfter(change Change) []Problem {
	path := filepath.Join(m.root, filepath.FromSlash(change.File))
	old := m.files[path]
	if old == nil {
		return []Problem{}
	}
	changed, err := parser.ParseFile(m.fset, path, change.Text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return syntaxProblems(change, err)
	}
	m.replace(old, changed)
	defer m.replace(changed, old)
	seen := map[Problem]bool{}
	problems := []Problem{}
	for _, c := range m.configs {
		_, errs := m.check(c, false)
		for _, err := range errs {
			at, ok := m.position(err.Pos)
			problem := Problem{at.File, at.Line, err.Msg}
			// A message that begins with a tab belongs to the one before it.
			if ok && !seen[problem] && !strings.HasPrefix(err.Msg, "\t") {
				seen[problem] = true
				problems = append(problems, problem)
			}
		}
	}
	return problems
}

func syntaxProblems(change Change, err error) []Problem {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return []Problem{{change.File, 0, err.Error()}}
	}
	problems := []Problem{}
	for _, one := range list {
		problems = append(problems, Problem{change.File, one.Pos.Line - 1, one.Msg})
	}
	return problems
}

func (m *module) replace(old *ast.File, changed *ast.File) {
	for _, c := range m.configs {
		for _, u := range c.units {
			for index, file := range u.files {
				if file == old {
					u.files[index] = changed
				}
			}
		}
	}
}
