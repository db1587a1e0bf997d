package main

import (
	"go/token"
	"go/types"
	"sort"
)

// Implementation is an interface type, or one of its methods, with what implements it.
type Implementation struct {
	Symbol *Symbol `json:"symbol"`
	// Declarations of types other than interfaces, or of their methods.
	Must []Position `json:"must"`
	// Interfaces that have all methods, and types with parameters, whose instances may implement the interface.
	May []Position `json:"may"`
}

type implemented struct {
	must map[Position]bool
	may  map[Position]bool
}

// implementations returns what `types.Implements` says about each interface and each type of the module, in every
// configuration.
func (m *module) implementations() []Implementation {
	byPos := map[token.Pos]*implemented{}
	for _, c := range m.configs {
		infos, _ := m.check(c, true)
		var named []*types.TypeName
		for _, info := range infos {
			for _, object := range info.Defs {
				if typeName, ok := object.(*types.TypeName); ok && !typeName.IsAlias() {
					if _, isParam := typeName.Type().(*types.TypeParam); !isParam {
						named = append(named, typeName)
					}
				}
			}
		}
		for _, abstract := range named {
			iface, ok := abstract.Type().Underlying().(*types.Interface)
			if !ok || iface.NumMethods() == 0 || !iface.IsMethodSet() || isGeneric(abstract) {
				continue
			}
			m.addImplementations(byPos, abstract, iface, named)
		}
	}
	found := []Implementation{}
	for _, symbol := range m.symbols() {
		ident := m.identAt(symbol.At)
		if known := byPos[ident.Pos()]; known != nil {
			found = append(found, Implementation{symbol, sorted(known.must), sorted(known.may)})
		}
	}
	sort.Slice(found, func(i, j int) bool { return less(found[i].Symbol.At, found[j].Symbol.At) })
	return found
}

func isGeneric(typeName *types.TypeName) bool {
	named, ok := typeName.Type().(*types.Named)
	return ok && named.TypeParams().Len() > 0
}

func (m *module) addImplementations(
	byPos map[token.Pos]*implemented, abstract *types.TypeName, iface *types.Interface, named []*types.TypeName,
) {
	record := func(of token.Pos, at token.Pos, isDoubtful bool) {
		if byPos[of] == nil {
			byPos[of] = &implemented{map[Position]bool{}, map[Position]bool{}}
		}
		position, ok := m.position(at)
		if !ok || of == at {
			return
		}
		if isDoubtful {
			byPos[of].may[position] = true
		} else {
			byPos[of].must[position] = true
		}
	}
	for _, candidate := range named {
		pointer := types.NewPointer(candidate.Type())
		if !types.Implements(candidate.Type(), iface) && !types.Implements(pointer, iface) {
			if isGeneric(candidate) {
				m.addGeneric(record, abstract, iface, candidate)
			}
			continue
		}
		isDoubtful := types.IsInterface(candidate.Type()) || isGeneric(candidate)
		record(abstract.Pos(), candidate.Pos(), isDoubtful)
		for index := range iface.NumMethods() {
			method := iface.Method(index)
			object, _, _ := types.LookupFieldOrMethod(pointer, true, candidate.Pkg(), method.Name())
			if types.IsInterface(candidate.Type()) {
				object, _, _ = types.LookupFieldOrMethod(candidate.Type(), true, candidate.Pkg(), method.Name())
			}
			if own, ok := object.(*types.Func); ok {
				isAbstract := types.IsInterface(own.Signature().Recv().Type())
				record(method.Pos(), own.Origin().Pos(), isDoubtful || isAbstract)
			}
		}
	}
}

// addGeneric allows a type with parameters that has methods of all names.
func (m *module) addGeneric(
	record func(token.Pos, token.Pos, bool), abstract *types.TypeName, iface *types.Interface, candidate *types.TypeName,
) {
	var methods []types.Object
	for index := range iface.NumMethods() {
		object, _, _ := types.LookupFieldOrMethod(
			types.NewPointer(candidate.Type()), true, candidate.Pkg(), iface.Method(index).Name())
		if _, ok := object.(*types.Func); !ok {
			return
		}
		methods = append(methods, object)
	}
	record(abstract.Pos(), candidate.Pos(), true)
	for index, object := range methods {
		record(iface.Method(index).Pos(), object.Pos(), true)
	}
}
