import { canonicalToolName } from './arguments.ts';
import { configTools, searchTools, switchModes } from './config.ts';
import { applyEdits } from './file-operations/apply-edits.ts';
import { editHistory } from './file-operations/edit-history.ts';
import { lineTools } from './file-operations/edit-lines.ts';
import { createTextFile, replaceContent, replaceRegex } from './file-operations/edit-text.ts';
import { readFile } from './file-operations/read-file.ts';
import { replaceInFiles } from './file-operations/replace-in-files.ts';
import { findFile, listDir, searchForPattern } from './file-operations/search-files.ts';
import { ideCheckTools } from './jetbrains/inspections.ts';
import { ideRefactorings } from './jetbrains/refactorings.ts';
import { ideSymbolTools } from './jetbrains/symbols.ts';
import { memoryTools } from './memory.ts';
import { runCode } from './run-code.ts';
import { executeShellCommand } from './shell.ts';
import { changeSignature } from './symbolic-edit/change-signature.ts';
import { codeActionTools } from './symbolic-edit/code-actions.ts';
import { safeDeleteSymbol, symbolTextTools } from './symbolic-edit/edit-symbols.ts';
import { formatCode } from './symbolic-edit/format-code.ts';
import { renameTools } from './symbolic-edit/rename-and-move.ts';
import { rewriteStructure } from './symbolic-edit/rewrite-structure.ts';
import { listAffectedFiles } from './symbolic-read/affected-files.ts';
import { changedSymbols } from './symbolic-read/changed-symbols.ts';
import { findDeclaration, findDefiningSymbolAtLocation } from './symbolic-read/declarations.ts';
import { diagnosticsTools } from './symbolic-read/diagnostics.ts';
import { exploreSymbol } from './symbolic-read/explore-symbol.ts';
import { findPath } from './symbolic-read/find-path.ts';
import { findSymbol } from './symbolic-read/find-symbol.ts';
import { findUnused } from './symbolic-read/find-unused.ts';
import { findImplementations, symbolHierarchy } from './symbolic-read/hierarchy.ts';
import { listNamedSymbols } from './symbolic-read/named-symbols.ts';
import { getSymbolsOverview } from './symbolic-read/overview.ts';
import { findReferencingSymbols } from './symbolic-read/references.ts';
import { searchStructure } from './symbolic-read/search-structure.ts';
import { verifyChanges } from './symbolic-read/verify-changes.ts';
import type { Tool } from './tool.ts';
import { checkOnboardingPerformed, initialInstructions, onboarding, promptTools, serenaInfo } from './workflow.ts';

/** All tools, in the order in which clients list them. */
export const tools: readonly Tool[] = [
  ...[readFile, createTextFile, listDir, findFile, searchForPattern, replaceContent, replaceInFiles],
  ...[...lineTools, applyEdits, editHistory],
  ...[getSymbolsOverview, findSymbol, findReferencingSymbols, findImplementations, findDeclaration],
  ...[
    symbolHierarchy,
    findPath,
    findUnused,
    searchStructure,
    exploreSymbol,
    changedSymbols,
    verifyChanges,
    ...diagnosticsTools,
  ],
  ...[
    ...symbolTextTools,
    ...renameTools,
    changeSignature,
    rewriteStructure,
    formatCode,
    ...codeActionTools,
    safeDeleteSymbol,
  ],
  ...memoryTools,
  ...configTools,
  ...[runCode, onboarding, initialInstructions, serenaInfo],
  executeShellCommand,
  ...[...ideSymbolTools, ...ideRefactorings, ...ideCheckTools],
  // Tools of other versions of the reference.
  ...[searchTools, switchModes, checkOnboardingPerformed, ...promptTools],
];

/** Tools that can be called but are never listed: those of older versions, and what only commands ask. */
export const unlistedTools: readonly Tool[] = [
  replaceRegex,
  findDefiningSymbolAtLocation,
  listAffectedFiles,
  listNamedSymbols,
];

/** Returns the tool with a name or alias, active or not. */
export function findTool(name: string): Tool | undefined {
  const canonical = canonicalToolName(name);
  return [...tools, ...unlistedTools].find((candidate) => candidate.name === canonical);
}
