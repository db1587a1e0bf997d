// usage: bun scripts/call-every-tool.ts
// Builds the program and calls every tool once over MCP on a small Python project. Prints a line for each: the verdict, the
// time, and the beginning of the answer. Fails if a tool does not answer as expected, or was not called.
import { tools } from '../src/tools/tools.ts';
import { callEveryTool, type ToolOutcome } from '../test/support/call-every-tool.ts';
import { build } from './build.ts';
import { renderMs } from './support/run.ts';

const maxShownChars = 70;

async function main(): Promise<void> {
  await build();
  const outcomes: ToolOutcome[] = [];
  await callEveryTool((outcome) => {
    const { tool, verdict, tookMs, text } = outcome;
    const begin = text.replace(/\s+/g, ' ').slice(0, maxShownChars);
    console.log(`${verdict.padEnd(8)} ${tool.padEnd(36)} ${renderMs(tookMs).padStart(8)}  ${begin}`);
    outcomes.push(outcome);
  });
  const missing = tools.filter(({ name }) => !outcomes.some(({ tool }) => tool === name));
  const problems = [
    ...outcomes.filter(({ verdict }) => verdict === 'wrong').map(({ tool, text }) => `${tool}: ${text.slice(0, 500)}`),
    ...missing.map(({ name }) => `${name}: was not called`),
  ];
  console.log(problems.length === 0 ? `\nAll ${tools.length} tools answered.` : `\n${problems.join('\n')}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (import.meta.main) await main();
