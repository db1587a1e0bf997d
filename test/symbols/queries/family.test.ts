// Members that override or implement one another, or that a library calls, keep one name and are not deleted unasked:
// pyright renames the members of one class, and gopls methods of an interface only where an assignment needs them.
import { beforeAll, describe, expect, test } from 'bun:test';
import { python } from '../../../src/languages/python/servers.ts';
import { install, installTimeoutMs } from '../../servers/opened.ts';
import { startClient, type TestClient } from '../../support/client.ts';
import { openShared } from '../../support/shared-session.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';
import { makeWorkspace, type Workspace } from '../../support/workspace.ts';

const timeoutMs = 5 * 60_000;

const shapes = `import json
import threading
from typing import Generic, TypeVar

import missing

T = TypeVar("T")


class Shape(Generic[T]):
    def area(self) -> float:
        return 0.0

    def report(self) -> str:
        return f"area {self.area()}"


class Square(Shape):
    def area(self) -> float:
        return 4.0


class Sized:
    def area(self) -> float:
        return 1.0

    def size(self) -> int:
        return 1


class Tile(Square, Sized):
    pass


class Field:
    def area(self) -> float:
        return 9.0


class Worker(threading.Thread):
    def run(self) -> None:
        print("work")

    def step(self) -> None:
        print("step")


class Encoder(json.JSONEncoder):
    def default(self, o):
        return str(o)


class Loose(missing.Base):
    def handle(self) -> None: ...

    def __repr__(self) -> str:
        return ""


def double(square: Square, field: Field) -> float:
    return 2 * square.area() + field.area()
`;

const others = `from shapes import Shape as Figure, Sized


class Circle(Figure):
    def area(self) -> float:
        return 3.0


class Box(Sized):
    @property
    def area(self) -> float:
        return super().area()
`;

