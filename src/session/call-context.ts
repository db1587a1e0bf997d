import type { Call } from '../base/call.ts';
import type { UserConfig } from '../config/user-config.ts';
import type { SymbolSource } from '../config/value-schemas.ts';
import type { EditAuthor } from '../edits/edit-author.ts';
import { Edits } from '../edits/edits.ts';
import type { IdeFinder } from '../jetbrains/find-ide.ts';
import { Ide } from '../jetbrains/ide.ts';
import { adapters } from '../languages/adapters.ts';
import type { Memories } from '../memories/memories.ts';
import { Symbols, type SymbolsOptions } from '../symbols/symbols.ts';
import type { LineReads, SessionScripts } from '../tools/session-state.ts';
import type { AnswerFormat, BareContext, SessionControl, SymbolsContext } from '../tools/tool.ts';
import type { OpenProject } from './open-projects.ts';

/** The call, and the parts of its session that tools may need. */
interface CallParts {
  readonly call: Call;
  readonly session: SessionControl;
  readonly user: UserConfig;
  readonly format: AnswerFormat;
  /** Replaces `symbol_source` of the configuration. */
  readonly symbolSource: SymbolSource | undefined;
  /** Environment of this program, for commands that run on the user's behalf. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly ides: IdeFinder;
  readonly memories: Memories;
  readonly lineReads: LineReads;
  readonly author: EditAuthor;
  readonly scripts: SessionScripts;
  /** Replaces the configured limit of answers. */
  readonly maxAnswerChars?: number | undefined;
  /** Limit of answers in the context. */
  readonly usualChars: number;
  /** Length of a result that the client shows as a whole. */
  readonly maxResultChars: number;
  /** Replaces a plan of this call alone. */
  readonly edits?: Edits | undefined;
}

/** Part of a result that the answer may fill; the rest is for its notes. */
const answerShare = 0.9;

function defaultMaxAnswerChars(user: UserConfig, { usualChars, maxResultChars }: CallParts): number {
  return Math.min(user.default_max_tool_answer_chars, usualChars, Math.floor(maxResultChars * answerShare));
}

/**
 * Returns the context of one tool call: with `open`, the project that the call is about, all that tools may need of it.
 */
export function callContext(open: OpenProject | undefined, parts: CallParts): BareContext & Partial<SymbolsContext> {
  const { call, session, user, env, ides, memories, lineReads, scripts } = parts;
  const config = open?.project.config;
  const bare = {
    call,
    session,
    format: parts.format,
    limits: {
      maxAnswerChars: parts.maxAnswerChars ?? defaultMaxAnswerChars(user, parts),
      symbolInfoBudgetMs: (config?.symbol_info_budget ?? user.symbol_info_budget) * 1000,
    },
  };
  if (!open) return bare;
  const { project, sources } = open;
  const { symbols, edits } = symbolsIn(open, parts);
  return {
    ...bare,
    project,
    sourceFiles: sources,
    env,
    ide: new Ide({ finder: ides, host: user.jetbrains_plugin_server_address, root: project.root, call }),
    edits,
    scripts,
    memories,
    symbols,
    ...(user.require_read_before_line_edit ? { lineReads } : {}),
  };
}

export interface ProjectSymbols {
  readonly symbols: Symbols;
  readonly edits: Edits;
}

export function symbolsIn(
  { project, files }: OpenProject,
  parts: Pick<CallParts, 'call' | 'user' | 'symbolSource' | 'author' | 'edits'> & Pick<SymbolsOptions, 'isHasty'>,
): ProjectSymbols {
  const { call, user, author, isHasty } = parts;
  const { config } = project;
  const lineEnding = config.line_ending ?? user.line_ending;
  const source = parts.symbolSource ?? config.symbol_source ?? user.symbol_source;
  const reportsEdits = user.report_edit_diagnostics;
  const symbols = new Symbols({ files, call, adapters, source, reportsEdits, isHasty });
  const rule = lineEnding === 'native' ? 'keep' : lineEnding;
  const edits = parts.edits ?? new Edits(project.edited, { rule, around: symbols.editProblems.around, author });
  return { symbols, edits };
}
