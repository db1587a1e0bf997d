import { z } from 'zod';

/** How far a relation reaches: to the next node, to the last one, or to the first that matches a rule. */
const stopBy = z.union([z.enum(['neighbor', 'end']), z.lazy((): z.ZodType<CodeRule> => codeRule)]);

/** Code with variables, or a part of such code: what `context` has of the type `selector`. */
const pattern = z.union([
  z.string(),
  z.strictObject({ context: z.string(), selector: z.string().optional(), strictness: z.literal('smart').optional() }),
]);

export interface RelatedRule extends CodeRule {
  readonly stopBy?: 'neighbor' | 'end' | CodeRule | undefined;
  /** The field of the outer node that has the inner one. */
  readonly field?: string | undefined;
}

/** A condition on a node, as in the rules of ast-grep: all of its parts hold. */
export interface CodeRule {
  readonly pattern?: z.infer<typeof pattern> | undefined;
  /** A type of node in the grammar. */
  readonly kind?: string | undefined;
  readonly regex?: string | undefined;
  readonly inside?: RelatedRule | undefined;
  readonly has?: RelatedRule | undefined;
  readonly precedes?: RelatedRule | undefined;
  readonly follows?: RelatedRule | undefined;
  readonly all?: readonly CodeRule[] | undefined;
  readonly any?: readonly CodeRule[] | undefined;
  readonly not?: CodeRule | undefined;
  /** Name of a rule in `utils`. */
  readonly matches?: string | undefined;
}

const related = z.lazy(
  (): z.ZodType<RelatedRule> =>
    z.strictObject({ ...parts, stopBy: stopBy.optional(), field: z.string().optional() }).refine(hasPart, nothing),
);

const parts = {
  pattern: pattern.optional(),
  kind: z.string().optional(),
  regex: z.string().optional(),
  inside: related.optional(),
  has: related.optional(),
  precedes: related.optional(),
  follows: related.optional(),
  all: z.array(z.lazy((): z.ZodType<CodeRule> => codeRule)).optional(),
  any: z.array(z.lazy((): z.ZodType<CodeRule> => codeRule)).optional(),
  not: z.lazy((): z.ZodType<CodeRule> => codeRule).optional(),
  matches: z.string().optional(),
};

const nothing = { error: 'a rule needs one of pattern, kind, regex, inside, has, precedes, follows, all, any, not' };

function hasPart(rule: object): boolean {
  return Object.keys(rule).some((key) => key in parts);
}

export const codeRule: z.ZodType<CodeRule> = z.strictObject(parts).refine(hasPart, nothing);

/** A rule with what its variables have to match, and the rules that it refers to. */
export interface RuleWithParts {
  readonly rule: CodeRule;
  readonly constraints?: Readonly<Record<string, CodeRule>> | undefined;
  readonly utils?: Readonly<Record<string, CodeRule>> | undefined;
}

const rules = z.record(z.string(), codeRule).optional();

/** A file with a rule of ast-grep. What only its reports need is accepted and not used. */
export const ruleFile = z.strictObject({
  rule: codeRule,
  constraints: rules,
  utils: rules,
  language: z.string().optional(),
  fix: z.string().optional(),
  ...Object.fromEntries(
    ['id', 'message', 'severity', 'note', 'url', 'metadata', 'labels'].map((key) => [key, z.unknown().optional()]),
  ),
});