/** Returns the texts of some files with the new name of a member in all classes but \`Field\`. */
function renamed(name: string) {
  const text = shapes
    .replaceAll(/\barea\(/g, `${name}(`)
    .replace('class Field:\n    def surface', 'class Field:\n    def area');
  return {
    'shapes.py': text.replace('field.surface', 'field.area'),
    'others.py': others.replaceAll(/\barea\(/g, `${name}(`),
  };
}

describe('overriding members of Python', () => {
  beforeAll(() => install(python), installTimeoutMs);

  const files = { 'shapes.py': shapes, 'others.py': others };

  for (const target of [
    { name_path: 'Shape/area', relative_path: 'shapes.py' },
    { name_path: 'Square/area', relative_path: 'shapes.py' },
    { name_path: 'Circle/area', relative_path: 'others.py' },
    { name_path: 'Sized/area', relative_path: 'shapes.py' },
  ]) {
    test(
      `get a new name together, if that of ${target.name_path} changes`,
      async () => {
        const { workspace, client } = await openShared(files);
        const { blocks, isError } = await client.call('rename_symbol', { ...target, new_name: 'surface' });
        expect({ blocks, isError }).toMatchObject({ isError: false });
        const [text = ''] = blocks;
        const all = ['Shape/area', 'Square/area', 'Sized/area', 'Circle/area', 'Box/area'];
        for (const member of all) expect(text.includes(`: ${member}\n`)).toBe(member !== target.name_path);
        expect(text).not.toContain('Field');
        const expected = renamed('surface');
        expect(workspace.read('shapes.py')).toBe(expected['shapes.py']);
        expect(workspace.read('others.py')).toBe(expected['others.py']);
      },
      timeoutMs,
    );
  }

  test(
    'are not renamed if a library calls them, or if one would override another',
    async () => {
      const { workspace, client } = await openShared(files);
      const rename = (name_path: string, new_name: string, force = false) =>
        client.call('rename_symbol', { name_path, relative_path: 'shapes.py', new_name, force });
      expect((await rename('Worker/run', 'go')).text).toContain('what is outside the project: `threading.Thread/run`');
      expect((await rename('Encoder/default', 'go')).text).toContain('`json.JSONEncoder/default`');
      expect((await rename('Loose/__repr__', 'go')).text).toContain('members of this name are called by Python itself');
      expect((await rename('Worker/step', 'start')).text).toContain('already have `start`');
      expect((await rename('Square/area', 'size')).text).toContain('`Sized/size` (`shapes.py:');
      expect(workspace.read('shapes.py')).toBe(shapes);
      const loose = await rename('Loose/handle', 'go');
      expect(loose.blocks.at(-1)).toContain('the language server cannot resolve `missing.Base`');
      expect((await rename('Worker/run', 'go', true)).isError).toBe(false);
      expect(workspace.read('shapes.py')).toContain('class Worker(threading.Thread):\n    def go(self)');
    },
    timeoutMs,
  );

  test(
    'are not changed if Python itself calls them in a module',
    async () => {
      const text = 'def __getattr__(name):\n    return name.upper()\n\n\ndef __dir__():\n    return ["hop"]\n';
      const { workspace, client } = await openShared({ 'lazy.py': text });
      const place = { name_path: '__getattr__', relative_path: 'lazy.py' };
      const reason = 'functions of this name in a module are called by Python itself';
      expect((await client.call('rename_symbol', { ...place, new_name: 'go' })).text).toContain(reason);
      const change = { changes: [{ keyword: 'name' }] };
      expect((await client.call('change_signature', { ...place, ...change })).text).toContain(reason);
      const remove = remover(client, 'lazy.py');
      expect(await remove('__getattr__')).toContain(reason);
      expect(await remove('__dir__')).toContain(reason);
      expect(workspace.read('lazy.py')).toBe(text);
    },
    timeoutMs,
  );

  test(
    'are not deleted while a base class may call them, and leave no empty class',
    async () => {
      const { workspace, client } = await openShared(files);
      const remove = remover(client, 'shapes.py');
      expect(await remove('Worker/run')).toContain('overrides or implements `threading.Thread/run`');
      expect(await remove('Encoder/default')).toContain('overrides or implements `json.JSONEncoder/default`');
      expect(await remove('Loose/__repr__')).toContain('members of this name are called by Python itself');
      expect(await remove('Loose/handle')).toContain('cannot resolve `missing.Base`');
      const circle = await remover(client, 'others.py')('Circle/area');
      expect(circle).toContain('overrides or implements `Shape/area` (`shapes.py:10`)');
      expect(workspace.read('shapes.py')).toBe(shapes);
      expect(await remove('Worker/step')).toStartWith('Deleted `Worker/step`: 1 file changed');
      expect(await remove('Encoder/default', true)).toBe(
        'Deleted `Encoder/default`: 1 file changed, 1 place in `shapes.py`; complete\nNote:\n- wrote `pass` into the block that it leaves empty',
      );
      expect(workspace.read('shapes.py')).toContain('class Encoder(json.JSONEncoder):\n    pass\n\n\nclass Loose');
    },
    timeoutMs,
  );
});

test(
  'a member of Python is not renamed where this makes new errors, unless asked for',
  async () => {
    const text = `class A:
    def clean(self) -> int:
        return 1

    def rest(self) -> int:
        return missing


class B:
    def clean(self) -> int:
        return 2


def either(x: A | B) -> int:
    return x.clean() + (x.rest() if isinstance(x, A) else 0)
`;
    await install(python);
    const { workspace, client } = await openShared({ 'u.py': text });
    const rename = (name_path: string, force = false) =>
      client.call('rename_symbol', { name_path, relative_path: 'u.py', new_name: 'tidy', force });
    const refused = await rename('A/clean');
    expect(refused.text).toContain('it would cause 1 new error (0-based lines): `u.py` 14: ');
    expect(refused.text).toContain('set `force` to true');
    expect(workspace.read('u.py')).toBe(text);
    // That `missing` is not defined is no new error.
    expect((await rename('A/rest')).isError).toBe(false);
    expect(workspace.read('u.py')).toBe(text.replaceAll('rest', 'tidy'));
    workspace.write('u.py', text);
    expect((await rename('A/clean', true)).isError).toBe(false);
    expect(workspace.read('u.py')).toContain('return x.tidy()');
  },
  timeoutMs + installTimeoutMs,
);

test(
  'members of TypeScript that a library declares or calls are neither renamed nor deleted',
  async () => {
    const text = `export class Level extends Map<string, string> {
  toString(): string {
    return 'level';
  }
  toJSON(): string {
    return 'hidden';
  }
  clear(): void {}
  own(): void {}
}

export class Plain {
  toString(): string {
    return 'plain';
  }
}

export class Numbers implements Iterator<number> {
  next(): IteratorResult<number> {
    return { done: true, value: 1 };
  }
}
`;
    const tsconfig = '{ "compilerOptions": { "strict": true, "target": "es2022", "types": [] } }';
    const { workspace, client } = await openShared({ 'tsconfig.json': tsconfig, 'level.ts': text });
    const remove = remover(client, 'level.ts');
    for (const [name, why] of [
      ['Level/clear', /`clear` \(`lib\/lib\.es2015\.collection\.d\.ts:\d+`\)/],
      ['Numbers/next', /`next` \(`lib\/lib\.es2015\.iterable\.d\.ts:\d+`\)/],
      ['Level/toJSON', /members of this name are called by `JSON\.stringify`/],
      ['Plain/toString', /`toString` \(`lib\/lib\.es5\.d\.ts:\d+`\)|called by JavaScript itself/],
    ] as const) {
      expect(await remove(name)).toMatch(why);
      const target = { name_path: name, relative_path: 'level.ts', new_name: 'other' };
      expect((await client.call('rename_symbol', target)).text).toMatch(why);
    }
    expect(workspace.read('level.ts')).toBe(text);
    expect(await remove('Level/own')).toStartWith('Deleted `Level/own`: 1 file changed');
  },
  timeoutMs,
);

function remover(client: TestClient, file: string) {
  return async (name: string, ignores = false) => {
    const { blocks } = await client.call('safe_delete_symbol', {
      name_path_pattern: name,
      relative_path: file,
      ignore_unresolved: ignores,
    });
    return blocks.join('\n');
  };
}

const go = `package opt

import (
	"fmt"
	"io"
)

type flusher interface{ Flush() }

type buffer struct{ lines []string }

func (b *buffer) Flush() { b.lines = nil }

type pipe struct{}

func (pipe) Flush() {}

func (pipe) Reset() {}

type named interface{ Name() string }

type other struct{}

func (other) Flush(force bool) {}

type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }

type failure struct{}

func (failure) Error() string { return "failed" }

func (failure) Is(target error) bool { return true }

func (failure) MarshalJSON() ([]byte, error) { return nil, nil }

func (failure) unused() {}

func Done(v any, w io.Writer) {
	if f, ok := v.(flusher); ok {
		f.Flush()
	}
	if n, ok := v.(named); ok {
		fmt.Fprintln(w, n.Name())
	}
}
`;

describe('methods of Go', () => {
  const files = { 'go.mod': 'module example.test/opt\n\ngo 1.21\n', 'opt.go': go };
  const open = async (): Promise<{ workspace: Workspace; client: TestClient }> => {
    const workspace = makeWorkspace(files);
    return { workspace, client: await startClient({ args: ['--project', workspace.root] }) };
  };

  testUnless(whyNoGo())(
    'get a new name with the interface that they satisfy where a value is asserted to have its type',
    async () => {
      for (const name_path of ['flusher/Flush', 'buffer/Flush']) {
        const { workspace, client } = await open();
        await using _workspace = workspace;
        await using _client = client;
        const target = { name_path, relative_path: 'opt.go', new_name: 'Drain' };
        expect((await client.call('rename_symbol', target)).text).toEndWith('\n    opt.go:15: pipe/Flush');
        expect(workspace.read('opt.go')).toBe(go.replaceAll(/\bFlush\(\)/g, 'Drain()'));
      }
    },
    timeoutMs,
  );

  testUnless(whyNoGo())(
    'are neither renamed nor deleted if a library calls them',
    async () => {
      const { workspace, client } = await open();
      await using _workspace = workspace;
      await using _client = client;
      const remove = remover(client, 'opt.go');
      for (const [name, why] of [
        ['counter/Write', /`(?:Writer\/)?Write` \(`.*io\/io\.go:\d+`\)/],
        ['failure/Error', /`(?:error\/)?Error` \(`.*builtin\.go:\d+`\)/],
        ['failure/Is', /members of this name are called by `errors\.Is`/],
        ['failure/MarshalJSON', /members of this name are called by encoding packages/],
      ] as const) {
        expect(await remove(name)).toMatch(why);
        const target = { name_path: name, relative_path: 'opt.go', new_name: 'Other' };
        expect((await client.call('rename_symbol', target)).text).toMatch(why);
      }
      const named = { name_path: 'named/Name', relative_path: 'opt.go', new_name: 'Title' };
      const implemented = /types outside the project implement it.*`(?:\*?File\/)?Name` \(`.*os\/file\.go:\d+`\)/;
      expect((await client.call('rename_symbol', named)).text).toMatch(implemented);
      expect(workspace.read('opt.go')).toBe(go);
      expect(await remove('failure/unused')).toStartWith('Deleted `failure/unused`: 1 file changed');
      expect(await remove('pipe/Reset')).toStartWith('Deleted `pipe/Reset`: 1 file changed');
    },
    timeoutMs,
  );
});
