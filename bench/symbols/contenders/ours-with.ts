import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { benchBinary } from '../../speed/ours.ts';
import type { Contender, Language } from '../model.ts';
import { copyOfPackage } from '../running/contender-directory.ts';
import { hashOfFile } from '../running/hash-of-file.ts';
import { installServer } from '../running/install-server.ts';
import { startOurs } from './ours.ts';

/** Returns this product with another language server than the default of a language, so that defaults can be compared. */
export function oursWith(serverId: string, language: Language): Contender {
  return {
    name: `this product, \`${serverId}\``,
    adapter: join(import.meta.dirname, 'ours.ts'),
    language,
    version: () => hashOfFile(benchBinary),

    async start(pack, sources) {
      await installServer(serverId);
      const directory = copyOfPackage(pack, sources, `ours-${serverId}`);
      mkdirSync(join(directory, '.serena'));
      // JSON is YAML, too.
      const settings = { project_name: pack.name, language_servers: [serverId] };
      writeFileSync(join(directory, '.serena/project.yml'), JSON.stringify(settings));
      return startOurs(directory);
    },
  };
}
