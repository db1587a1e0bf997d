// The members of Python classes that override a member: found by the classes that have one of its name.
import { beforeAll, describe, expect, test } from 'bun:test';
import { python } from '../../../src/languages/python/servers.ts';
import type { Symbols } from '../../../src/symbols/symbols.ts';
import { install, installTimeoutMs, Opened } from '../../servers/opened.ts';
import { placeOf } from '../../servers/render.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;

async function implementationsOf(symbols: Symbols, namePath: string, file: string): Promise<string[]> {
  const found = await symbols.implementations(await symbols.unique(namePath, file), { include: [], exclude: [] });
  return found.map(placeOf);
}

describe('pyright and syntax trees find implementations of', () => {
  beforeAll(() => install(python), installTimeoutMs);

  test(
    'a method, among classes of the same names, without gaps for what cannot override it',
    async () => {
      const field = 'class Field:\n    def clean(self): ...\n';
      const uses = `import fields
import forms
from forms import FileField as Chosen

class Model:
    base_field = fields.Field
    chosen = Chosen
    def clean(self): ...
class Mine(fields.Text):
    def clean(self): ...
class Other(forms.FileField, Model):
    def clean(self): ...
`;
      const project = {
        'fields.py': `${field}class Text(Field): ...\n`,
        'forms.py': `${field}class FileField(Field):\n    def clean(self): ...\n`,
        'uses.py': uses,
      };
      await using opened = await Opened.open(makeWorkspace(project));
      const find = (file: string) => opened.askPartly((symbols) => implementationsOf(symbols, 'Field/clean', file));
      expect(await find('fields.py')).toEqual({ answer: ['Method Mine/clean in uses.py:9-9'], missing: [] });
      expect(await find('forms.py')).toEqual({
        answer: ['Method FileField/clean in forms.py:3-3', 'Method Other/clean in uses.py:11-11'],
        missing: [],
      });
      opened.workspace.write(
        'made.py',
        `import fields
from missing import Text as Unknown

Made = type("Made", (fields.Field,), {})
class Below(Made):
    def clean(self): ...
class Odd(Unknown):
    def clean(self): ...
`,
      );
      expect(await find('fields.py')).toEqual({
        answer: ['Method Mine/clean in uses.py:9-9'],
        missing: [
          'Implementations may be missing: it is unknown whether these classes lead to `Field`: `made.py` 3, 6 (0-based lines)',
        ],
      });
    },
    timeoutMs,
  );
});
