package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"
)

const maxRounds = 40

// symbols returns the declarations at package level, with fields and methods of types, and their direct uses.
func (m *module) symbols() []*Symbol {
	byPos := map[token.Pos]*Symbol{}
	uses := map[token.Pos]map[Position]bool{}
	for _, info := range m.infos {
		for ident, object := range info.Defs {
			if object == nil || byPos[ident.Pos()] != nil {
				continue
			}
			if symbol := m.describe(ident, object, info); symbol != nil {
				byPos[ident.Pos()] = symbol
			}
		}
		for ident, object := range info.Uses {
			if at, ok := m.position(ident.Pos()); ok {
				pos := origin(object).Pos()
				if uses[pos] == nil {
					uses[pos] = map[Position]bool{}
				}
				uses[pos][at] = true
			}
		}
	}
	linked := m.methodsByName()
	var found []*Symbol
	for pos, symbol := range byPos {
		symbol.Uses = sorted(uses[pos])
		symbol.Related = []Position{}
		if symbol.Kind == "method" || symbol.Kind == "interface method" {
			symbol.Related = without(sorted(linked[symbol.Name]), symbol)
		}
		found = append(found, symbol)
	}
	sort.Slice(found, func(i, j int) bool { return less(found[i].At, found[j].At) })
	return found
}

// origin returns the generic declaration of an instantiated function, method or field.
func origin(object types.Object) types.Object {
	switch object := object.(type) {
	case *types.Func:
		return object.Origin()
	case *types.Var:
		return object.Origin()
	}
	return object
}

// describe returns nil for locals, parameters, imports, and what has no name.
func (m *module) describe(ident *ast.Ident, object types.Object, info *types.Info) *Symbol {
	at, ok := m.position(ident.Pos())
	if !ok || ident.Name == "_" || ident.Name == "init" || ident.Name == "main" {
		return nil
	}
	symbol := &Symbol{Name: ident.Name, NamePath: ident.Name, IsExported: ast.IsExported(ident.Name), At: at}
	isTop := object.Pkg() != nil && object.Parent() == object.Pkg().Scope()
	switch object := object.(type) {
	case *types.Func:
		symbol.Kind = "function"
		if receiver := object.Signature().Recv(); receiver != nil {
			owner := m.ownerName(receiver.Type(), ident.Pos())
			if owner == "" {
				return nil
			}
			symbol.Kind = "method"
			if types.IsInterface(receiver.Type()) {
				symbol.Kind = "interface method"
			}
			symbol.NamePath = owner + "/" + ident.Name
		}
	case *types.TypeName:
		symbol.Kind = "type"
	case *types.Const:
		symbol.Kind = "constant"
	case *types.Var:
		symbol.Kind = "variable"
		if object.IsField() {
			owner := m.structAt(ident.Pos(), info)
			if owner == "" || object.Embedded() {
				return nil
			}
			symbol.Kind = "field"
			symbol.NamePath = owner + "/" + ident.Name
			isTop = true
		}
	default:
		return nil
	}
	if !isTop && symbol.Kind != "method" && symbol.Kind != "interface method" {
		return nil
	}
	return symbol
}

func (m *module) ownerName(receiver types.Type, at token.Pos) string {
	if pointer, ok := receiver.(*types.Pointer); ok {
		receiver = pointer.Elem()
	}
	named, ok := receiver.(*types.Named)
	if !ok || named.Obj().Parent() != named.Obj().Pkg().Scope() {
		return ""
	}
	return named.Obj().Name()
}

// structAt returns the name of the package-level struct type that declares a field directly.
func (m *module) structAt(at token.Pos, info *types.Info) string {
	for _, file := range m.files {
		if file.FileStart > at || at > file.FileEnd {
			continue
		}
		for _, decl := range file.Decls {
			general, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range general.Specs {
				typed, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				body, ok := typed.Type.(*ast.StructType)
				if !ok {
					continue
				}
				for _, field := range body.Fields.List {
					for _, name := range field.Names {
						if name.Pos() == at {
							return typed.Name.Name
						}
					}
				}
			}
		}
	}
	return ""
}

