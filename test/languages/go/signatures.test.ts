import { beforeAll, describe, expect } from 'bun:test';
import { go } from '../../../src/languages/go/servers.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { openSignatures } from '../../support/language-tests/signatures.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';

const timeoutMs = 300_000;
const compile = ['go', 'vet', './...'] as const;

const files = {
  'go.mod': 'module example.org/shop\n\ngo 1.22\n',
  'store/store.go': `package store

// Store stores.
type Store interface {
	Get(key string, depth int) ([]string, error)
	Put(string, int) error
}

type Memory struct{}

// Get gets the key.
func (m *Memory) Get(key string, depth int) ([]string, error) {
	if depth > 1 {
		return m.Get(key, depth-1)
	}
	return []string{key}, nil
}

func (m *Memory) Put(key string, n int) error { return nil }

type Lazy struct{ Memory }

func (Lazy) Get(k string, d int) ([]string, error) { return nil, nil }

func Sum(a, b int, rest ...int) int {
	return a - b + len(rest)
}

func Map[T, U any](items []T, f func(T) U) []U {
	var out []U
	for _, one := range items {
		out = append(out, f(one))
	}
	return out
}

func pair() (int, int) { return 1, 2 }

var Total = Sum(pair())
`,
  'main.go': `package main

import (
	"fmt"

	s "example.org/shop/store"
)

type other struct{}

func (other) Get(key string) string { return key }

func main() {
	m := &s.Memory{}
	var st s.Store = m
	a, _ := st.Get("a, (b", 2)
	b, _ := m.Get(
		"x", // the key
		s.Sum(1, 2),
	)
	f := m.Get
	g := (*s.Memory).Get
	h, _ := (*s.Memory).Get(m, "q", 3)
	fmt.Println(a, b, h, other{}.Get("z"), s.Sum(1, s.Sum(3, 4), 5, 6), s.Sum(1, 2, []int{1}...))
	fmt.Println(s.Map([]int{1}, func(i int) string { return fmt.Sprint(i) }), s.Map[int, int](nil, nil))
	_, _ = f, g
	defer st.Put("x", 1)
}
`,
};

type Change = Readonly<Record<string, string | readonly string[]>>;

const of = (namePath: string, ...changes: Change[]) => ({ namePath, file: 'store/store.go', changes });

