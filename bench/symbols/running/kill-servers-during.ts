import type { Answer, ContenderRun } from '../model.ts';

const server = /gopls|tsserver|typescript-language-server|pyright|rust-analyzer|clangd|jdtls|org\.eclipse/;
const stoppedMs = 500;

/**
 * Kills the language servers of a contender while it answers: they are stopped first, so that they cannot answer before
 * they end. Without a language server the answer is an ordinary one.
 */
export async function killServersDuring(
  run: ContenderRun,
  program: string,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const started = run.processes?.() ?? [];
  const servers = started.filter(({ command }) => server.test(command) || command.includes(program));
  const signal = (name: NodeJS.Signals) => {
    for (const { pid } of servers) {
      try {
        process.kill(pid, name);
      } catch {
        // It has exited with its parent.
      }
    }
  };
  signal('SIGSTOP');
  const answer = ask();
  await Bun.sleep(stoppedMs);
  signal('SIGKILL');
  return answer;
}
