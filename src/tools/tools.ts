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
import { deleteMemory } from './memories/delete-memory.ts';
import { editMemory } from './memories/edit-memory.ts';
import { listMemories } from './memories/list-memories.ts';
import { readMemory } from './memories/read-memory.ts';
import { renameMemory } from './memories/rename-memory.ts';
import { writeMemory } from './memories/write-memory.ts';
import { activateProject } from './projects/activate-project.ts';
import { getCurrentConfig } from './projects/get-current-config.ts';
import { listQueryableProjects } from './projects/list-queryable-projects.ts';
import { openDashboard } from './projects/open-dashboard.ts';
import { queryProject } from './projects/query-project.ts';
import { removeProject } from './projects/remove-project.ts';
import { restartLanguageServer } from './projects/restart-language-server.ts';
import { searchTools } from './projects/search-tools.ts';
import { switchModes } from './projects/switch-modes.ts';
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
import { checkOnboardingPerformed } from './workflow/check-onboarding-performed.ts';
import { initialInstructions } from './workflow/initial-instructions.ts';
import { onboarding } from './workflow/onboarding.ts';
import { prepareForNewConversation } from './workflow/prepare-for-new-conversation.ts';
import { serenaInfo } from './workflow/serena-info.ts';
import { summarizeChanges } from './workflow/summarize-changes.ts';
import { thinkAboutCollectedInformation } from './workflow/think-about-collected-information.ts';
import { thinkAboutTaskAdherence } from './workflow/think-about-task-adherence.ts';
import { thinkAboutWhetherYouAreDone } from './workflow/think-about-whether-you-are-done.ts';

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
  // Those that the reference had in other versions.
  searchTools,
  switchModes,
  checkOnboardingPerformed,
  thinkAboutCollectedInformation,
  thinkAboutTaskAdherence,
  thinkAboutWhetherYouAreDone,
  summarizeChanges,
  prepareForNewConversation,
];

/** Tools of older versions that can be called and are never listed. */
export const legacyTools: readonly Tool[] = [replaceRegex, findDefiningSymbolAtLocation];
