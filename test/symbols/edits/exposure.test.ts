// Declarations that nothing refers to, and that run nevertheless because something finds them by a mark or their name.
import { expect, test } from 'bun:test';
import { openShared } from '../../support/shared-session.ts';

const timeoutMs = 5 * 60_000;

const files = {
  'app.py': `import atexit

handlers = {}


def route(path):
    def add(function):
        handlers[path] = function
        return function

    return add


@route("/")
def index():
    return "x"


@atexit.register
def bye():
    print(handlers)


@staticmethod
def plain():
    return 1
`,
  'shop/go.mod': 'module shop\n\ngo 1.21\n',
  'shop/main.go': `package main

import "fmt"

var registered = map[string]bool{}

func init() {
	registered["a"] = true
}

//export hello
func hello() {}

func unused() {}

func main() {
	fmt.Println(registered)
}
`,
  'tsconfig.json': '{"compilerOptions":{"strict":true,"target":"es2022"}}',
  'plugin.ts': `const list: unknown[] = [];
function register(one: unknown, _context?: unknown): void {
  list.push(one);
}

@register
class Plugin {
  run(): number {
    return 1;
  }
}

class Other {
  @register
  handle(): void {}

  unused(): void {}
}

console.log(list, new Other());
`,
};

test(
  'a declaration that something finds by a mark or by its name is not deleted',
  async () => {
    const { workspace, client } = await openShared(files);
    const deletion = async (file: string, name: string) => {
      const { text } = await client.call('safe_delete_symbol', { name_path_pattern: name, relative_path: file });
      return text;
    };
    const found: readonly (readonly [file: string, name: string, by: string])[] = [
      ['app.py', 'index', '@route'],
      ['app.py', 'bye', '@atexit.register'],
      ['shop/main.go', 'hello', '//export'],
      ['plugin.ts', 'Plugin', '@register'],
      ['plugin.ts', 'Other/handle', '@register'],
    ];
    for (const [file, name, by] of found) {
      expect(await deletion(file, name)).toContain(`something may find it by \`${by}\``);
    }
    for (const name of ['init', 'main']) {
      expect(await deletion('shop/main.go', name)).toContain('called by the language or its tools');
    }
    expect(workspace.read('app.py')).toBe(files['app.py']);
    expect(workspace.read('shop/main.go')).toBe(files['shop/main.go']);
    expect(workspace.read('plugin.ts')).toBe(files['plugin.ts']);
    expect(await deletion('app.py', 'plain')).toContain('Deleted `plain`');
    expect(await deletion('shop/main.go', 'unused')).toContain('Deleted `unused`');
    expect(await deletion('plugin.ts', 'Other/unused')).toContain('Deleted `Other/unused`');
  },
  timeoutMs,
);

test(
  'a deletion says that an initial value may have done something',
  async () => {
    const { client } = await openShared({
      'tsconfig.json': files['tsconfig.json'],
      'jobs.ts':
        'function start(): number {\n  return Date.now();\n}\n\nconst timer = start();\nconst size = 3;\n\nexport {};\n',
    });
    const deletion = async (name: string) => {
      const target = { name_path_pattern: name, relative_path: 'jobs.ts' };
      return (await client.call('safe_delete_symbol', target)).blocks.join('\n');
    };
    expect(await deletion('timer')).toContain('its initial value may have done something besides');
    expect(await deletion('size')).not.toContain('besides');
  },
  timeoutMs,
);

test(
  'a rename says what takes the name for users of the program',
  async () => {
    const { client } = await openShared({
      'cli.py': `import click


@click.command()
def run_all():
    pass


@click.command("named")
def other():
    pass
`,
    });
    const rename = async (name: string, newName: string) => {
      const target = { name_path: name, relative_path: 'cli.py', new_name: newName };
      return (await client.call('rename_symbol', target)).blocks.join('\n');
    };
    expect(await rename('run_all', 'run_each')).toContain(
      'users of the program may know `run_all` by its name: `@click.command` takes it',
    );
    expect(await rename('other', 'another')).not.toContain('users of the program');
  },
  timeoutMs,
);
