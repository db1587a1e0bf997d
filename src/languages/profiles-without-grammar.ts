import type { LanguageProfile } from './language-profile.ts';
import {
  annotatedDefinitions,
  character,
  dashes,
  dashLexis,
  dollarHoles,
  dollarLexis,
  double,
  hash,
  hashComments,
  hashHoles,
  parenStar,
  percent,
  percentComments,
  single,
  slashComments,
  slashes,
  slashLexis,
  slashStar,
  tripleDouble,
} from './shared-syntax.ts';

/** The languages without a grammar. */
export const otherProfiles: readonly LanguageProfile[] = [
  { ids: ['ada'], lexis: { inert: [dashes, double] }, attached: { line: /^--/ } },
  {
    ids: ['al', 'haxe', 'qml', 'systemverilog', 'verilog', 'wgsl'],
    lexis: slashLexis,
    attached: slashComments,
  },
  { ids: ['astro', 'svelte', 'vue'], isScript: true, attached: annotatedDefinitions },
  {
    ids: ['bsl'],
    // Strings escape nothing but quotes; a further line of one begins with `|`.
    lexis: { inert: [slashes, String.raw`"(?:""|\r?\n[ \t]*\||[^"\r\n])*"`, String.raw`'[^'\n]*'`] },
    attached: slashComments,
  },
  {
    ids: ['crystal'],
    lexis: { inert: [hash, single], templates: [double], holes: hashHoles },
    attached: hashComments,
  },
  {
    ids: ['cue'],
    lexis: { inert: [slashes, slashStar, '`[^`]*`?', double, character] },
    attached: slashComments,
  },
  { ids: ['dockerfile'], attached: hashComments },
  // `hop/2`, whose `/` a name path has as `#`.
  {
    ids: ['erlang'],
    nameForms: [/^(?<name>[^#]+)#\d+$/],
    lexis: { inert: [percent, double] },
    attached: percentComments,
  },
  { ids: ['fortran'], lexis: { inert: ['![^\\n]*', double, single] }, attached: { line: /^!/ } },
  {
    ids: ['groovy'],
    lexis: dollarLexis,
    attached: annotatedDefinitions,
    overriding: { word: 'Override', before: /@(?:\w+\.)*$/, absent: /must override or implement/ },
    testFiles: /(?:Tests?|TestCase|IT|Spec)\.groovy$/,
  },
  { ids: ['lean4'], lexis: dashLexis, attached: { line: /^--/, block: ['/-', '-/'], annotation: /^@\[/ } },
  { ids: ['matlab'], lexis: { inert: [percent, double], leaksLocals: true }, attached: percentComments },
  { ids: ['mdx'], attached: slashComments },
  { ids: ['nextflow'], lexis: dollarLexis, attached: annotatedDefinitions },
  {
    ids: ['nickel'],
    lexis: {
      inert: [hash],
      templates: [String.raw`m(?<mark>%+)"[\s\S]*?(?:"\k<mark>|$)`, double],
      holes: /%+\{[^}]*\}?/g,
    },
    attached: hashComments,
  },
  {
    ids: ['pascal'],
    lexis: { inert: [slashes, String.raw`\{[^}]*\}?`, parenStar, `'[^'\\n]*'?`] },
    attached: slashComments,
  },
  { ids: ['prisma'], lexis: { inert: [slashes, double] }, attached: slashComments },
  { ids: ['proto'], lexis: { inert: [slashes, slashStar, double, single] }, attached: slashComments },
  { ids: ['reason'], lexis: { inert: [slashes, slashStar, tripleDouble, double, character] } },
  { ids: ['rego'], lexis: slashLexis, attached: hashComments },
  {
    ids: ['robotframework'],
    names: {
      language: 'Robot Framework',
      // Two spaces separate what stands in a line.
      pattern: /^[^\s\p{Cc}]+(?: [^\s\p{Cc}]+)*$/u,
      reserved: 'IF ELSE END FOR WHILE TRY EXCEPT FINALLY RETURN BREAK CONTINUE VAR GROUP',
    },
  },
  { ids: ['sql'], attached: { line: /^--/ } },
  {
    ids: ['typespec'],
    lexis: { inert: [slashes, slashStar], templates: [tripleDouble, double], holes: dollarHoles },
    attached: annotatedDefinitions,
  },
  { ids: ['vhdl'], lexis: { inert: [dashes, slashStar, double, character] }, attached: { line: /^--/ } },
  { ids: ['vim'], attached: { line: /^"/ } },
  { ids: ['wolfram'], lexis: { inert: [parenStar, double] } },
];
