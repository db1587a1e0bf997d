// Members of classes that are used as a protocol because they have its members.
import { expect, test } from 'bun:test';
import { explainedReferences } from '../../support/explained-references.ts';
import { openShared } from '../../support/shared-session.ts';

const timeoutMs = 5 * 60_000;

const files = {
  'shop/source.py': `from typing import Protocol


class Source(Protocol):
    name: str

    def read(self, size: int) -> str: ...


class Plain:
    def read(self, size: int) -> str:
        return "plain"
`,
  'shop/files.py': `class File:
    name = "file"

    def read(self, size: int) -> str:
        return self.name * size


class Unused:
    name = "unused"

    def read(self, size: int) -> str:
        return self.name * size
`,
  'shop/use.py': `from shop.files import File, Unused
from shop.source import Plain, Source


def load(source: Source) -> str:
    return source.name + source.read(1)


print(load(File()), Unused().read(1), Plain().read(2))
`,
};

test(
  'members that a protocol requires are references of its members, and renamed with them',
  async () => {
    const { workspace, client } = await openShared(files);
    const explain = (name: string, file: string) => explainedReferences(client, name, file);
    expect(await explain('Source/read', 'shop/source.py')).toEqual([
      'own shop/files.py:3 structure',
      'own shop/use.py:5 server',
      'other shop/files.py:10 definition',
      'other shop/source.py:10 definition',
      'other shop/use.py:8 definition',
      'other shop/use.py:8 definition',
    ]);
    const ofFile = await explain('File/read', 'shop/files.py');
    expect(ofFile).toContain('own shop/source.py:6 structure');
    expect(ofFile).toContain('other shop/source.py:10 definition');
    // Nothing uses `Unused` as the protocol, and `Plain` is none.
    expect((await explain('Unused/read', 'shop/files.py')).filter((one) => one.includes('structure'))).toEqual([]);
    expect((await explain('Plain/read', 'shop/source.py')).filter((one) => one.includes('structure'))).toEqual([]);
    const target = { name_path: 'Source/read', relative_path: 'shop/source.py' };
    const { blocks } = await client.call('rename_symbol', { ...target, new_name: 'take' });
    expect(blocks[0]).toBe(
      [
        'Renamed `Source/read` to `take`: 3 files changed, 3 places; incomplete: see `Incomplete` below',
        'Also changed (0-based lines):',
        '  the compiler requires the same name:',
        '    shop/files.py:3: File/read',
        'Files:',
        '  shop/files.py: 1',
        '  shop/source.py: 1',
        '  shop/use.py: 1',
      ].join('\n'),
    );
    expect(workspace.read('shop/files.py')).toBe(files['shop/files.py'].replace('def read', 'def take'));
    expect(workspace.read('shop/use.py')).toBe(files['shop/use.py'].replace('source.read', 'source.take'));
  },
  timeoutMs,
);
