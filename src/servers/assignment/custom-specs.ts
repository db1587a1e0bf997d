import { ExpectedError } from '../../base/errors.ts';
import type { Matching, Readiness } from '../../lsp/readiness/readiness.ts';
import { slashedPattern } from '../../text/glob.ts';
import type { ServerCatalog } from '../catalog.ts';
import type { Quirks } from '../quirks.ts';
import { runnerFor } from '../runtime/system-programs.ts';
import type { NameRule, ServerSpec } from '../spec.ts';

/** `T` as plain data: regular expressions are texts in slashes. */
type AsData<T> = T extends RegExp
  ? string
  : T extends readonly (infer Item)[]
    ? readonly AsData<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: AsData<T[Key]> }
      : T;

/** The quirks that a user's own server may have. */
type DataQuirks = Pick<
  Quirks,
  | 'answersOnlyWhenReady'
  | 'hasImplicitInterfaces'
  | 'hasSeparateDefinitions'
  | 'needsFileEvents'
  | 'noDiagnosticsReason'
  | 'overview'
  | 'positionEncodings'
  | 'publishing'
  | 'renamesIncompletely'
  | 'requiredDirectory'
  | 'suppliesReferencesFor'
>;

type DataSpec = Pick<
  ServerSpec,
  | 'env'
  | 'files'
  | 'ignoredDirectories'
  | 'initializationOptions'
  | 'isMarkupOrData'
  | 'mayAnswerStale'
  | 'nameRules'
  | 'needsExplicitChoice'
  | 'projectMarkers'
  | 'ready'
  | 'runsInProject'
  | 'settings'
  | 'watchedFiles'
>;

/** A user's own language server as configured. Regular expressions are valid. */
interface CustomServer extends AsData<DataSpec> {
  readonly name?: string;
  /** A name on `PATH` or an absolute path, then arguments, which may contain placeholders. */
  readonly command: readonly string[];
  readonly hint?: string;
  readonly quirks?: AsData<DataQuirks>;
}

/**
 * Returns the user's own language servers, which are configured by id, in the form of the built-in ones.
 *
 * @throws {ExpectedError} `config.invalid` for the id of a built-in server.
 */
export function customSpecs(configured: Readonly<Record<string, CustomServer>>, catalog: ServerCatalog): ServerSpec[] {
  return Object.entries(configured).map(([id, server]) => {
    if (catalog.find(id) !== undefined) throw isBuiltIn(id);
    return specOf(id, server);
  });
}

function specOf(id: string, server: CustomServer): ServerSpec {
  const { name = id, command, hint, ready, nameRules, quirks, ...others } = server;
  const [program = '', ...args] = command;
  const howTo = hint ?? `install \`${program}\`, or correct \`custom_language_servers.${id}.command\``;
  return {
    ...others,
    id,
    name,
    homepage: '',
    install: [{ from: 'path', bins: [program], hint: howTo, runs: runnerFor(program) }],
    args,
    ready: readinessOf(ready),
    ...(nameRules === undefined ? {} : { nameRules: nameRules.map(nameRuleOf) }),
    ...(quirks === undefined ? {} : { quirks: quirksOf(quirks) }),
    definition: server,
    symbolsVersion: 1,
  };
}

function isBuiltIn(id: string): ExpectedError {
  const problem = `\`custom_language_servers\`: \`${id}\` is the id of a built-in language server`;
  return new ExpectedError('config.invalid', problem, {
    hints: ['choose another id', `to replace only its program, set \`ls_specific_settings.${id}.ls_path\``],
  });
}

function readinessOf(ready: AsData<Readiness>): Readiness {
  if (ready.when !== 'notified') return ready;
  const { matching, busyAgain, ...others } = ready;
  return {
    ...others,
    ...(matching === undefined ? {} : { matching: matchingOf(matching) }),
    ...(busyAgain === undefined ? {} : { busyAgain: matchingOf(busyAgain) }),
  };
}

function nameRuleOf({ from, to = '' }: AsData<NameRule>): NameRule {
  return { from: pattern(from), to };
}

function quirksOf({ overview, ...others }: AsData<DataQuirks>): Quirks {
  if (overview === undefined) return others;
  return { ...others, overview: { ...overview, without: pattern(overview.without) } };
}

function matchingOf(conditions: AsData<Matching>): Matching {
  return Object.fromEntries(
    Object.entries(conditions).map(([key, value]) => [
      key,
      typeof value === 'string' ? (slashedPattern(value) ?? value) : value,
    ]),
  );
}

/** @throws {Error} for a text without slashes, which the configuration rejects. */
function pattern(text: string): RegExp {
  const found = slashedPattern(text);
  if (found === undefined) throw new Error(`\`${text}\` is not a regular expression in slashes`);
  return found;
}
