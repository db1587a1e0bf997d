import { resolve } from 'node:path';
import { tryStat } from '../base/file-state.ts';
import { log } from '../base/log.ts';
import { realPath, relativeWithin } from '../base/paths.ts';
import type { ProjectConfig } from '../config/project-config.ts';
import { warnUntrusted } from '../config/trust.ts';

/**
 * Returns the absolute paths of the directories that language servers are told of. Those outside the root count only for a
 * trusted project; those that do not exist are left out, and the root stands for none at all.
 */
export function workspaceFolders(root: string, config: ProjectConfig, isTrusted: boolean): readonly string[] {
  const keys = [
    ['ls_workspace_folders', config.workspaceFolders],
    ['ls_additional_workspace_folders', config.additionalWorkspaceFolders],
  ] as const;
  const directories = keys.flatMap(([key, listed]) => {
    return listed.flatMap((written) => {
      const directory = resolve(root, written);
      if (tryStat(directory)?.isDirectory() !== true) {
        log('project').warn(`Ignored \`${written}\` in \`${key}\` of \`${config.path}\`: there is no such directory`);
        return [];
      }
      if (isTrusted || relativeWithin(realPath(root), realPath(directory)) !== undefined) return [directory];
      warnUntrusted(`\`${written}\` in \`${key}\``, config.path);
      return [];
    });
  });
  return directories.length === 0 ? [root] : [...new Set(directories)];
}
