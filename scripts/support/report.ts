/** Prints the problems a check found and ends the process: 0 without any, else 1 and the command that helps. */
export function reportProblems(problems: readonly string[], summary: string, fix?: string): never {
  for (const problem of problems) console.log(problem);
  if (problems.length === 0) console.log(summary);
  else if (fix !== undefined) console.log(`\nhint: ${fix}`);
  process.exit(problems.length === 0 ? 0 : 1);
}
