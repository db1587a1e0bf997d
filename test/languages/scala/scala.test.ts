// Metals itself needs Java and a build: a stub in its place leaves daemons, as Metals does with Bloop.
import { expect } from 'bun:test';
import { startClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { makeHome, stubServers } from '../../support/homes.ts';
import { canListProcesses, type Found, findMarked, isAlive } from '../../support/processes.ts';
import { testUnless } from '../../support/skip.ts';
import { makeWorkspace } from '../../support/workspace.ts';

const timeoutMs = 120_000;
const testWithProcesses = testUnless(canListProcesses ? undefined : 'processes can be listed on Linux only');

/** Returns the daemons that still run after a server with these settings was stopped. */
async function daemonsAfter(settings: object): Promise<Found[]> {
  const project = makeWorkspace({ 'a.scala': 'class Basket\n', '.serena/project.yml': 'language_servers: [scala]\n' });
  const { ls_specific_settings } = stubServers({ scala: 'starts-daemons' });
  const home = makeHome({ ls_specific_settings: { scala: { ...ls_specific_settings.scala, ...settings } } });
  const client = await startClient({ args: ['--project', project.root], env: { SERENA_HOME: home } });
  await client.ask('get_symbols_overview', { relative_path: 'a.scala' });
  const daemons = await eventually('both daemons to run', () => {
    const found = findMarked(client.mark).filter(({ command }) => /BloopServer|other\.Daemon/.test(command));
    if (found.length < 2) throw new Error(`${found.length} of them run`);
    return found;
  });
  await client.close();
  return daemons.filter(({ pid }) => isAlive(pid));
}

const namesOf = (daemons: readonly Found[]) => daemons.map(({ command }) => command.split(' ').at(-1)).sort();

testWithProcesses(
  'Bloop ends with Metals if `terminate_bloop_on_stop` is set, and no other daemon does',
  async () => {
    const left = await daemonsAfter({ terminate_bloop_on_stop: true });
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    expect(namesOf(left)).toEqual(['other.Daemon']);
  },
  timeoutMs,
);

testWithProcesses(
  'without the setting Bloop keeps running for the next start',
  async () => {
    const left = await daemonsAfter({});
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    expect(namesOf(left)).toEqual(['bloop.BloopServer', 'other.Daemon']);
  },
  timeoutMs,
);