// methodsByName returns the declarations and uses of all methods of each name, those of other modules included: an
// interface may link them, so that a change of one name demands the others. Names alone decide, so that too many are
// linked rather than too few.
func (m *module) methodsByName() map[string]map[Position]bool {
	byName := map[string]map[Position]bool{}
	add := func(ident *ast.Ident, object types.Object) {
		method, ok := object.(*types.Func)
		if !ok || method.Signature().Recv() == nil {
			return
		}
		if at, ok := m.position(ident.Pos()); ok {
			if byName[ident.Name] == nil {
				byName[ident.Name] = map[Position]bool{}
			}
			byName[ident.Name][at] = true
		}
	}
	for _, info := range m.infos {
		for ident, object := range info.Defs {
			add(ident, object)
		}
		for ident, object := range info.Uses {
			add(ident, object)
		}
	}
	return byName
}

// without returns the positions that are neither the symbol's declaration nor a direct use of it.
func without(positions []Position, symbol *Symbol) []Position {
	isOwn := map[Position]bool{symbol.At: true}
	for _, at := range symbol.Uses {
		isOwn[at] = true
	}
	others := []Position{}
	for _, at := range positions {
		if !isOwn[at] {
			others = append(others, at)
		}
	}
	return others
}

// rename runs the experiment and leaves the module as it was.
func (m *module) rename(symbol *Symbol) {
	start := m.identAt(symbol.At)
	fresh := symbol.Name + "Zq9"
	renamed := map[*ast.Ident]bool{start: true}
	start.Name = fresh
	defer func() {
		for ident := range renamed {
			ident.Name = symbol.Name
		}
	}()
	for round := 0; round < maxRounds; round++ {
		count := len(renamed)
		var last *types.Error
		for _, c := range m.configs {
			_, errs := m.check(c, false)
			for _, err := range errs {
				last = &err
				ident := m.idents[err.Pos]
				if ident != nil && ident.Name == symbol.Name {
					renamed[ident] = true
				} else if ident != nil && ident.Name == fresh && err.Msg == "undefined: "+fresh {
					m.addSiblings(ident, symbol.Name, renamed)
				}
			}
			for ident := range renamed {
				ident.Name = fresh
			}
		}
		if last == nil {
			break
		}
		if len(renamed) == count {
			symbol.Problem = fmt.Sprintf("%s: %s", m.fset.Position(last.Pos), last.Msg)
			break
		}
	}
	all := map[Position]bool{}
	for ident := range renamed {
		if at, ok := m.position(ident.Pos()); ok && ident != start {
			all[at] = true
		}
	}
	symbol.Renamed = sorted(all)
}

// addSiblings adds the declarations that a renamed use has in other configurations.
func (m *module) addSiblings(use *ast.Ident, name string, renamed map[*ast.Ident]bool) {
	for _, info := range m.infos {
		if object := info.Uses[use]; object != nil {
			if ident := m.idents[origin(object).Pos()]; ident != nil && ident.Name == name {
				renamed[ident] = true
			}
		}
	}
}

func (m *module) identAt(at Position) *ast.Ident {
	for pos, ident := range m.idents {
		if found, ok := m.position(pos); ok && found == at {
			return ident
		}
	}
	return nil
}

func sorted(set map[Position]bool) []Position {
	list := make([]Position, 0, len(set))
	for at := range set {
		list = append(list, at)
	}
	sort.Slice(list, func(i, j int) bool { return less(list[i], list[j]) })
	return list
}

func less(a, b Position) bool {
	if a.File != b.File {
		return a.File < b.File
	}
	if a.Line != b.Line {
		return a.Line < b.Line
	}
	return a.Column < b.Column
}
