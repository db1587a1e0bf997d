import { createTextFile } from './files/create-text-file.ts';
import { deleteLines } from './files/delete-lines.ts';
import { findFile } from './files/find-file.ts';
import { insertAtLine } from './files/insert-at-line.ts';
import { listDir } from './files/list-dir.ts';
import { readFile } from './files/read-file.ts';
import { replaceContent } from './files/replace-content.ts';
import { replaceInFiles } from './files/replace-in-files.ts';
import { replaceLines } from './files/replace-lines.ts';
import { replaceRegex } from './files/replace-regex.ts';
import { searchForPattern } from './files/search-for-pattern.ts';
import { activateProject } from './projects/activate-project.ts';
import { getCurrentConfig } from './projects/get-current-config.ts';
import { executeShellCommand } from './shell/execute-shell-command.ts';
import { findDeclaration } from './symbols/find-declaration.ts';
import { findDefiningSymbolAtLocation } from './symbols/find-defining-symbol-at-location.ts';
import { findImplementations } from './symbols/find-implementations.ts';
import { findReferencingSymbols } from './symbols/find-referencing-symbols.ts';
import { findSymbol } from './symbols/find-symbol.ts';
import { getDiagnosticsForFile } from './symbols/get-diagnostics-for-file.ts';
import { getDiagnosticsForSymbol } from './symbols/get-diagnostics-for-symbol.ts';
import { getSymbolsOverview } from './symbols/get-symbols-overview.ts';
import { insertAfterSymbol } from './symbols/insert-after-symbol.ts';
import { insertBeforeSymbol } from './symbols/insert-before-symbol.ts';
import { renameSymbol } from './symbols/rename-symbol.ts';
import { replaceSymbolBody } from './symbols/replace-symbol-body.ts';
import { safeDeleteSymbol } from './symbols/safe-delete-symbol.ts';
import type { Tool } from './tool.ts';
import { initialInstructions } from './workflow/initial-instructions.ts';

/** Every tool there is, in the order in which clients see them. */
export const tools: readonly Tool[] = [
  readFile,
  createTextFile,
  listDir,
  findFile,
  searchForPattern,
  replaceContent,
  replaceInFiles,
  deleteLines,
  replaceLines,
  insertAtLine,
  getSymbolsOverview,
  findSymbol,
  findReferencingSymbols,
  findImplementations,
  findDeclaration,
  getDiagnosticsForFile,
  getDiagnosticsForSymbol,
  replaceSymbolBody,
  insertAfterSymbol,
  insertBeforeSymbol,
  renameSymbol,
  safeDeleteSymbol,
  activateProject,
  getCurrentConfig,
  initialInstructions,
  executeShellCommand,
];

/** Tools of older versions that can be called and are never listed. */
export const legacyTools: readonly Tool[] = [replaceRegex, findDefiningSymbolAtLocation];
