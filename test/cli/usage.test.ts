import { describe, expect, test } from 'bun:test';
import packageFile from '../../package.json' with { type: 'json' };
import { servers } from '../../src/languages/servers.ts';
import { runProgram } from '../support/program.ts';

describe('version', () => {
  test.each(['--version', '-V'])('is that of the package: %s', async (flag) => {
    const ended = await runProgram([flag]);
    expect(ended).toEqual({ code: 0, stdout: `Serena ${packageFile.version}\n`, stderr: '' });
  });
});

describe('an invalid command line exits with code 2 and hints:', () => {
  test.each([
    ['start-mcp-sever', 'start-mcp-sever', 'did you mean start-mcp-server?'],
    ['servers instal python', 'instal', 'did you mean install?'],
    ['--versoin', '--versoin', 'did you mean --version?'],
    ['start-mcp-server --projct x', '--projct', 'did you mean --project?'],
    ['start-mcp-server --log-levle DEBUG', '--log-levle', 'did you mean --log-level?'],
    ['start-mcp-server --project', '--project <name-or-path>', 'missing'],
    ['start-mcp-server --project x --project-from-cwd', '--project <name-or-path>', '--project-from-cwd'],
    ['start-mcp-server --project-from-cwd --project x', '--project <name-or-path>', '--project-from-cwd'],
    ['start-mcp-server --log-level LOUD', 'LOUD', 'DEBUG, INFO, WARNING, ERROR, CRITICAL'],
    ['start-mcp-server --tool-timeout soon', 'soon', 'number of seconds'],
    ['start-mcp-server --tool-timeout Infinity', 'Infinity', 'number of seconds'],
    ['start-mcp-server --tool-timeout=', '--tool-timeout', 'number of seconds'],
    ['start-mcp-server --transport http', 'http', 'stdio, streamable-http, sse'],
    ['start-mcp-server --port eighty', 'eighty', '65535'],
    ['start-mcp-server some extra', 'extra', 'too many arguments'],
    ['start-mcp-server some --project-from-cwd', '--project-from-cwd', 'remove one of them'],
    ['start-mcp-server --project-file x --project-from-cwd', '--project-file', '--project-from-cwd'],
    ['start-mcp-server --enable-web-dashboard perhaps', 'perhaps', 'true or false'],
    ['setup --remove', 'name of a client', 'add the name'],
    ['setup cursor --prnt', '--prnt', 'did you mean --print?'],
    ['init --language-backend VIM', 'VIM', 'LSP, JetBrains'],
    ['project indx', 'indx', 'did you mean index?'],
    ['project index --timeout 0', '--timeout', 'above 0'],
    ['project create --language pythn', '`pythn`', 'did you mean `python`?'],
    ['project index-file', 'file', 'missing'],
    ['project is_ignored_path', 'path', 'missing'],
    ['project remove', 'project', 'missing'],
    ['context create', '--name', '--from-internal'],
    ['mode create --name ../x', '../x', 'letters'],
    ['tools call', 'tool', 'missing'],
    ['tools call read_file {bad', 'JSON', 'single quotes'],
    ['tools call read_file --project x --project-from-cwd', '--project <name-or-path>', '--project-from-cwd'],
    ['tools description red_file', '`red_file`', 'did you mean `read_file`?'],
    ['hooks show-config --client vim', '`vim`', 'claude-code, codebuddy, vscode, codex, grok'],
    ['servers install', 'select language servers', '--project'],
    ['servers install nosuch', '`nosuch`', servers.map(({ id }) => id).join(', ')],
    ['servers install python pythn', '`pythn`', 'python'],
  ])('%s', async (line, wrong, accepted) => {
    const { code, stdout, stderr } = await runProgram(line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toStartWith('error: ');
    expect(stderr).toContain(wrong);
    expect(stderr).toContain(accepted);
    expect(stderr).not.toMatch(/^\s+at |^\(|Allowed choices|argument '|\.$/m);
    expect(stderr).toContain('\nhint: ');
  });
});
