import { findFile } from './files/find-file.ts';
import { listDir } from './files/list-dir.ts';
import { readFile } from './files/read-file.ts';
import { searchForPattern } from './files/search-for-pattern.ts';
import { activateProject } from './projects/activate-project.ts';
import { getCurrentConfig } from './projects/get-current-config.ts';
import { executeShellCommand } from './shell/execute-shell-command.ts';
import { findReferencingSymbols } from './symbols/find-referencing-symbols.ts';
import { findSymbol } from './symbols/find-symbol.ts';
import { getSymbolsOverview } from './symbols/get-symbols-overview.ts';
import type { Tool } from './tool.ts';
import { initialInstructions } from './workflow/initial-instructions.ts';

/** Every tool there is, in the order in which clients see them. */
export const tools: readonly Tool[] = [
  readFile,
  listDir,
  findFile,
  searchForPattern,
  getSymbolsOverview,
  findSymbol,
  findReferencingSymbols,
  activateProject,
  getCurrentConfig,
  initialInstructions,
  executeShellCommand,
];

/** Tools of older versions that can be called and are never listed. */
export const legacyTools: readonly Tool[] = [];
