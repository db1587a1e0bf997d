import { agentLsp } from './contenders/agent-lsp.ts';
import { cclsp } from './contenders/cclsp.ts';
import { codegraph } from './contenders/codegraph.ts';
import { ours } from './contenders/ours.ts';
import { oursWith } from './contenders/ours-with.ts';
import { rawServer } from './contenders/raw-server.ts';
import { ripgrep } from './contenders/ripgrep.ts';
import { serenaAgent } from './contenders/serena-agent.ts';
import type { Contender } from './model.ts';

/** All contenders, in the order of the tables. */
export const contenders: readonly Contender[] = [
  ours,
  oursWith('typescript_native', 'typescript'),
  oursWith('typescript_vts', 'typescript'),
  oursWith('python_basedpyright', 'python'),
  oursWith('python_ty', 'python'),
  oursWith('python_pyrefly', 'python'),
  oursWith('python_jedi', 'python'),
  serenaAgent('1.7.0'),
  serenaAgent('2.1.0'),
  agentLsp,
  codegraph,
  cclsp,
  rawServer,
  ripgrep,
];
