// Members that another type has as optional ones: without their name, everything compiles, but the code that looks for
// them no longer finds them.
import { expect, test } from 'bun:test';
import { checkTypes, expectCompiles } from '../../support/compiles.ts';
import { openShared } from '../../support/shared-session.ts';
import { projectOf } from './project.ts';

const timeoutMs = 5 * 60_000;

const files = {
  'src/server.ts': `export interface Options {
  onOpen?(): number;
  onClose?(): number;
  nested?: Options;
}
export const listen = (options: Options) => (options.onOpen?.() ?? 0) + (options.onClose?.() ?? 0);
export type Keys = Record<keyof Options, number>;
`,
  'src/use.ts': `import { listen, type Options } from './server';
export class Handler {
  /** Also called by itself. */
  onOpen() {
    return 1;
  }
  onClose() {
    return 2;
  }
  spare() {
    return 3;
  }
}
listen(new Handler());
const made = () => ({ onOpen: () => 4, onClose: () => 5, spare: () => 6 });
listen(made());
const deep = {
  nested: {
    onOpen() {
      return 7;
    },
    onClose: () => 8,
  },
};
listen(deep);
const linked: Options = { onOpen: () => 9 };
listen(linked);
export const keys = ({ onOpen, onClose, nested }: { onOpen: number; onClose: number; nested: number }) =>
  onOpen + onClose + nested;
`,
  'src/apart.ts': `export class Apart {
  onOpen() {
    return 1;
  }
}
export const apart = { onOpen: () => 1, get: () => 2 };
export const sum = apart.onOpen() + apart.get();
`,
  'src/library.ts': `class Traps {
  get(_: object, key: string) {
    return key;
  }
  has() {
    return true;
  }
}
export const proxy = new Proxy({}, new Traps());
`,
};

for (const server of ['typescript', 'typescript_native']) {
  test(
    `${server}: a member that another type has as an optional one is renamed with it, and not deleted`,
    async () => {
      const { workspace, client } = await openShared({ ...projectOf(server), ...files });
      const use = 'src/use.ts';
      const unchanged = () => {
        for (const [file, text] of Object.entries(files)) expect(workspace.read(file)).toBe(text);
      };
      for (const member of [
        'Handler/onOpen',
        'Handler/onClose',
        'made/onOpen',
        'deep/nested/onOpen',
        'deep/nested/onClose',
      ]) {
        const { isError, text } = await client.call('safe_delete_symbol', {
          name_path_pattern: member,
          relative_path: use,
        });
        expect([member, isError]).toEqual([member, true]);
        expect(text).toContain(`values of its type are used as one with a member \`${member.split('/').at(-1)}\``);
      }
      for (const [path, newName] of [
        ['Traps/get', 'fetch'],
        ['Traps/has', 'contains'],
      ] as const) {
        const target = { name_path: path, relative_path: 'src/library.ts', new_name: newName };
        const { isError, text } = await client.call('rename_symbol', target);
        expect([path, isError]).toEqual([path, true]);
        expect(text).toContain('values of its type are used as one with a member');
      }
      unchanged();
      // What only happens to have the name keeps it, and is renamed alone.
      const alone = { name_path: 'Apart/onOpen', relative_path: 'src/apart.ts' };
      expect(await client.ask('rename_symbol', { ...alone, new_name: 'start' })).toStartWith(
        'Renamed `Apart/onOpen` to `start`: 1 file changed, 1 place in `src/apart.ts`; complete',
      );
      await client.ask('rename_symbol', { ...alone, name_path: 'Apart/start', new_name: 'onOpen' });
      unchanged();
      const renamed = await client.ask('rename_symbol', {
        ...{ name_path: 'Handler/onOpen', relative_path: use, new_name: 'opened' },
      });
      expect(renamed).toContain('; complete');
      for (const also of ['Options/onOpen', 'made/onOpen', 'deep/nested/onOpen']) expect(renamed).toContain(also);
      expect(workspace.read(use)).toBe(files[use].replaceAll(/\bonOpen(\(\)|: \(\) => [49])/g, 'opened$1'));
      expect(workspace.read('src/server.ts')).toBe(files['src/server.ts'].replaceAll('onOpen', 'opened'));
      expect(workspace.read('src/apart.ts')).toBe(files['src/apart.ts']);
      expectCompiles(workspace, checkTypes);
      await client.ask('safe_delete_symbol', { name_path_pattern: 'Handler/spare', relative_path: use });
      expect(workspace.read(use)).not.toMatch(/ spare\(\)/);
    },
    timeoutMs,
  );
}
