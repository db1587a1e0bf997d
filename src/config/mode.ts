import { loadNamedFile, promptFileSchema } from './named-file.ts';
import { type ToolSelection, toolSelectionOf } from './tool-selection.ts';

/** A way of working (`spec/system.md` §4). */
export interface Mode extends ToolSelection {
  readonly name: string;
  /** Jinja template. */
  readonly prompt: string;
}

/** Returns the mode called `name`; see {@link loadNamedFile} for where it comes from and what is thrown. */
export async function loadMode(name: string, home: string): Promise<Mode> {
  const { content, ...file } = await loadNamedFile('modes', name, { home, schema: promptFileSchema });
  return { name: file.name, prompt: content.prompt, ...toolSelectionOf(content) };
}
