import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { describeIssue } from '../base/describe-issue.ts';
import { ownValue } from '../base/own-value.ts';
import { slashedPattern } from '../text/glob.ts';
import type { ConfigMap } from './config-map.ts';
import { setting } from './value-schemas.ts';

/** True for a text without slashes around it, and for a valid regular expression in slashes. */
function isTextOrPattern(value: string): boolean {
  try {
    slashedPattern(value);
    return true;
  } catch {
    return false;
  }
}

function isPattern(value: string): boolean {
  return isTextOrPattern(value) && slashedPattern(value) !== undefined;
}

const text = z.string().min(1);
const texts = z.array(text);
const flag = z.boolean().exactOptional();
const mark = z.literal(true).exactOptional();
const map = z.record(z.string(), z.unknown());
const milliseconds = z.number().int().positive();
const textOrPattern = text.refine(isTextOrPattern, 'must be a text, or a valid regular expression in slashes');
const pattern = text.refine(isPattern, 'must be a valid regular expression in slashes, such as `/^end/i`');
const matching = z.record(z.string(), z.union([textOrPattern, z.number(), z.boolean()]));

function readiness() {
  return z.discriminatedUnion('when', [
    z.strictObject({
      when: z.literal('initialized'),
      indexing: z.strictObject({ token: text, timeoutMs: milliseconds }).exactOptional(),
    }),
    z.strictObject({
      when: z.literal('notified'),
      method: text,
      matching: matching.exactOptional(),
      busyAgain: matching.exactOptional(),
      times: z.number().int().positive().exactOptional(),
      timeoutMs: milliseconds,
    }),
    z.strictObject({ when: z.literal('progress-quiet'), quietMs: milliseconds, timeoutMs: milliseconds }),
  ]);
}

/** Returns the quirks of a user's own server: those of built-in servers that another server may well have, as data. */
export function customQuirkKeys() {
  return {
    answersOnlyWhenReady: mark.describe(
      'Whether requests about single files fail, or return nothing, until it is ready.',
    ),
    needsFileEvents: mark.describe('Whether a new file must be reported as created before it is opened.'),
    positionEncodings: z
      .array(z.enum(['utf-8', 'utf-16', 'utf-32']))
      .min(1)
      .exactOptional()
      .describe('Position encodings to offer, best first; by default only `utf-16`.'),
    publishing: z
      .strictObject({
        timeoutMs: milliseconds.exactOptional(),
        checksWhenOpened: flag,
        omitsEmpty: flag,
        changesOnly: flag,
      })
      .exactOptional()
      .describe('How it publishes diagnostics, if it differs from most servers.'),
    noDiagnosticsReason: text
      .exactOptional()
      .describe('Why it reports no errors, as the end of a sentence that begins with its name.'),
    requiredDirectory: z
      .strictObject({ path: text, gap: text })
      .exactOptional()
      .describe('Directory that must be in the project or above it, and what its answers lack otherwise.'),
    suppliesReferencesFor: z
      .record(text, text)
      .exactOptional()
      .describe('Extensions, with language ids, of files of other servers whose references it also knows.'),
    hasSeparateDefinitions: mark.describe('Whether declarations and definitions are separate.'),
    hasImplicitInterfaces: flag.describe('Whether types implement interfaces without naming them.'),
    renamesIncompletely: flag.describe('Whether a rename leaves out references that it lists.'),
    overview: z
      .strictObject({ without: pattern, kind: z.number().int().exactOptional(), isFlat: mark })
      .exactOptional()
      .describe('Names, and kind as a number of LSP, of symbols that an overview replaces by their children.'),
  };
}

/** What replaces the quirks that a user's own server could have in earlier versions. */
const formerQuirks: Readonly<Record<string, string>> = {
  errorLimit: 'diagnostics are those that the server publishes',
  excludedFile: 'a refused request is reported with the message of the server',
  failureNotification: 'with `ready`, answers are marked as incomplete until the server is ready',
  importRule: 'imports of moved files change as the server answers `workspace/willRenameFiles`',
  lineBreaks: 'lines end as LSP says',
  omitsRootUri: 'the server gets `rootUri` and `workspaceFolders`',
  reopensWhenMatching: 'changes are sent as the server requests in `textDocumentSync`',
  resolvesToImplementations: 'the server decides where a definition request leads',
  supportsClosedFiles: 'files are opened before questions about them',
  syntaxErrors: 'errors are those that the server publishes',
  syntheticNames: 'use `nameRules`',
  workspaceFile: 'the projects of `projectMarkers` are searched one by one',
};

