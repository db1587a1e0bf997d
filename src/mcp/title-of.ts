import { capitalized } from '../base/capitalized.ts';

/** Returns the title of a tool or a parameter: `find_symbol` → `Find Symbol`. */
export function titleOf(name: string): string {
  return name.split('_').map(capitalized).join(' ');
}
