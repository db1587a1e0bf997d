// The hooks in the released clients: what they say reaches the model.
import { expect } from 'bun:test';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { sharedStore } from '../support/homes.ts';
import { whyNoNamespaces, withoutRouteAndProcesses } from '../support/no-route.ts';
import { installRealClient, realClients } from '../support/real-clients.ts';
import { testUnless } from '../support/skip.ts';
import { makeTempDir } from '../support/temp.ts';
import { makeWorkspace } from '../support/workspace.ts';

const Scene = z.object({
  ...{ names: z.boolean(), facts: z.boolean(), verify: z.boolean() },
  outputs: z.array(z.string()),
});

const whyNot =
  process.platform === 'linux' ? whyNoNamespaces(withoutRouteAndProcesses) : 'the packages for Linux are used';

for (const client of realClients.filter(({ edit }) => edit !== undefined)) {
  testUnless(whyNot)(
    `${client.id} ${client.version} shows the model what a search found, what an edit breaks, and the list at the end`,
    async () => {
      const path = await installRealClient(client);
      await using project = makeWorkspace({
        '.serena/project.yml': '',
        'shop.py': 'class Basket:\n    pass\n',
        'use.py': 'from shop import Basket\n\nprint(Basket())\n',
      });
      project.initGit();
      const home = makeTempDir('client-home');
      const script = join(import.meta.dir, 'hooks-scene.ts');
      const [command = '', ...args] = [...withoutRouteAndProcesses, process.execPath, '--no-install', script];
      const service = { SERENA_SERVICE: 'auto', SERENA_SERVICE_TIMEOUT: '60', XDG_RUNTIME_DIR: '' };
      const env = { ...process.env, ...sharedStore, ...service, SERENA_HOME: join(home, '.serena') };
      const options = { env, maxBuffer: 50_000_000 };
      const scene = [client.id, path, home, project.root];
      const { stdout } = await promisify(execFile)(command, [...args, ...scene], options);
      const { outputs, ...seen } = Scene.parse(JSON.parse(stdout));
      expect(seen, outputs.join('\n')).toEqual({ names: true, facts: true, verify: true });
    },
    600_000,
  );
}
