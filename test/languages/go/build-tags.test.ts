// gopls renames in one build configuration at a time; files for other operating systems must compile afterwards, too.
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { openShared } from '../../support/shared-session.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';

const timeoutMs = 5 * 60_000;

const shared = `package sample

type backend interface {
	Close() error
}

func Open() backend { return newBackend() }

func Shut() error { return Open().Close() }
`;

const files = {
  'go.mod': 'module example.com/sample\n\ngo 1.21\n',
  'open.go': shared,
  'open_linux.go': backendFor('linux'),
  'open_windows.go': backendFor('windows'),
  'open_other.go': `//go:build !linux && !windows\n\n${backendFor('other')}`,
};

function backendFor(system: string): string {
  return `package sample

type ${system} struct{}

func newBackend() backend { return &${system}{} }

func (b *${system}) Close() error { return helper() }

func helper() error { return nil }
`;
}

async function renamed(namePath: string, relativePath: string, newName: string): Promise<Record<string, string>> {
  const { workspace, client } = await openShared(files);
  await client.ask('rename_symbol', { name_path: namePath, relative_path: relativePath, new_name: newName });
  return Object.fromEntries(Object.keys(files).map((file) => [file, readFileSync(workspace.path(file), 'utf8')]));
}

testUnless(whyNoGo())(
  'a function that each operating system defines gets its new name in all of them',
  async () => {
    const expected = Object.entries(files).map(([file, text]) => [file, text.replaceAll('newBackend', 'makeBackend')]);
    expect(await renamed('newBackend', 'open_windows.go', 'makeBackend')).toEqual(Object.fromEntries(expected));
  },
  timeoutMs,
);

testUnless(whyNoGo())(
  'an interface method gets its new name in the types of all operating systems',
  async () => {
    const expected = Object.entries(files).map(([file, text]) => [file, text.replaceAll('Close', 'Finish')]);
    expect(await renamed('backend/Close', 'open.go', 'Finish')).toEqual(Object.fromEntries(expected));
  },
  timeoutMs,
);

testUnless(whyNoGo())(
  'a function that only its own file uses keeps its name in the files for other operating systems',
  async () => {
    const changed = files['open_linux.go'].replaceAll('helper', 'assist');
    expect(await renamed('helper', 'open_linux.go', 'assist')).toEqual({ ...files, 'open_linux.go': changed });
  },
  timeoutMs,
);

testUnless(whyNoGo())(
  'a definition for an older version of Go, which gopls cannot read, is open after a rename',
  async () => {
    const fallback = '//go:build !go1.18\n\npackage sample\n\nconst isNew = false\n';
    const used = 'package sample\n\nfunc IsNew() bool { return isNew }\n';
    const { workspace, client } = await openShared({
      'go.mod': files['go.mod'],
      'new.go': '//go:build go1.18\n\npackage sample\n\nconst isNew = true\n',
      'old.go': fallback,
      'use.go': used,
    });
    const target = { name_path: 'isNew', relative_path: 'new.go', new_name: 'isRecent' };
    const { blocks, isError } = await client.call('rename_symbol', target);
    expect(isError).toBe(false);
    expect(readFileSync(workspace.path('use.go'), 'utf8')).toBe(used.replace('isNew', 'isRecent'));
    expect(readFileSync(workspace.path('old.go'), 'utf8')).toBe(fallback);
    expect(blocks[0]).toContain('; incomplete: 1 open\n');
    expect(blocks[0]).toContain('    [1] old.go:4: const isNew = false');
  },
  timeoutMs,
);

testUnless(whyNoGo())(
  'a use in a file of another build is open, with the constraint as the reason',
  async () => {
    const tagged = '//go:build special\n\npackage sample\n\nvar _ = Open().Close()\n';
    const { client } = await openShared({ ...files, 'special.go': tagged });
    const edit = { name_path: 'backend/Close', relative_path: 'open.go', new_name: 'Finish', dry_run: true };
    const { text } = await client.call('rename_symbol', edit);
    expect(text).toContain(
      'not every build has its file (`//go:build special`):\n    [1] special.go:4: var _ = Open().Close()\n',
    );
  },
  timeoutMs,
);
