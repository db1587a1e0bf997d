import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goAdapter } from '../../../src/languages/go/gopls.ts';
import { makeTempDir } from '../../support/temp.ts';

const importing = 'package app\n\nimport r "example.org/shop/rest"\n';
const stranger = 'package app\n\nimport "example.org/shop/other"\n\nvar _ = x.Config\n';

function rule(directory: string, options: { isTopLevel?: boolean; lines?: readonly string[] } = {}) {
  const { isTopLevel = true, lines = ['\tvar c rest.Config'] } = options;
  const mayRefer = goAdapter.mayReferTo?.({ path: join(directory, 'config.go'), name: 'Config', isTopLevel, lines });
  if (mayRefer === undefined) throw new Error('There is no such rule');
  return mayRefer;
}

describe('a Go file may refer to a declaration of another package', () => {
  const directory = join(makeTempDir(), 'rest');

  test('if it imports that package', () => {
    expect(rule(directory)('/app/main.go', importing)).toBe(true);
    expect(rule(directory)('/app/main.go', 'package app\nimport "rest"\n')).toBe(true);
    expect(rule(directory)('/app/main.go', 'package app\nimport `example.org/rest`\n')).toBe(true);
    expect(rule(directory)('/app/main.go', stranger)).toBe(false);
    expect(rule(directory)('/app/main.go', 'package app\nimport "example.org/forest"\n')).toBe(false);
  });

  test('if it is a file of the package', () => {
    expect(rule(directory)(join(directory, 'other.go'), stranger)).toBe(true);
  });

  test('if the declaration is a member, which any value may have', () => {
    expect(rule(directory, { isTopLevel: false })('/app/main.go', stranger)).toBe(true);
  });

  test.each([
    '\trest.Config',
    '\t*rest.Config `json:"config"`',
    '\t*Config // the base',
    'type Client struct { rest.Config }',
    'type Client struct{ name string; *Config; port int }',
    '\trest.Config[string]',
  ])('if a type embeds it: %j', (line) => {
    expect(rule(directory, { lines: ['\tvar c rest.Config', line] })('/app/main.go', stranger)).toBe(true);
  });

  test('if the directory is the root of a module, whose path may end with another name', () => {
    const root = makeTempDir();
    writeFileSync(join(root, 'go.mod'), 'module example.org/shop\n');
    expect(rule(root)('/app/main.go', stranger)).toBe(true);
  });
});
