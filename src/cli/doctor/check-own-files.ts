import { loadContext } from '../../config/context.ts';
import { loadMode } from '../../config/mode.ts';
import { listNamedFiles, type NamedFileKind } from '../../config/named-file.ts';
import { listPrompts } from '../../prompts/prompt-files.ts';
import { checkContextTools, checkToolNames } from '../../session/tool-names.ts';
import { type Finding, problemOf } from './finding.ts';

/** Checks that the user's contexts, modes and prompts can be read and name only tools that exist. */
export async function checkOwnFiles(home: string): Promise<Finding[]> {
  const own = (kind: NamedFileKind) => listNamedFiles(kind, home).filter(({ path }) => path !== undefined);
  const findings = await Promise.all([
    ...own('contexts').map(({ name }) => problems(async () => checkContextTools(await loadContext(name, home)))),
    ...own('modes').map(({ name }) => problems(async () => checkToolNames(await loadMode(name, home)))),
  ]);
  return [...findings.flat(), ...(await problems(() => listPrompts(home)))];
}

async function problems(check: () => Promise<unknown>): Promise<Finding[]> {
  try {
    await check();
    return [];
  } catch (error) {
    return [problemOf('configuration', error)];
  }
}
