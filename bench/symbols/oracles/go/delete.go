package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Deletion says whether the module still type-checks without a declaration.
type Deletion struct {
	Name string   `json:"name"`
	At   Position `json:"at"`
	// Lines of the declaration with its comment, both included.
	FirstLine int `json:"firstLine"`
	LastLine  int `json:"lastLine"`
	// The first error without the declaration; empty if there is none.
	Problem string `json:"problem"`
}

// deletion removes the declaration from the syntax trees, type-checks everything, and puts it back. An import that
// only the declaration used is no error: a person removes it with the declaration.
func (m *module) deletion(symbol *Symbol) Deletion {
	result := Deletion{Name: symbol.Name, At: symbol.At}
	node, restore := m.remove(m.identAt(symbol.At))
	defer restore()
	if node == nil {
		result.Problem = "the declaration is only a part of its statement"
		return result
	}
	first, last := m.fset.Position(node.Pos()), m.fset.Position(node.End())
	result.FirstLine, result.LastLine = first.Line-1, last.Line-1
	for _, c := range m.configs {
		values := map[token.Pos]constant.Value{}
		infos, errs := m.check(c, true)
		for _, err := range errs {
			if !strings.Contains(err.Msg, "imported and not used") {
				result.Problem = fmt.Sprintf("%s: %s: %s", c.name, m.relative(err.Pos), err.Msg)
				return result
			}
		}
		for _, info := range m.infos {
			for ident, object := range info.Defs {
				if known, ok := object.(*types.Const); ok {
					values[ident.Pos()] = known.Val()
				}
			}
		}
		// The constants below count on with `iota`.
		for _, info := range infos {
			for ident, object := range info.Defs {
				known, ok := object.(*types.Const)
				if ok && !constant.Compare(known.Val(), token.EQL, values[ident.Pos()]) {
					result.Problem = fmt.Sprintf("%s: the value of `%s` changes", m.relative(ident.Pos()), ident.Name)
					return result
				}
			}
		}
	}
	return result
}

func (m *module) relative(pos token.Pos) string {
	at, _ := m.position(pos)
	return fmt.Sprintf("%s:%d", at.File, at.Line+1)
}

// remove takes the declaration of an identifier out of its file; the node is nil if other names share its statement.
func (m *module) remove(ident *ast.Ident) (ast.Node, func()) {
	file := m.files[m.fset.Position(ident.Pos()).Filename]
	for index, decl := range file.Decls {
		if decl.Pos() > ident.Pos() || ident.Pos() >= decl.End() {
			continue
		}
		general, isGeneral := decl.(*ast.GenDecl)
		if !isGeneral || (len(general.Specs) == 1 && isDeclaredBy(general.Specs[0], ident)) {
			before := file.Decls
			file.Decls = slices.Delete(slices.Clone(before), index, index+1)
			return decl, func() { file.Decls = before }
		}
		for index, spec := range general.Specs {
			if isDeclaredBy(spec, ident) {
				before := general.Specs
				general.Specs = slices.Delete(slices.Clone(before), index, index+1)
				return spec, func() { general.Specs = before }
			}
			if fields := fieldsAround(spec, ident); fields != nil {
				return removeField(fields, ident)
			}
		}
	}
	return nil, func() {}
}

// isDeclaredBy returns true if a specification declares this identifier and no other.
func isDeclaredBy(spec ast.Spec, ident *ast.Ident) bool {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return spec.Name == ident
	case *ast.ValueSpec:
		return len(spec.Names) == 1 && spec.Names[0] == ident
	}
	return false
}

// fieldsAround returns the fields or methods of a type that contain the identifier directly.
func fieldsAround(spec ast.Spec, ident *ast.Ident) *ast.FieldList {
	typed, ok := spec.(*ast.TypeSpec)
	if !ok {
		return nil
	}
	var found *ast.FieldList
	ast.Inspect(typed.Type, func(node ast.Node) bool {
		if list, ok := node.(*ast.FieldList); ok {
			for _, field := range list.List {
				if slices.Contains(field.Names, ident) {
					found = list
				}
			}
		}
		return found == nil
	})
	return found
}

func removeField(fields *ast.FieldList, ident *ast.Ident) (ast.Node, func()) {
	before := fields.List
	for index, field := range before {
		if len(field.Names) == 1 && field.Names[0] == ident {
			fields.List = slices.Delete(slices.Clone(before), index, index+1)
			return field, func() { fields.List = before }
		}
	}
	return nil, func() {}
}
