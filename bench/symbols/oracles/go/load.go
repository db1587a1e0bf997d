package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// listed is a package as `go list` prints it.
type listed struct {
	ImportPath string
	Name       string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string
	Export     string
	Module     *struct{ Main bool }
	Error      *struct{ Err string }
}

// unit is a package in one configuration, with or without its test files.
type unit struct {
	path      string
	files     []*ast.File
	importMap map[string]string
}

// config is the module under one operating system and set of build tags.
type config struct {
	name    string
	units   []*unit
	foreign types.ImporterFrom
}

type module struct {
	root string
	// Patterns of `go list`.
	packages []string
	fset     *token.FileSet
	files    map[string]*ast.File
	configs  []*config
	idents   map[token.Pos]*ast.Ident
	infos    []*types.Info
}

// load type-checks the module once in each configuration, which is `GOOS` or `GOOS,tag,tag`.
func load(root string, names []string, packages []string) (*module, error) {
	m := &module{
		root: root, packages: packages, fset: token.NewFileSet(),
		files: map[string]*ast.File{}, idents: map[token.Pos]*ast.Ident{},
	}
	for _, name := range names {
		c, err := m.loadConfig(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		m.configs = append(m.configs, c)
	}
	for _, file := range m.files {
		ast.Inspect(file, func(node ast.Node) bool {
			if ident, ok := node.(*ast.Ident); ok {
				m.idents[ident.Pos()] = ident
			}
			return true
		})
	}
	for _, c := range m.configs {
		infos, errs := m.check(c, true)
		if len(errs) > 0 {
			return nil, fmt.Errorf("%s: the module has errors: %v", c.name, errs[0])
		}
		m.infos = append(m.infos, infos...)
	}
	return m, nil
}

func (m *module) loadConfig(name string) (*config, error) {
	parts := strings.Split(name, ",")
	args := []string{"list", "-deps", "-test", "-export", "-json=ImportPath,Name,Dir,GoFiles,ImportMap,Export,Module,Error"}
	if len(parts) > 1 {
		args = append(args, "-tags="+strings.Join(parts[1:], ","))
	}
	command := exec.Command("go", append(args, m.packages...)...)
	command.Dir = m.root
	command.Env = append(os.Environ(), "GOOS="+parts[0], "GOARCH="+archOf(parts[0]), "CGO_ENABLED=0", "GOFLAGS=-mod=mod")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, stderr.String())
	}
	exports := map[string]string{}
	c := &config{name: name}
	decoder := json.NewDecoder(bytes.NewReader(output))
	for {
		var pkg listed
		if err := decoder.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if pkg.Error != nil {
			return nil, errors.New(pkg.Error.Err)
		}
		if pkg.Module == nil || !pkg.Module.Main {
			exports[pkg.ImportPath] = pkg.Export
		} else if !strings.HasSuffix(pkg.ImportPath, ".test") {
			u, err := m.parse(pkg)
			if err != nil {
				return nil, err
			}
			c.units = append(c.units, u)
		}
	}
	lookup := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	foreign, ok := importer.ForCompiler(m.fset, "gc", lookup).(types.ImporterFrom)
	if !ok {
		return nil, errors.New("the importer of compiled packages is not an ImporterFrom")
	}
	c.foreign = foreign
	return c, nil
}

func archOf(goos string) string {
	if goos == "js" || goos == "wasip1" {
		return "wasm"
	}
	return runtime.GOARCH
}

func (m *module) parse(pkg listed) (*unit, error) {
	u := &unit{path: pkg.ImportPath, importMap: pkg.ImportMap}
	for _, name := range pkg.GoFiles {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(pkg.Dir, name)
		}
		// One tree for all configurations: a renamed identifier is renamed in each.
		if m.files[path] == nil {
			file, err := parser.ParseFile(m.fset, path, nil, parser.SkipObjectResolution|parser.ParseComments)
			if err != nil {
				return nil, err
			}
			m.files[path] = file
		}
		u.files = append(u.files, m.files[path])
	}
	return u, nil
}

type unitImporter struct {
	own       map[string]*types.Package
	importMap map[string]string
	foreign   types.ImporterFrom
}

func (i unitImporter) Import(path string) (*types.Package, error) {
	if mapped, ok := i.importMap[path]; ok {
		path = mapped
	}
	if own, ok := i.own[path]; ok {
		return own, nil
	}
	return i.foreign.Import(path)
}

// check type-checks all packages of a configuration and returns all errors, not only the first of each package.
func (m *module) check(c *config, keepsInfo bool) ([]*types.Info, []types.Error) {
	own := map[string]*types.Package{}
	var infos []*types.Info
	var errs []types.Error
	for _, u := range c.units {
		conf := types.Config{
			Importer: unitImporter{own, u.importMap, c.foreign},
			Sizes:    types.SizesFor("gc", runtime.GOARCH),
			Error: func(err error) {
				var typed types.Error
				if errors.As(err, &typed) {
					errs = append(errs, typed)
				}
			},
		}
		var info *types.Info
		if keepsInfo {
			info = &types.Info{
				Defs:       map[*ast.Ident]types.Object{},
				Uses:       map[*ast.Ident]types.Object{},
				Implicits:  map[ast.Node]types.Object{},
				Selections: map[*ast.SelectorExpr]*types.Selection{},
				Types:      map[ast.Expr]types.TypeAndValue{},
			}
			infos = append(infos, info)
		}
		// The path of a test variant is `path [path.test]`; types of both would otherwise have equal names.
		pkg, _ := conf.Check(u.path, m.fset, u.files, info)
		own[u.path] = pkg
	}
	return infos, errs
}

func (m *module) position(pos token.Pos) (Position, bool) {
	at := m.fset.Position(pos)
	path, err := filepath.Rel(m.root, at.Filename)
	if err != nil || strings.HasPrefix(path, "..") {
		return Position{}, false
	}
	return Position{filepath.ToSlash(path), at.Line - 1, at.Column - 1}, true
}
