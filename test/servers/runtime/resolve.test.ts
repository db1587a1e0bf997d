import { describe, expect, test } from 'bun:test';
import { utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ExpectedError, messageOf } from '../../../src/base/errors.ts';
import { parseServerSettings, type ServerSettings } from '../../../src/servers/assignment/settings.ts';
import { serverIdentity } from '../../../src/servers/runtime/identity.ts';
import { type ResolvedServer, resolveServer } from '../../../src/servers/runtime/resolve.ts';
import { fakeInstall, makePrograms, serverNamed } from '../../support/fake-install.ts';
import { makeTempDir } from '../../support/temp.ts';
import { patientCall } from '../opened.ts';

const directories = { root: '/p', cache: '/c', temp: '/t' };

interface Machine {
  readonly home: string;
  readonly bin: string;
  readonly env: Readonly<Record<string, string>>;
}

/** An environment in which nothing can be fetched, with these programs on its `PATH`. */
function machine(...programs: string[]): Machine {
  const [home, bin] = [makeTempDir('home'), makeTempDir('bin')];
  makePrograms(bin, ...programs);
  return { home, bin, env: { PATH: bin, SERENA_OFFLINE: '1' } };
}

function resolve(id: string, { home, env }: Machine, settings: unknown = {}): Promise<ResolvedServer> {
  const scope = { place: { home, env }, call: patientCall(), directories };
  return resolveServer(serverNamed(id), parseServerSettings(settings), scope);
}

/** Returns program and arguments, in one list. */
async function commandLine(id: string, on: Machine, settings: ServerSettings = {}): Promise<string[]> {
  const { command } = await resolve(id, on, settings);
  if ('port' in command) throw new Error('not started but connected to');
  return [command.command, ...command.args];
}

async function failure(id: string, on: Machine, settings: ServerSettings = {}): Promise<ExpectedError> {
  const error = await resolve(id, on, settings).catch((reason: unknown) => reason);
  if (error instanceof ExpectedError) return error;
  throw new Error(`${id} is here, or it failed unexpectedly: ${messageOf(error)}`);
}

describe('a program on `PATH`', () => {
  test('runs a server that is not fetched', async () => {
    const on = machine('zls', 'haskell-language-server-wrapper');
    expect(await commandLine('zig', on)).toEqual([join(on.bin, 'zls')]);
    const haskell = [join(on.bin, 'haskell-language-server-wrapper'), '--lsp', '--cwd', '/p'];
    expect(await commandLine('haskell', on)).toEqual(haskell);
  });

  test('is found by the first of its names', async () => {
    const on = machine('qmlls6', 'qmlls');
    expect(await commandLine('qml', on)).toEqual([join(on.bin, 'qmlls6')]);
  });

  test('is preferred to a fetched one if the spec says so', async () => {
    const on = machine('lua-language-server');
    fakeInstall(on.home, 'lua');
    expect((await commandLine('lua', on))[0]).toBe(join(on.bin, 'lua-language-server'));
  });

  test.each([
    ['java', 'jdtls'],
    ['kotlin', 'kotlin-lsp'],
    ['clojure', 'clojure-lsp'],
    ['terraform', 'terraform-ls'],
    ['markdown', 'marksman'],
    ['latex', 'texlab'],
    ['ada', 'ada_language_server'],
    ['dart', 'dart'],
  ])('comes before what is published as a release: %s', async (id, program) => {
    const on = machine(program);
    expect((await commandLine(id, on))[0]).toBe(join(on.bin, program));
  });

  test('is preferred to a fetched one of any server only with SERENA_PREFER=system', async () => {
    const on = machine('cue', 'pyright-langserver');
    const directory = fakeInstall(on.home, 'cue');
    expect(await commandLine('cue', on)).toEqual([join(directory, 'cue'), 'lsp']);
    const preferring = { ...on, env: { ...on.env, SERENA_PREFER: 'system' } };
    expect(await commandLine('cue', preferring)).toEqual([join(on.bin, 'cue'), 'lsp']);
    expect(await commandLine('python', preferring)).toEqual([join(on.bin, 'pyright-langserver'), '--stdio']);
  });

  test('may be a program that runs the server', async () => {
    const on = machine('opam');
    const command = [join(on.bin, 'opam'), 'exec', '--', 'ocamllsp', '--fallback-read-dot-merlin'];
    expect(await commandLine('ocaml', on)).toEqual(command);
    makePrograms(on.bin, 'ocamllsp');
    expect((await commandLine('ocaml', on))[0]).toBe(join(on.bin, 'ocamllsp'));
  });

  test('starts in the project if required', async () => {
    const { command } = await resolve('gleam', machine('gleam'));
    expect(command).toMatchObject({ cwd: '/p', args: ['lsp'] });
    const on = machine('zls');
    expect((await resolve('zig', on)).command).toMatchObject({ cwd: on.home });
  });
});

