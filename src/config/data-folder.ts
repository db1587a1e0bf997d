import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { ExpectedError } from '../base/errors.ts';

/**
 * Returns the absolute path of a project's data folder: the configured place if it exists, else `<root>/.serena` if that
 * exists, else the configured place, yet to be made.
 *
 * @throws {ExpectedError} `config.invalid` for an unknown `$placeholder` in `template`.
 */
export function dataFolder(root: string, template: string): string {
  const filled = template.replaceAll(/\$(\w+)/g, (whole, name: string) => {
    if (name === 'projectDir') return root;
    if (name === 'projectFolderName') return basename(root);
    throw new ExpectedError(
      'config.invalid',
      `Unknown placeholder \`${whole}\` in \`project_serena_folder_location\``,
      {
        hints: ['Use `$projectDir` and `$projectFolderName` only'],
      },
    );
  });
  const configured = resolve(root, filled);
  const usual = join(root, '.serena');
  return !existsSync(configured) && existsSync(usual) ? usual : configured;
}
