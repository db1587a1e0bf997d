import { existsSync } from 'node:fs';
import { setInYaml } from '../../base/yaml-edit.ts';
import { editUserConfig } from '../../config/edit-user-config.ts';
import { loadUserConfig, userConfigPath } from '../../config/user-config.ts';
import { ownCaller } from '../caller.ts';
import type { Environment } from '../environment.ts';
import { loadUser } from '../load-user.ts';
import { clients } from './clients/clients.ts';
import { isPresent } from './clients/present.ts';

/**
 * Creates the user's configuration if it does not exist, and prints the next steps. Writes the backend if one is given or
 * the file is new.
 *
 * @throws {ExpectedError} `config.invalid` for a broken file, `install.home-unusable`, `lock.held`.
 */
export async function initialize(backend: string | undefined, environment: Environment): Promise<void> {
  const { env, version } = environment;
  // Throws for a broken file, which must not be changed.
  const { home } = await loadUser(env);
  const isNew = !existsSync(userConfigPath(home));
  await editUserConfig(home, env, (text) =>
    backend !== undefined || isNew ? setInYaml(text, 'language_backend', backend ?? 'LSP') : text,
  );
  const { language_backend: stored = 'LSP' } = await loadUserConfig(home);
  const present = clients.filter((client) => isPresent(client, environment));
  const lines = [
    `Serena ${version}`,
    `Configuration: ${userConfigPath(home)}${isNew ? ' (new)' : ''}`,
    `Language backend: ${stored}`,
    ...(present.length > 0
      ? ['', 'To use Serena in a client, run:', ...present.map(({ id }) => `  serena setup ${id}`), '']
      : []),
    'run `serena doctor` to see what is configured and what is missing',
  ];
  ownCaller.print(`${lines.join('\n')}\n`);
}