describe('without the program, the error says how to install it', () => {
  test.each([
    ['zig', 'cannot find zls on `PATH`', 'install Zig and the zls of the same version'],
    ['ruby', 'cannot find ruby-lsp on `PATH`', 'gem install ruby-lsp -v 0.26.11'],
    ['fsharp', 'cannot find FsAutoComplete on `PATH`', 'dotnet tool install --global fsautocomplete --version 0.83.0'],
    ['bsl', 'BSL Language Server needs `java`', 'install Java 21 or newer'],
    ['php_phpactor', 'Phpactor needs `php`', 'install PHP 8.1 or newer'],
    ['elixir', 'Expert needs `elixir`', 'install Elixir and Erlang/OTP'],
    ['matlab', 'MATLAB language server needs `matlab`', 'install MATLAB'],
    ['msl', 'cannot find mSL language server', 'no language server for mSL is published'],
  ])('%s', async (id, message, hint) => {
    const error = await failure(id, machine());
    expect(error.code).toBe('install.runtime-missing');
    expect(error.message).toContain(message);
    expect(error.hints.join('\n')).toContain(hint);
  });

  test('and nothing is fetched in vain', async () => {
    const error = await failure('nextflow', machine());
    expect(error.message).not.toContain('SERENA_OFFLINE');
    expect((await failure('nextflow', machine('java'))).message).toContain('SERENA_OFFLINE');
  });
});

describe('a server from another package manager', () => {
  const gem = [
    'while [ "$1" != --install-dir ]; do shift; done',
    'mkdir -p "$2/bin"',
    'printf "#!/bin/sh\\n" > "$2/bin/ruby-lsp"',
  ];

  test('is installed only if the user allows it unverified', async () => {
    const on = machine();
    writeFileSync(join(on.bin, 'gem'), `#!/bin/sh\n${gem.join('\n')}\n`, { mode: 0o755 });
    const env = { PATH: `${on.bin}:/usr/bin:/bin` };
    const error = await failure('ruby', { ...on, env });
    expect(error.hints.join('\n')).toContain('`verify: false` in `ls_specific_settings.ruby`');
    const { command } = await resolve('ruby', { ...on, env }, { verify: false });
    if ('port' in command) throw new Error('not started but connected to');
    expect(command.command).toStartWith(join(on.home, 'language_servers', 'servers', 'ruby'));
    expect(command.command).toEndWith(join('bin', 'ruby-lsp'));
    expect(command.env.GEM_PATH).toBe(dirname(dirname(command.command)));
    // The user's own program takes precedence.
    makePrograms(on.bin, 'ruby-lsp');
    expect((await commandLine('ruby', { ...on, env }, { verify: false }))[0]).toBe(join(on.bin, 'ruby-lsp'));
  });
});

describe('a fetched server is run', () => {
  test('by the Java of `JAVA_HOME`, of a setting, or of `PATH`', async () => {
    const on = machine('java');
    const directory = fakeInstall(on.home, 'nextflow');
    const jar = ['-jar', join(directory, 'language-server-all.jar')];
    expect(await commandLine('nextflow', on)).toEqual([join(on.bin, 'java'), ...jar]);
    const [home, mine] = [makeTempDir('jdk'), makeTempDir('jdk')];
    for (const jdk of [home, mine]) makePrograms(join(jdk, 'bin'), 'java');
    const named = { ...on, env: { ...on.env, JAVA_HOME: home } };
    expect(await commandLine('nextflow', named)).toEqual([join(home, 'bin', 'java'), ...jar]);
    const settings = { java_home: mine, jvm_options: ['-Xmx1G', '-Xss4m'] };
    expect(await commandLine('nextflow', named, settings)).toEqual([
      ...[join(mine, 'bin', 'java'), '-Xmx1G', '-Xss4m'],
      ...jar,
    ]);
  });

  test('by the Java that it contains', async () => {
    const on = machine();
    const launcher = 'extension/server/plugins/org.eclipse.equinox.launcher_1.7.100.jar';
    const files = ['extension/jre/21.0.9-x/bin/java', 'extension/lombok/lombok-1.18.jar', launcher];
    const directory = fakeInstall(on.home, 'java', files);
    const command = await commandLine('java', on, { jdtls_xmx: '8G' });
    expect(command[0]).toBe(join(directory, 'extension/jre/21.0.9-x/bin/java'));
    expect(command).toContain('-Xmx8G');
    expect(command).toContain('-Xms100m');
    expect(command).toContain(`-javaagent:${join(directory, 'extension/lombok/lombok-1.18.jar')}`);
    expect(command.slice(-6)).toEqual([
      ...['-jar', join(directory, launcher)],
      ...['-configuration', '/c/configuration', '-data', '/c/workspace'],
    ]);
    expect((await resolve('java', on)).command).toMatchObject({
      env: { JAVA_HOME: join(directory, 'extension/jre/21.0.9-x') },
    });
  });

  test('and an installation without it is an error', async () => {
    const on = machine();
    fakeInstall(on.home, 'java', ['extension/server/plugins/none.jar']);
    const error = await failure('java', on);
    expect(error.code).toBe('install.runtime-missing');
    expect(error.message).toContain('is missing from the installation');
  });

  test('by this program itself, if it is JavaScript', async () => {
    const on = machine('haxe');
    const directory = fakeInstall(on.home, 'haxe');
    const command = await commandLine('haxe', on);
    expect(command[0]).toBe(process.execPath);
    expect(command.at(-1)).toBe(join(directory, 'extension/bin/server.js'));
  });

  test("by another program, with this program's directories in its arguments", async () => {
    const on = machine('pwsh');
    const directory = fakeInstall(on.home, 'powershell');
    const command = await commandLine('powershell', on);
    const script = join(directory, 'PowerShellEditorServices/Start-EditorServices.ps1');
    expect(command.slice(0, 5)).toEqual([join(on.bin, 'pwsh'), '-NoLogo', '-NoProfile', '-File', script]);
    expect(command).toContain(directory);
    expect(command).toContain('/t/session.json');
  });

  test('with options for Java before those of the user', async () => {
    const on = machine('jdtls');
    const { command } = await resolve('java', { ...on, env: { ...on.env, JAVA_TOOL_OPTIONS: '-Duser.option=1' } });
    const parallel = '-Djava.util.concurrent.ForkJoinPool.common.parallelism=64';
    expect(command).toMatchObject({ env: { JAVA_TOOL_OPTIONS: `${parallel} -Duser.option=1` } });
    const { command: plain } = await resolve('java', on);
    expect(plain).toMatchObject({ env: { JAVA_TOOL_OPTIONS: parallel } });
  });

  test('with an environment from the settings', async () => {
    const on = machine('pasls');
    const { command } = await resolve('pascal', on, { fpcdir: '/fpc' });
    expect(command).toMatchObject({ env: { FPCDIR: '/fpc' } });
    expect(Object.keys('env' in command ? command.env : {})).not.toContain('LAZARUSDIR');
  });
});

