import { agentLsp } from './contenders/agent-lsp.ts';
import { cclsp } from './contenders/cclsp.ts';
import { codegraph } from './contenders/codegraph.ts';
import { ours } from './contenders/ours.ts';
import { rawServer } from './contenders/raw-server.ts';
import { ripgrep } from './contenders/ripgrep.ts';
import { serenaAgent } from './contenders/serena-agent.ts';
import type { Contender } from './model.ts';

/** All contenders, in the order of the tables. */
export const contenders: readonly Contender[] = [
  ours,
  serenaAgent('1.7.0'),
  serenaAgent('2.1.0'),
  agentLsp,
  codegraph,
  cclsp,
  rawServer,
  ripgrep,
];
