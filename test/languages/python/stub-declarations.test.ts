// pyright resolves uses to a stub, and renames the definition and the uses, but not the declaration in the stub.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { openShared } from '../../support/shared-session.ts';

const timeoutMs = 5 * 60_000;

type Files = Readonly<Record<string, string>>;

const ofOneModule: Files = {
  'sample/__init__.py': '',
  'sample/errors.py': 'class Frozen(Exception):\n    pass\n\n\nclass Thawed(Exception):\n    pass\n',
  'sample/errors.pyi': 'class Frozen(Exception): ...\nclass Thawed(Exception): ...\n',
  'use.py': 'from sample.errors import Frozen\n\nraise Frozen\n',
};

// The package's stub declares what the package imports from a module without a stub, and another package has it again.
const reexported: Files = {
  'sample/__init__.py': 'from ._impl import Field, fields\n\n__all__ = ["Field", "fields"]\n',
  'sample/__init__.pyi': `from typing import overload

class Field:
    def evolve(self) -> Field: ...

@overload
def fields(kind: int) -> list[Field]: ...
@overload
def fields(kind: str) -> list[Field]: ...

listed = fields
`,
  'sample/_impl.py': `class Field:
    def evolve(self):
        return self


def fields(kind):
    return [Field().evolve()]
`,
  'samples/__init__.py': 'from sample import fields\n\n__all__ = ["fields"]\n',
  'samples/__init__.pyi': 'from sample import fields as fields\n',
  'use.py': `import sample
import samples
from samples import fields as own

sample.fields(1)[0].evolve()
samples.fields("")
own(1)
`,
};

const cases: readonly (readonly [name: string, file: string, newName: string, files: Files])[] = [
  ['Frozen', 'sample/errors.py', 'Solid', ofOneModule],
  ['Frozen', 'sample/errors.pyi', 'Solid', ofOneModule],
  ['fields', 'sample/_impl.py', 'columns', reexported],
  ['fields', 'sample/__init__.pyi', 'columns', reexported],
  ['Field/evolve', 'sample/_impl.py', 'changed', reexported],
  ['Field/evolve', 'sample/__init__.pyi', 'changed', reexported],
];

for (const [namePath, file, newName, files] of cases) {
  test(
    `\`${namePath}\` of ${file} is renamed in the code, in stubs and where it is used`,
    async () => {
      const name = namePath.replace(/^.*\//, '');
      const { workspace, client } = await openShared(files);
      const texts = () => Object.keys(files).map((path) => readFileSync(workspace.path(path), 'utf8'));
      await client.ask('rename_symbol', { name_path: namePath, relative_path: file, new_name: newName });
      const whole = new RegExp(`\\b${name}\\b`, 'g');
      expect(texts()).toEqual(Object.values(files).map((text) => text.replace(whole, newName)));
      const renamed = namePath.replace(name, newName);
      await client.ask('rename_symbol', { name_path: renamed, relative_path: file, new_name: name });
      expect(texts()).toEqual(Object.values(files));
    },
    timeoutMs,
  );
}

/** Packages of which no rename can be right everywhere: the function, its file, the part of the reason, and the files. */
const refused: readonly (readonly [name: string, file: string, reason: string, files: Files])[] = [
  [
    'asdict',
    'sample/_next.py',
    '`asdict` of the stub `samples/__init__.pyi` is another symbol than that of `samples/__init__.py`',
    {
      'sample/__init__.py': 'from ._old import asdict\n',
      'sample/__init__.pyi': 'def asdict(value: object) -> dict: ...\n',
      'sample/_old.py': 'def asdict(value):\n    return {}\n',
      'sample/_next.py': 'def asdict(value):\n    return {}\n',
      'samples/__init__.py': 'from sample._next import asdict\n',
      'samples/__init__.pyi': 'from sample import asdict as asdict\n',
      'use.py': 'import sample\nimport samples\n\nsamples.asdict(sample.asdict(1))\n',
    },
  ],
  [
    'parse',
    'sample/_slow.py',
    '`sample/__init__.py` also imports `parse` from a module that is not in the project',
    {
      'sample/__init__.py':
        'try:\n    from elsewhere import parse\nexcept ImportError:\n    from ._slow import parse\n',
      'sample/_slow.py': 'def parse():\n    return 1\n',
      'use.py': 'from sample import parse\n\nparse()\n',
    },
  ],
];

for (const [name, file, reason, files] of refused) {
  test(
    `\`${name}\` of ${file} keeps its name: what it is in other modules is not clear`,
    async () => {
      const { workspace, client } = await openShared(files);
      const args = { name_path: name, relative_path: file, new_name: 'other' };
      const { text, isError } = await client.call('rename_symbol', args);
      expect(isError).toBe(true);
      expect(text).toContain(reason);
      const texts = Object.keys(files).map((path) => readFileSync(workspace.path(path), 'utf8'));
      expect(texts).toEqual(Object.values(files));
    },
    timeoutMs,
  );
}

test(
  'a definition for platforms that do not import the function gets the new name with the imported one',
  async () => {
    const files: Files = {
      'sample/__init__.py': '',
      'sample/_console.py': 'def parse():\n    return 1\n',
      'sample/main.py': `import sys

if sys.platform == "nowhere":
    from ._console import parse
else:
    def parse():
        return 2

parse()
`,
      'use.py': 'from sample.main import parse\n\nparse()\n',
    };
    for (const file of ['sample/_console.py', 'sample/main.py']) {
      const { workspace, client } = await openShared(files);
      await client.ask('rename_symbol', { name_path: 'parse', relative_path: file, new_name: 'read' });
      const texts = Object.keys(files).map((path) => readFileSync(workspace.path(path), 'utf8'));
      expect(texts).toEqual(Object.values(files).map((text) => text.replaceAll('parse', 'read')));
    }
  },
  timeoutMs,
);

test(
  'a parameter of the same name in unreachable code keeps its name',
  async () => {
    const body = (name: string) => `import sys

from shout import ${name}

if sys.platform == "nowhere":
    def ask(echo):
        if echo:
            return 1

    def answer():
        return ${name}()
`;
    const { workspace, client } = await openShared({
      'shout.py': 'def echo():\n    return 1\n',
      'ask.py': body('echo'),
    });
    await client.ask('rename_symbol', { name_path: 'echo', relative_path: 'shout.py', new_name: 'shout_it' });
    expect(readFileSync(workspace.path('ask.py'), 'utf8')).toBe(body('shout_it'));
  },
  timeoutMs,
);
