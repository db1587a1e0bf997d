import { resolve } from 'node:path';
import { tryStat } from '../base/file-state.ts';
import { log } from '../base/log.ts';
import { realPath, relativeWithin } from '../base/paths.ts';
import type { ProjectConfig } from '../config/project-config.ts';
import { warnUntrusted } from '../config/trust.ts';

/**
 * Returns the absolute paths of the workspace folders for language servers. Directories that do not exist are ignored,
 * and those outside the root unless the project is trusted. Without any the result is the root.
 */
export function workspaceFolders(root: string, config: ProjectConfig, isTrusted: boolean): readonly string[] {
  const keys = [
    ['ls_workspace_folders', config.workspaceFolders],
    ['ls_additional_workspace_folders', config.additionalWorkspaceFolders],
  ] as const;
  const directories = keys.flatMap(([key, listed]) => {
    return listed.flatMap((entry) => {
      const directory = resolve(root, entry);
      if (tryStat(directory)?.isDirectory() !== true) {
        log('project').warn(`Ignored \`${entry}\` in \`${key}\` of \`${config.path}\`: the directory does not exist`);
        return [];
      }
      if (isTrusted || relativeWithin(realPath(root), realPath(directory)) !== undefined) return [directory];
      warnUntrusted(`\`${entry}\` in \`${key}\``, config.path);
      return [];
    });
  });
  return directories.length === 0 ? [root] : [...new Set(directories)];
}