describe('change_signature in Go', () => {
  const whyNot = whyNoGo();
  const test = testUnless(whyNot);
  beforeAll(async () => {
    if (whyNot === undefined) await install(go);
  }, installTimeoutMs);

  test(
    'changes the methods of an interface and of what implements it, and calls by the type',
    async () => {
      const project = await openSignatures(files);
      const change = { add: 'wait bool', value: 'len("a)") > 1', before: 'depth' };
      const answer = await project.change(of('Store/Get', change, { rename: 'depth', to: 'level' }));
      expect(answer).toContain(
        'it is used without a call:\n    main.go:21: f := m.Get\n    main.go:22: g := (*s.Memory).Get',
      );
      expect(project.lines('store/store.go', /Get\(|level/)).toEqual([
        'Get(key string, wait bool, level int) ([]string, error)',
        'func (m *Memory) Get(key string, wait bool, level int) ([]string, error) {',
        'if level > 1 {',
        'return m.Get(key, wait, level-1)',
        'func (Lazy) Get(k string, wait bool, d int) ([]string, error) { return nil, nil }',
      ]);
      expect(project.lines('main.go', /\(m, "q"|st\.Get|func .*Get/)).toEqual([
        'func (other) Get(key string) string { return key }',
        'a, _ := st.Get("a, (b", len("a)") > 1, 2)',
        'h, _ := (*s.Memory).Get(m, "q", len("a)") > 1, 3)',
      ]);
      expect(project.read('main.go')).toContain(
        'm.Get(\n\t\t"x", // the key\n\t\tlen("a)") > 1,\n\t\ts.Sum(1, 2),\n\t)',
      );
      project.expectCompiles(compile);
    },
    timeoutMs,
  );

  test(
    'gives parameters without names none, and those of one type their own',
    async () => {
      const project = await openSignatures(files);
      await project.change(of('Store/Put', { add: 'wait bool', value: 'true' }));
      const answer = await project.change(of('Sum', { order: ['b', 'a'] }));
      expect(project.lines('store/store.go', /Put|Sum/)).toEqual([
        'Put(string, int, bool) error',
        'func (m *Memory) Put(key string, n int, wait bool) error { return nil }',
        'func Sum(b int, a int, rest ...int) int {',
        'var Total = Sum(pair())',
      ]);
      expect(answer).toContain('it passes no `b`:\n    store/store.go:38: var Total = Sum(pair())');
      expect(project.lines('main.go', /Sum|Put/)).toEqual([
        's.Sum(2, 1),',
        'fmt.Println(a, b, h, other{}.Get("z"), s.Sum(s.Sum(4, 3), 1, 5, 6), s.Sum(2, 1, []int{1}...))',
        'defer st.Put("x", 1, true)',
      ]);
      await project.change(of('Map', { order: ['f', 'items'] }));
      expect(project.read('store/store.go')).toContain('func Map[T, U any](f func(T) U, items []T) []U {');
      project.expectCompiles(compile);
    },
    timeoutMs,
  );

  test(
    'adds imports, and passes on in overrides what they get',
    async () => {
      const project = await openSignatures({
        'go.mod': files['go.mod'],
        'store/store.go': `package store

type Store interface {
	Fetch(key string) string
}

type Memory struct{}

func (Memory) Fetch(key string) string { return key }

type Cache struct{ below Store }

func (c Cache) Fetch(key string) string { return c.below.Fetch(key) }

func Of(s Store) Cache { return Cache{s} }
`,
        'main.go': `package main

import "example.org/shop/store"

func main() {
	print(store.Of(store.Memory{}).Fetch("a"))
}
`,
      });
      const add = { add: 'ctx context.Context', value: 'context.Background()', before: 'key' };
      const answer = await project.change(of('Store/Fetch', add));
      expect(answer).toContain('; complete');
      expect(answer).toContain(
        'calls inside changed functions pass on their own `ctx`: `store/store.go` 14 (0-based lines)',
      );
      expect(answer).toContain('added imports in `main.go`, `store/store.go`');
      expect(project.lines('store/store.go', /Fetch\(|import/)).toEqual([
        'import "context"',
        'Fetch(ctx context.Context, key string) string',
        'func (Memory) Fetch(ctx context.Context, key string) string { return key }',
        'func (c Cache) Fetch(ctx context.Context, key string) string { return c.below.Fetch(ctx, key) }',
      ]);
      expect(project.lines('main.go', /"context"|Fetch\(/)).toEqual([
        '"context"',
        'print(store.Of(store.Memory{}).Fetch(context.Background(), "a"))',
      ]);
      project.expectCompiles(compile);
    },
    timeoutMs,
  );

  test(
    'names templates that call a method, and tests',
    async () => {
      const project = await openSignatures({
        'go.mod': files['go.mod'],
        'shop/shop.go':
          'package shop\n\nconst usage = `Use {{.CommandPath}} now`\n\ntype Command struct{}\n\nfunc (c *Command) CommandPath() string { return usage }\n',
        'shop/shop_test.go':
          'package shop\n\nimport "testing"\n\nfunc TestPath(t *testing.T) {\n\tt.Log(new(Command).CommandPath())\n}\n',
      });
      const file = 'shop/shop.go';
      const add = { add: 'deep bool', value: 'true' };
      const answer = await project.change({ namePath: 'Command/CommandPath', file, changes: [add] });
      expect(answer).toContain('incomplete: 1 open');
      expect(answer).toContain(
        'a string has its name, and code may use it by that:\n    shop/shop.go:2: const usage = `Use {{.CommandPath}} now`',
      );
      const test = { namePath: 'TestPath', file: 'shop/shop_test.go' };
      const tested = await project.change({ ...test, changes: [{ ...add, before: 't' }], force: true });
      expect(tested).toContain('a test runner or the system may call it:\n    shop/shop_test.go:4: func TestPath(');
      // Nothing else depends on names of parameters.
      const renamed = await project.change({ ...test, changes: [{ rename: 't', to: 'tt' }] });
      expect(renamed).toContain('; complete');
    },
    timeoutMs,
  );

  test(
    'refuses what may be wrong, and changes nothing',
    async () => {
      const project = await openSignatures(files);
      await project.refuse(of('Sum', { remove: 'b' }), 'uses `b`');
      await project.refuse(of('Sum', { rename: 'b', to: 'rest' }), '`rest` already');
      await project.refuse(of('Sum', { add: 'c int' }), '`value`');
      await project.refuse(of('Sum', { add: 'c int', value: 'missing' }), 'undefined: missing');
      await project.refuse(of('Lazy/Get', { rename: 'missing', to: 'x' }), '`k`, `d`');
      project.expectUnchanged();
    },
    timeoutMs,
  );
});