/** Returns the message about keys that a definition must not have, with what replaces former ones. */
function aboutFormerQuirks(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const reasons = issue.keys.flatMap((key: string) => {
    const reason = ownValue(formerQuirks, key);
    return reason === undefined ? [] : `remove \`${key}\`: ${reason}`;
  });
  return reasons.length === 0 ? undefined : `${describeIssue(issue)}; ${reasons.join('; ')}`;
}

/** Returns every key of a user's own language server. They are named like the fields of the built-in servers. */
export function customServerKeys() {
  return {
    name: text.exactOptional().describe('Name for messages; by default its id.'),
    command: z
      .preprocess((value) => (typeof value === 'string' ? [value] : value), texts.min(1))
      .refine(
        ([program = '']) => isAbsolute(program) || !/[\\/~]/.test(program),
        'must begin with the name of a program on `PATH`, or with its absolute path',
      )
      .describe('The program, as a name on `PATH` or an absolute path, and its arguments.'),
    hint: text.exactOptional().describe('How to install the program, for the error if it is missing.'),
    files: z
      .record(z.string(), text)
      .refine(
        (files) => Object.keys(files).every((extension) => /^\.[^/\\]+$/.test(extension)),
        'must have file extensions as keys, each with its dot, such as `.vim`',
      )
      .refine((files) => Object.keys(files).length > 0, 'must have at least one file extension')
      .describe('File extensions, each with its LSP language id.'),
    ready: setting(readiness(), { when: 'initialized' }).describe(
      'When it can answer about the whole project; see below.',
    ),
    env: z.record(z.string(), z.string()).exactOptional().describe('Environment variables to add.'),
    initializationOptions: map.exactOptional().describe('Options for the handshake.'),
    settings: map.exactOptional().describe('Its answer to `workspace/configuration`.'),
    watchedFiles: setting(texts, []).describe('Ends of names of further files whose changes are reported to it.'),
    projectMarkers: texts
      .exactOptional()
      .describe('Files that mark the separate projects that it loads when one of their files is opened.'),
    ignoredDirectories: setting(texts, []).describe('Names of directories that contain none of its sources.'),
    runsInProject: flag.describe('Whether it must run in the directory of the project.'),
    needsExplicitChoice: flag.describe('Whether only projects that name it in `language_servers` use it.'),
    isMarkupOrData: flag.describe('Whether its files are text, markup or data instead of program code.'),
    mayAnswerStale: flag.describe('Whether it may answer about a document before it has read it.'),
    nameRules: z
      .array(z.strictObject({ from: pattern, to: z.string().exactOptional() }))
      .exactOptional()
      .describe('Replacements that turn its names into the names in the text.'),
    quirks: z
      .strictObject(customQuirkKeys(), { error: aboutFormerQuirks })
      .exactOptional()
      .describe('Settings that few servers need; see below.'),
  };
}

/** Built at the first use: most users have no server of their own. */
const customServer = z.lazy(() => z.strictObject(customServerKeys()));

/** A user's own language server as configured, with defaults. Plain data: regular expressions are texts in slashes. */
export type CustomServer = z.infer<typeof customServer>;

/** A map of a user's own language servers by id. Ids are also names of directories. */
export const customServers = setting(
  z
    .record(z.string(), customServer)
    .refine(
      (servers) => Object.keys(servers).every((id) => /^[a-z][a-z0-9_-]{0,63}$/.test(id)),
      'must have ids as keys: lowercase letters, digits, `-` and `_`, beginning with a letter',
    ),
  {},
);

/** Ids of this program by the ids of `serena-agent`, where they differ. */
const otherIds: Readonly<Record<string, string>> = { typescript_tsgo: 'typescript_native' };

const settingsById = z.record(z.string(), z.unknown());

/**
 * Returns `ls_specific_settings` with the ids of this program, or no key if `content` has none. An entry under this
 * program's id takes precedence.
 */
export function inCurrentServerIds(content: ConfigMap): ConfigMap {
  const settings = settingsById.safeParse(content.ls_specific_settings);
  if (!settings.success) return {};
  const entries = Object.entries(settings.data);
  const renamed = entries.map(([id, value]) => [ownValue(otherIds, id) ?? id, value] as const);
  const current = entries.filter(([id]) => !Object.hasOwn(otherIds, id));
  return { ls_specific_settings: Object.fromEntries([...renamed, ...current]) };
}
