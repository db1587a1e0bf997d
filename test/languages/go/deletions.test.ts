// Deletions in Go: imports that only the deleted declaration used, and constants that others count from.
import { expect } from 'bun:test';
import { openShared } from '../../support/shared-session.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';

const timeoutMs = 5 * 60_000;

const text = `package x

import (
	"fmt"
	"strings"

	str "strconv"
)

func Say() string { return fmt.Sprint(1) + str.Itoa(2) }

func Shout() string { return strings.ToUpper(fmt.Sprint(1)) }

func Count() string { return str.Itoa(1) + str.Quote("") }

const (
	first = iota
	second
	third = 7
)
`;

const alone = `package x

import "fmt"

func Only() string { return fmt.Sprint(1) }

func Other() {}
`;

const removed = (of: string, ...parts: readonly string[]) => parts.reduce((rest, part) => rest.replace(part, ''), of);

testUnless(whyNoGo())(
  'removes the imports that nothing else uses, and keeps the values of constants',
  async () => {
    const { workspace, client } = await openShared({
      'go.mod': 'module example.test/x\n\ngo 1.21\n',
      'a.go': text,
      'alone.go': alone,
    });
    const remove = (file: string, name: string) =>
      client.call('safe_delete_symbol', { name_path_pattern: name, relative_path: file });
    const shout = 'func Shout() string { return strings.ToUpper(fmt.Sprint(1)) }\n\n';
    const { blocks } = await remove('a.go', 'Shout');
    expect(blocks).toEqual([
      'Deleted `Shout`: 1 file changed, 2 places in `a.go`; complete',
      'Note:\n- removed 1 import that nothing else used: `"strings"`',
    ]);
    expect(workspace.read('a.go')).toBe(removed(text, '\t"strings"\n', shout));
    workspace.write('a.go', text);
    expect((await remove('a.go', 'Say')).blocks).toEqual([
      'Deleted `Say`: 1 file changed, 1 place in `a.go`; complete',
    ]);
    const say = 'func Say() string { return fmt.Sprint(1) + str.Itoa(2) }\n\n';
    expect(workspace.read('a.go')).toBe(removed(text, say));
    expect((await remove('a.go', 'Count')).isError).toBe(false);
    const count = 'func Count() string { return str.Itoa(1) + str.Quote("") }\n\n';
    expect(workspace.read('a.go')).toBe(removed(text, say, count, '\n\tstr "strconv"\n'));
    expect((await remove('alone.go', 'Only')).isError).toBe(false);
    const only = 'func Only() string { return fmt.Sprint(1) }\n\n';
    expect(workspace.read('alone.go')).toBe(removed(alone, 'import "fmt"\n\n', only));
    expect((await remove('a.go', 'first')).text).toContain('depend on its position');
    expect((await remove('a.go', 'second')).text).toContain('only a part of the statement');
    expect((await remove('a.go', 'third')).isError).toBe(false);
  },
  timeoutMs,
);
