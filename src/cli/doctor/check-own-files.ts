import { loadContext } from '../../config/context.ts';
import { loadMode } from '../../config/mode.ts';
import { listNamedFiles } from '../../config/named-files.ts';
import { listPrompts } from '../../prompts/prompt-files.ts';
import { type Finding, problemOf } from './finding.ts';

/** Looks at the contexts, modes and prompts that the user has written: whether each can be read. */
export async function checkOwnFiles(home: string): Promise<Finding[]> {
  const contexts = listNamedFiles('contexts', home).map((file) => ({ ...file, load: loadContext }));
  const modes = listNamedFiles('modes', home).map((file) => ({ ...file, load: loadMode }));
  const own = [...contexts, ...modes].filter(({ path }) => path !== undefined);
  const findings = await Promise.all(own.map(({ name, load }) => problems(() => load(name, home))));
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
