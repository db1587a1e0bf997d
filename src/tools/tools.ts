import { activateProject } from './config/activate-project.ts';
import { getCurrentConfig } from './config/get-current-config.ts';
import { listQueryableProjects } from './config/list-queryable-projects.ts';
import { openDashboard } from './config/open-dashboard.ts';
import { queryProject } from './config/query-project.ts';
import { removeProject } from './config/remove-project.ts';
import { restartLanguageServer } from './config/restart-language-server.ts';
import { searchTools } from './config/search-tools.ts';
import { switchModes } from './config/switch-modes.ts';
import { applyEdits } from './file-operations/apply-edits.ts';
import { createTextFile } from './file-operations/create-text-file.ts';
import { deleteLines } from './file-operations/delete-lines.ts';
import { editHistory } from './file-operations/edit-history.ts';
import { findFile } from './file-operations/find-file.ts';
import { insertAtLine } from './file-operations/insert-at-line.ts';
import { listDir } from './file-operations/list-dir.ts';
import { readFile } from './file-operations/read-file.ts';
import { replaceContent } from './file-operations/replace-content.ts';
import { replaceInFiles } from './file-operations/replace-in-files.ts';
import { replaceLines } from './file-operations/replace-lines.ts';
import { replaceRegex } from './file-operations/replace-regex.ts';
import { searchForPattern } from './file-operations/search-for-pattern.ts';
import { jetBrainsDebug } from './jetbrains/jet-brains-debug.ts';
import { jetBrainsFindDeclaration } from './jetbrains/jet-brains-find-declaration.ts';
import { jetBrainsFindImplementations } from './jetbrains/jet-brains-find-implementations.ts';
import { jetBrainsFindReferencingSymbols } from './jetbrains/jet-brains-find-referencing-symbols.ts';
import { jetBrainsFindSymbol } from './jetbrains/jet-brains-find-symbol.ts';
import { jetBrainsGetSymbolsOverview } from './jetbrains/jet-brains-get-symbols-overview.ts';
import { jetBrainsInlineSymbol } from './jetbrains/jet-brains-inline-symbol.ts';
import { jetBrainsListInspections } from './jetbrains/jet-brains-list-inspections.ts';
import { jetBrainsMove } from './jetbrains/jet-brains-move.ts';
import { jetBrainsRename } from './jetbrains/jet-brains-rename.ts';
import { jetBrainsRunInspections } from './jetbrains/jet-brains-run-inspections.ts';
import { jetBrainsSafeDelete } from './jetbrains/jet-brains-safe-delete.ts';
import { jetBrainsTypeHierarchy } from './jetbrains/jet-brains-type-hierarchy.ts';
import { deleteMemory } from './memory/delete-memory.ts';
import { editMemory } from './memory/edit-memory.ts';
import { listMemories } from './memory/list-memories.ts';
import { readMemory } from './memory/read-memory.ts';
import { renameMemory } from './memory/rename-memory.ts';
import { writeMemory } from './memory/write-memory.ts';
import { canonicalToolName } from './renamed.ts';
import { executeShellCommand } from './shell/execute-shell-command.ts';
import { applyCodeAction } from './symbolic-edit/apply-code-action.ts';
import { codeActions } from './symbolic-edit/code-actions.ts';
import { insertAfterSymbol } from './symbolic-edit/insert-after-symbol.ts';
import { insertBeforeSymbol } from './symbolic-edit/insert-before-symbol.ts';
import { moveSymbol } from './symbolic-edit/move-symbol.ts';
import { renameFile } from './symbolic-edit/rename-file.ts';
import { renameSymbol } from './symbolic-edit/rename-symbol.ts';
import { replaceSymbolBody } from './symbolic-edit/replace-symbol-body.ts';
import { safeDeleteSymbol } from './symbolic-edit/safe-delete-symbol.ts';
import { changedSymbols } from './symbolic-read/changed-symbols.ts';
import { exploreSymbol } from './symbolic-read/explore-symbol.ts';
import { findDeclaration } from './symbolic-read/find-declaration.ts';
import { findDefiningSymbolAtLocation } from './symbolic-read/find-defining-symbol-at-location.ts';
import { findImplementations } from './symbolic-read/find-implementations.ts';
import { findReferencingSymbols } from './symbolic-read/find-referencing-symbols.ts';
import { findSymbol } from './symbolic-read/find-symbol.ts';
import { getDiagnosticsForFile } from './symbolic-read/get-diagnostics-for-file.ts';
import { getDiagnosticsForSymbol } from './symbolic-read/get-diagnostics-for-symbol.ts';
import { getSymbolsOverview } from './symbolic-read/get-symbols-overview.ts';
import { symbolHierarchy } from './symbolic-read/symbol-hierarchy.ts';
import type { Tool } from './tool.ts';
import { checkOnboardingPerformed } from './workflow/check-onboarding-performed.ts';
import { initialInstructions } from './workflow/initial-instructions.ts';
import { onboarding } from './workflow/onboarding.ts';
import { promptTools } from './workflow/prompt-tools.ts';
import { runCode } from './workflow/run-code.ts';
import { serenaInfo } from './workflow/serena-info.ts';

/** All tools, in the order in which clients list them. */
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
  applyEdits,
  editHistory,
  getSymbolsOverview,
  findSymbol,
  findReferencingSymbols,
  findImplementations,
  findDeclaration,
  symbolHierarchy,
  exploreSymbol,
  changedSymbols,
  getDiagnosticsForFile,
  getDiagnosticsForSymbol,
  replaceSymbolBody,
  insertAfterSymbol,
  insertBeforeSymbol,
  renameSymbol,
  renameFile,
  moveSymbol,
  codeActions,
  applyCodeAction,
  safeDeleteSymbol,
  writeMemory,
  readMemory,
  listMemories,
  deleteMemory,
  renameMemory,
  editMemory,
  activateProject,
  getCurrentConfig,
  removeProject,
  openDashboard,
  listQueryableProjects,
  queryProject,
  restartLanguageServer,
  runCode,
  onboarding,
  initialInstructions,
  serenaInfo,
  executeShellCommand,
  jetBrainsFindSymbol,
  jetBrainsFindReferencingSymbols,
  jetBrainsGetSymbolsOverview,
  jetBrainsTypeHierarchy,
  jetBrainsFindDeclaration,
  jetBrainsFindImplementations,
  jetBrainsRename,
  jetBrainsMove,
  jetBrainsSafeDelete,
  jetBrainsInlineSymbol,
  jetBrainsDebug,
  jetBrainsRunInspections,
  jetBrainsListInspections,
  // Tools of other versions of the reference.
  searchTools,
  switchModes,
  checkOnboardingPerformed,
  ...promptTools,
];

/** Tools of older versions that can be called but are never listed. */
export const legacyTools: readonly Tool[] = [replaceRegex, findDefiningSymbolAtLocation];

/** Returns the tool with a name or alias, active or not. */
export function findTool(name: string): Tool | undefined {
  const canonical = canonicalToolName(name);
  return [...tools, ...legacyTools].find((candidate) => candidate.name === canonical);
}
