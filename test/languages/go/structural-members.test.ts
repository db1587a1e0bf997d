// Methods that must have the same name because their types satisfy one interface.
import { expect } from 'bun:test';
import { explainedReferences } from '../../support/explained-references.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';

const timeoutMs = 5 * 60_000;

const files = {
  'go.mod': 'module example.org/shop\n\ngo 1.21\n',
  'store/store.go': `package store

type Store interface {
	Get(key string) string
}

type Other struct{}

func (Other) Get() int { return 1 }
`,
  'memory/memory.go': `package memory

type Memory struct{}

func (m *Memory) Get(key string) string { return key }

type Getter interface {
	Get(key string) string
}
`,
  'main.go': `package main

import (
	"example.org/shop/memory"
	"example.org/shop/store"
)

func load(s store.Store) string { return s.Get("a") }

func main() {
	println(load(&memory.Memory{}), store.Other{}.Get())
}
`,
};

testUnless(whyNoGo())(
  'methods that an interface links are references',
  async () => {
    const { client } = await openShared(files);
    const explain = (name: string, file: string) => explainedReferences(client, name, file);
    const linked = [
      ['Store/Get', 'store/store.go', 3],
      ['Memory/Get', 'memory/memory.go', 4],
      ['Getter/Get', 'memory/memory.go', 7],
    ] as const;
    for (const [name, file] of linked) {
      const found = await explain(name, file);
      // Interfaces are linked by the types that satisfy both.
      const others = linked.filter(([other]) => (other === 'Memory/Get') !== (name === 'Memory/Get'));
      for (const [, other, line] of others) expect([name, ...found]).toContain(`own ${other}:${line} structure`);
      expect(found.filter((one) => /^own .*(?:store\/store.go:8|main.go:10)/.test(one))).toEqual([]);
    }
    const listed = await client.ask('find_referencing_symbols', {
      ...{ name_path: 'Store/Get', relative_path: 'store/store.go' },
    });
    expect(listed).toContain('4:func (m *Memory) Get');
    expect((await explain('Other/Get', 'store/store.go')).filter((one) => one.includes('structure'))).toEqual([]);
  },
  timeoutMs,
);