describe('the keys that all servers have', () => {
  test.each(['zig', 'java', 'gdscript', 'ruby', 'bsl'])('replace the program and its arguments: %s', async (id) => {
    const on = machine();
    const own = await commandLine(id, on, { ls_base_cmd: ['/own', 'first'], ls_args: ['a'], ls_extra_args: ['z'] });
    expect(own).toEqual(['/own', 'first', 'a', 'z']);
    const path = await commandLine(id, on, { ls_path: '/own', ls_extra_args: ['z'] });
    expect([path[0], path.at(-1)]).toEqual(['/own', 'z']);
  });

  test('run a JAR, a script and an assembly by their runtimes', async () => {
    const on = machine('java', 'dotnet', 'php');
    expect(await commandLine('groovy', on, { ls_jar_path: '/x/server.jar' })).toEqual([
      ...[join(on.bin, 'java'), '-jar', '/x/server.jar'],
    ]);
    const csharp = await commandLine('csharp', on, { ls_path: '/x/Server.dll', ls_args: [] });
    expect(csharp).toEqual([join(on.bin, 'dotnet'), '/x/Server.dll']);
    const php = await commandLine('php_phpactor', on, { ls_path: '/x/phpactor.phar' });
    expect(php).toEqual([join(on.bin, 'php'), '/x/phpactor.phar', 'language-server']);
    const haxe = await commandLine('haxe', on, { ls_path: '/x/server.js' });
    expect([haxe[0], haxe.at(-1)]).toEqual([process.execPath, '/x/server.js']);
  });
});

describe('serverIdentity()', () => {
  const identity = (id: string, { env }: Machine, settings: ServerSettings = {}) =>
    serverIdentity(serverNamed(id), settings, env);

  test('changes when a program on `PATH` is replaced, comes or goes', () => {
    const on = machine('zls');
    const first = identity('zig', on);
    expect(identity('zig', on)).toBe(first);
    writeFileSync(join(on.bin, 'zls'), '#!/bin/sh\n# another version\n');
    const second = identity('zig', on);
    expect(second).not.toBe(first);
    utimesSync(join(on.bin, 'zls'), 1, 1);
    expect(identity('zig', on)).not.toBe(second);
    expect(identity('zig', machine())).not.toBe(first);
  });

  test('changes with the file that the user names, also as an argument of another program', () => {
    const on = machine();
    const script = join(makeTempDir('own'), 'server.js');
    for (const settings of [{ ls_path: script }, { ls_base_cmd: ['node', script] }] satisfies ServerSettings[]) {
      writeFileSync(script, 'one');
      const first = identity('zig', on, settings);
      writeFileSync(script, 'longer');
      expect(identity('zig', on, settings)).not.toBe(first);
    }
  });

  test('changes when a preferred program replaces a fetched one', () => {
    const on = machine('cue');
    const preferring = { ...on, env: { ...on.env, SERENA_PREFER: 'system' } };
    expect(identity('cue', preferring)).not.toBe(identity('cue', on));
    expect(identity('cue', machine())).toBe(identity('cue', on));
  });

  test('changes with settings that only this server has', () => {
    const on = machine();
    expect(identity('java', on, { jdtls_xmx: '8G' })).not.toBe(identity('java', on));
  });
});
