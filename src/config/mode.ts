import { z } from 'zod';
import { parsedResources } from '../generated/parsed-resources.ts';
import type { TemplateText } from './config-map.ts';
import { loadNamedFile, promptFileKeys } from './named-file.ts';
import { type ToolSelection, toolSelectionOf } from './tool-selection.ts';

const modeSchema = z.looseObject(promptFileKeys);

/** A way of working, such as `editing`: a prompt and a selection of tools; see docs/compatibility.md, Modes. */
export interface Mode extends ToolSelection {
  readonly name: string;
  readonly prompt: TemplateText;
}

/** Returns the mode called `name`; see {@link loadNamedFile} for its search order and errors. */
export async function loadMode(name: string, home: string): Promise<Mode> {
  const { content, placeOf, ...named } = await loadNamedFile('modes', name, { home, schema: modeSchema });
  return { name: named.name, prompt: named.prompt, ...toolSelectionOf(content, placeOf) };
}

/** Returns the internal mode for the JetBrains backend. Users cannot name it, and it applies before all others. */
export function jetbrainsMode(): Mode {
  const file = 'internal/jetbrains.yml';
  const content = modeSchema.parse(JSON.parse(parsedResources[file] ?? '{}'));
  const prompt = { text: content.prompt, file, firstLine: undefined };
  return { name: 'jetbrains', prompt, ...toolSelectionOf(content, () => file) };
}
