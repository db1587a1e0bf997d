package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"slices"
	"sort"
	"strings"
	"unicode/utf16"
)

// Link is a name and what it leads to: places in the module, or qualified names of what others declare.
type Link struct {
	// `use`, or `override` of a method that implements one of an interface.
	Kind string   `json:"kind"`
	At   Position `json:"at"`
	Name string   `json:"name"`
	To   []any    `json:"to"`
}

// packages whose interfaces are asked for where values have the type `any`.
var dynamic = []string{"fmt", "encoding", "encoding/json"}

type linker struct {
	m     *module
	lines map[string][]string
	links []Link
}

// allLinks returns what the type checker resolves every identifier to, and for each method the methods of interfaces
// that it implements: those of the module, of the packages that its package imports, and of `dynamic`.
func (m *module) allLinks() []Link {
	l := &linker{m: m, lines: map[string][]string{}, links: []Link{}}
	seen := map[string]bool{}
	for _, c := range m.configs {
		infos, _ := m.check(c, true)
		for _, info := range infos {
			for ident, object := range info.Uses {
				l.add("use", ident.Pos(), ident.Name, origin(object))
			}
		}
		l.overrides(c, infos)
	}
	unique := l.links[:0]
	for _, link := range l.links {
		key := link.Kind + l.text(link.At) + "\n" + l.text(link.To[0])
		if !seen[key] {
			seen[key] = true
			unique = append(unique, link)
		}
	}
	return unique
}

func (l *linker) text(target any) string {
	if at, ok := target.(Position); ok {
		return at.File + strings.Repeat(":", at.Line+1) + strings.Repeat("-", at.Column)
	}
	name, _ := target.(string)
	return name
}

func (l *linker) add(kind string, pos token.Pos, name string, object types.Object) {
	at, ok := l.position(pos)
	if !ok {
		return
	}
	if target, ok := l.position(object.Pos()); ok {
		l.links = append(l.links, Link{kind, at, name, []any{target}})
	} else if object.Pkg() != nil || kind == "override" {
		l.links = append(l.links, Link{kind, at, name, []any{qualified(object)}})
	}
}

func qualified(object types.Object) string {
	if method, ok := object.(*types.Func); ok {
		return method.FullName()
	}
	return object.Pkg().Path() + "." + object.Name()
}

// position counts columns in UTF-16 code units.
func (l *linker) position(pos token.Pos) (Position, bool) {
	at, ok := l.m.position(pos)
	if !ok || !pos.IsValid() {
		return at, false
	}
	path := l.m.fset.Position(pos).Filename
	lines, known := l.lines[path]
	if !known {
		text, _ := os.ReadFile(path)
		lines = strings.Split(string(text), "\n")
		l.lines[path] = lines
	}
	if at.Line < len(lines) && at.Column <= len(lines[at.Line]) {
		at.Column = len(utf16.Encode([]rune(lines[at.Line][:at.Column])))
	}
	return at, true
}

type abstraction struct {
	iface *types.Interface
	// The packages that import it; empty for all.
	by map[string]bool
}

func (l *linker) overrides(c *config, infos []*types.Info) {
	var named []*types.TypeName
	var abstractions []abstraction
	imported := map[*types.Package]map[string]bool{}
	for _, info := range infos {
		for _, object := range info.Defs {
			if typeName, ok := object.(*types.TypeName); ok && !typeName.IsAlias() {
				if _, isParam := typeName.Type().(*types.TypeParam); !isParam {
					named = append(named, typeName)
					for _, other := range typeName.Pkg().Imports() {
						if imported[other] == nil {
							imported[other] = map[string]bool{}
						}
						imported[other][typeName.Pkg().Path()] = true
					}
				}
			}
		}
		for expression, typed := range info.Types {
			if _, ok := expression.(*ast.InterfaceType); ok {
				if iface, ok := typed.Type.Underlying().(*types.Interface); ok {
					abstractions = append(abstractions, abstraction{iface, nil})
				}
			}
		}
	}
	for _, path := range dynamic {
		if other, err := c.foreign.Import(path); err == nil {
			imported[other] = nil
		}
	}
	own := map[string]bool{}
	for _, u := range c.units {
		own[strings.Fields(u.path)[0]] = true
	}
	for other, by := range imported {
		for _, name := range other.Scope().Names() {
			typeName, ok := other.Scope().Lookup(name).(*types.TypeName)
			if !ok || !typeName.Exported() || own[other.Path()] {
				continue
			}
			if iface, ok := typeName.Type().Underlying().(*types.Interface); ok {
				abstractions = append(abstractions, abstraction{iface, by})
			}
		}
	}
	if iface, ok := types.Universe.Lookup("error").Type().Underlying().(*types.Interface); ok {
		abstractions = append(abstractions, abstraction{iface, nil})
	}
	sort.Slice(named, func(i, j int) bool { return named[i].Pos() < named[j].Pos() })
	for _, candidate := range named {
		if types.IsInterface(candidate.Type()) {
			continue
		}
		pointer := types.NewPointer(candidate.Type())
		for _, abstract := range abstractions {
			if abstract.iface.NumMethods() == 0 || !abstract.iface.IsMethodSet() {
				continue
			}
			if abstract.by != nil && !abstract.by[candidate.Pkg().Path()] {
				continue
			}
			if types.Implements(candidate.Type(), abstract.iface) || types.Implements(pointer, abstract.iface) {
				l.implement(pointer, candidate, abstract.iface)
			}
		}
	}
}

func (l *linker) implement(pointer *types.Pointer, candidate *types.TypeName, iface *types.Interface) {
	for method := range slices.Values(methodsOf(iface)) {
		object, _, _ := types.LookupFieldOrMethod(pointer, true, candidate.Pkg(), method.Name())
		own, ok := object.(*types.Func)
		if ok && !types.IsInterface(own.Signature().Recv().Type()) {
			l.add("override", own.Origin().Pos(), method.Name(), method.Origin())
		}
	}
}

func methodsOf(iface *types.Interface) []*types.Func {
	methods := make([]*types.Func, iface.NumMethods())
	for index := range methods {
		methods[index] = iface.Method(index)
	}
	return methods
}
