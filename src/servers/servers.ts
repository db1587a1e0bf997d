import type { ServerSpec } from './spec.ts';
import { angular } from './specs/angular.ts';
import { ansible } from './specs/ansible.ts';
import { bash } from './specs/bash.ts';
import { cpp } from './specs/cpp.ts';
import { elm } from './specs/elm.ts';
import { fortran } from './specs/fortran.ts';
import { go } from './specs/go.ts';
import { html } from './specs/html.ts';
import { json } from './specs/json.ts';
import { php } from './specs/php.ts';
import { python } from './specs/python.ts';
import { pythonBasedpyright } from './specs/python_basedpyright.ts';
import { pythonJedi } from './specs/python_jedi.ts';
import { pythonPyrefly } from './specs/python_pyrefly.ts';
import { pythonTy } from './specs/python_ty.ts';
import { rust } from './specs/rust.ts';
import { scss } from './specs/scss.ts';
import { solidity } from './specs/solidity.ts';
import { svelte } from './specs/svelte.ts';
import { toml } from './specs/toml.ts';
import { typescript } from './specs/typescript.ts';
import { typescriptNative } from './specs/typescript_native.ts';
import { typescriptVts } from './specs/typescript_vts.ts';
import { vue } from './specs/vue.ts';
import { yaml } from './specs/yaml.ts';

/** Every server there is, in the order of `spec/system.md` §15.2, ours at the end. It decides between two that claim the same file. */
export const servers: readonly ServerSpec[] = [
  python,
  rust,
  typescript,
  go,
  cpp,
  php,
  elm,
  bash,
  fortran,
  vue,
  svelte,
  typescriptVts,
  pythonJedi,
  pythonTy,
  pythonPyrefly,
  pythonBasedpyright,
  yaml,
  json,
  toml,
  solidity,
  ansible,
  html,
  scss,
  angular,
  typescriptNative,
];

/** Spellings of ids in older project files. */
const olderIds: Readonly<Record<string, string>> = { javascript: 'typescript' };

/** Returns the server with this id (older spellings and any case accepted), or `undefined`. */
export function findServer(id: string): ServerSpec | undefined {
  const wanted = olderIds[id.toLowerCase()] ?? id.toLowerCase();
  return servers.find((server) => server.id === wanted);
}
