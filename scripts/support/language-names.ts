import type { ServerSpec } from '../../src/servers/spec.ts';

/** Names of languages for people, by the LSP language ids of servers. A dialect has the name of its language. */
const names: Readonly<Record<string, string>> = {
  ...{ ada: 'Ada', al: 'AL', ansible: 'Ansible', astro: 'Astro', bibtex: 'LaTeX', bsl: '1C (BSL)', c: 'C' },
  ...{ clojure: 'Clojure', cpp: 'C++', crystal: 'Crystal', csharp: 'C#', css: 'CSS', cue: 'CUE', cuda: 'CUDA' },
  ...{ dart: 'Dart', elixir: 'Elixir', elm: 'Elm', erb: 'Ruby', erlang: 'Erlang', fortran: 'Fortran', fsharp: 'F#' },
  ...{ gdscript: 'GDScript', gleam: 'Gleam', glsl: 'GLSL', go: 'Go', groovy: 'Groovy', haskell: 'Haskell' },
  ...{ haxe: 'Haxe', hip: 'HIP', hlsl: 'HLSL', html: 'HTML', java: 'Java', javascript: 'JavaScript' },
  ...{ javascriptreact: 'JavaScript', json: 'JSON', jsonc: 'JSON', julia: 'Julia', kotlin: 'Kotlin', latex: 'LaTeX' },
  ...{ lean4: 'Lean', 'literate haskell': 'Haskell', lua: 'Lua', luau: 'Luau', m68k: '68000 assembly' },
  ...{ markdown: 'Markdown', matlab: 'MATLAB', mdx: 'MDX', msl: 'mSL', nextflow: 'Nextflow', nickel: 'Nickel' },
  ...{ nix: 'Nix', 'objective-c': 'Objective-C', 'objective-cpp': 'Objective-C', ocaml: 'OCaml' },
  ...{ 'ocaml.interface': 'OCaml', opencl: 'OpenCL', pascal: 'Pascal', perl: 'Perl', php: 'PHP' },
  ...{ powershell: 'PowerShell', prisma: 'Prisma', proto: 'Protocol Buffers', python: 'Python', qml: 'QML', r: 'R' },
  ...{ reason: 'Reason', rego: 'Rego', rmd: 'R', rnoweb: 'R', robotframework: 'Robot Framework', ruby: 'Ruby' },
  ...{ rust: 'Rust', sass: 'Sass', scala: 'Scala', scss: 'SCSS', shellscript: 'Bash', solidity: 'Solidity' },
  ...{ svelte: 'Svelte', swift: 'Swift', systemverilog: 'SystemVerilog', terraform: 'Terraform' },
  ...{ 'terraform-vars': 'Terraform', toml: 'TOML', typescript: 'TypeScript', typescriptreact: 'TypeScript' },
  ...{ typespec: 'TypeSpec', verilog: 'Verilog', vhdl: 'VHDL', vim: 'Vim script', vue: 'Vue', wgsl: 'WGSL' },
  ...{ wolfram: 'Wolfram Language', yaml: 'YAML', zig: 'Zig' },
};

/** Names of languages whose servers have the language id of another one. */
const namesOfServers: Readonly<Record<string, string>> = { angular: 'Angular' };

/** Languages that a tested server supports as well, and of which no test has a file. */
const untested: ReadonlySet<string> = new Set(['CUDA', 'HIP', 'Objective-C', 'OpenCL']);

/** @throws {Error} if a language of the server's files has no name here. */
function languagesOf({ id, files }: ServerSpec): string[] {
  return Object.values(files).map((language) => {
    const name = namesOfServers[id] ?? names[language];
    if (name === undefined) throw new Error(`the language \`${language}\` of \`${id}\` has no name`);
    return name;
  });
}

/** Returns the names of the languages whose servers the tests ask, and of the other ones, each sorted. */
export function languagesByTest(
  servers: readonly ServerSpec[],
  isTested: (spec: ServerSpec) => boolean,
): { readonly tested: readonly string[]; readonly others: readonly string[] } {
  const sorted = (found: Iterable<string>) => [...new Set(found)].sort((x, y) => x.localeCompare(y, 'en'));
  const all = sorted(servers.flatMap(languagesOf));
  const known = new Set(servers.filter(isTested).flatMap(languagesOf));
  const tested = all.filter((name) => known.has(name) && !untested.has(name));
  return { tested, others: all.filter((name) => !tested.includes(name)) };
}
