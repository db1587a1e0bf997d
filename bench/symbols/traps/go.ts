import type { TrapWorkspace } from '../model.ts';

/** Traps of Go: one package per difficulty. */
export const goTraps: TrapWorkspace = {
  files: {
    'go.mod': 'module example.com/traps\n\ngo 1.21\n',

    // Methods of one name on several types.
    'overloads/shapes.go': `package overloads

type Circle struct{ r int }

func (c Circle) Area() int { return c.r } // !overload

type Square struct{ a int }

func (s Square) Area() int { return s.a }

func Sum(c Circle, s Square) int {
	return c.Area() + // @overload
		s.Area()
}
`,

    'equal/first/price.go': `package first

func Price() int { return 1 } // !equal

func Double() int { return 2 * Price() } // @equal
`,
    'equal/second/price.go': `package second

func Price() int { return 2 }

func Double() int { return 2 * Price() }
`,
    'equal/use.go': `package equal

import (
	"example.com/traps/equal/first"
	other "example.com/traps/equal/second"
)

var Total = first.Price() + // @equal
	other.Price()
`,

    'alias/inner/basket.go': `package inner

type Basket struct{ Items []string } // !alias

func New() *Basket { return &Basket{} } // @alias
`,
    'alias/basket.go': `package alias

import renamed "example.com/traps/alias/inner"

type Basket = renamed.Basket // @alias

func Empty() Basket { return Basket{} } // ?alias
`,

    'generics/list.go': `package generics

type List[T any] struct{ items []T }

func (l *List[T]) Push(item T) { l.items = append(l.items, item) } // !generic

func Map[T, U any](items []T, change func(T) U) []U { return nil } // !generic-function

func Use() {
	numbers := List[int]{}
	numbers.Push(1) // @generic
	names := &List[string]{}
	names.Push("a") // @generic
	push := names.Push // @generic
	push("b")
	Map(numbers.items, func(n int) string { return "" }) // @generic-function
	Map[int, string](nil, nil) // @generic-function
}
`,

    'dispatch/store.go': `package dispatch

type Store interface { // !dispatch
	Save(key string) error // !dispatch-method
}

type Memory struct{} // @dispatch

func (*Memory) Save(key string) error { return nil } // @dispatch-method

type base struct{} // @dispatch

func (base) Save(key string) error { return nil } // @dispatch-method

type Embedded struct { // @dispatch
	base
}

type Other struct{}

func (Other) Save(key int) error { return nil }
`,
    'dispatch/remote/remote.go': `package remote

type Remote struct{} // @dispatch

func (r Remote) Save(key string) error { return nil } // @dispatch-method
`,

    'tags/open.go': `package tags

func Open() int { return limit() } // !tags

func Twice() int { return Open() + Open() } // @tags
`,
    'tags/limit_linux.go': 'package tags\n\nfunc limit() int { return 1 }\n',
    'tags/limit_windows.go': `package tags

func limit() int { return 2 }

func onWindows() int { return Open() } // @tags
`,
    'tags/extra.go': `//go:build extra

package tags

var extra = Open() // @tags
`,
    'tags/limit_other.go': '//go:build !linux && !windows\n\npackage tags\n\nfunc limit() int { return 3 }\n',

    'generated/model.go': `package generated

type Model struct{ Name string } // !generated

func (m Model) Title() string { return m.Name } // @generated
`,
    'generated/zz_generated.go': `// Code generated for a trap. DO NOT EDIT.

package generated

func (in Model) Copy() Model { // @generated
	return Model{Name: in.Name} // @generated
}
`,

    'crlf/text.go':
      'package crlf\r\n\r\n// ä 𝒳\r\nfunc Trim(text string) string { return text } // !crlf\r\n\r\nvar a = "𝒳" + Trim("ä") // @crlf\r\n',
    'crlf/bom.go': '\uFEFFpackage crlf\n\nvar b = Trim("b") + Trim("c") // @crlf\n',

    'shadowed/total.go': `package shadowed

func total() int { return 1 } // !shadowed

func Sum(total int) int { return total }

func All() int {
	first := total() // @shadowed
	{
		total := 2
		first += total
	}
	return first
}
`,

    'changed/count.go': `package changed

func Count() int { return 1 } // !changed
`,
    'changed/use.go': `package changed

var one = Count() // @changed
`,

    'broken/parts.go': 'package broken\n\nfunc Part(n int) int { return n } // !broken\n',
    'broken/use.go': 'package broken // !broken-use\n\nvar whole = Part(1)\n',

    'killed/used.go': `package killed

func Used() int { return 1 } // !killed

func User() int { return Used() } // @killed
`,
    'killed/other.go': 'package killed\n\nvar other = Used() + Used() // @killed\n',
  },
  traps: [
    { name: 'methods of one name', asks: 'references', mark: 'overload', namePath: 'Circle/Area' },
    { name: 'equal names in two packages', asks: 'references', mark: 'equal', namePath: 'Price' },
    { name: 'alias of a type in another package', asks: 'references', mark: 'alias', namePath: 'Basket' },
    { name: 'method of a generic type', asks: 'references', mark: 'generic', namePath: 'List/Push' },
    { name: 'generic function', asks: 'references', mark: 'generic-function', namePath: 'Map' },
    { name: 'interface dispatch', asks: 'implementations', mark: 'dispatch', namePath: 'Store' },
    {
      name: 'method of an interface',
      asks: 'implementations',
      mark: 'dispatch-method',
      namePath: 'Store/Save',
    },
    { name: 'build tags', asks: 'references', mark: 'tags', namePath: 'Open' },
    { name: 'generated file', asks: 'references', mark: 'generated', namePath: 'Model' },
    { name: 'CRLF, BOM and characters outside the BMP', asks: 'references', mark: 'crlf', namePath: 'Trim' },
    { name: 'shadowed name', asks: 'references', mark: 'shadowed', namePath: 'total' },
    {
      name: 'file changed between two calls',
      asks: 'references',
      mark: 'changed',
      namePath: 'Count',
      rewritten: {
        'changed/use.go':
          'package changed\n\n// A further line.\nvar two = Count() + 1 // @changed\n\nvar three = Count() // @changed\n',
      },
    },
    {
      name: 'declaration moved between two calls',
      asks: 'references',
      mark: 'changed',
      namePath: 'Count',
      rewritten: {
        'changed/count.go': 'package changed\n\nvar before = 0\n\nfunc Count() int { return before } // !changed\n',
      },
    },
    {
      name: 'error in another file than the changed one',
      asks: 'diagnostics',
      mark: 'broken-use',
      rewritten: {
        'broken/parts.go': 'package broken\n\nfunc Part(n string) string { return n }\n',
        'broken/use.go': 'package broken // !broken-use\n\nvar whole = Part(1) // @broken-use\n',
      },
    },
    { name: 'server killed during the call', asks: 'references', mark: 'killed', namePath: 'Used', killsServer: true },
  ],
};
