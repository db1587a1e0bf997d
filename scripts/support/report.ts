/** Prints the problems of a check and exits: with 0 if there are none, else with 1 and a hint. */
export function reportProblems(problems: readonly string[], summary: string, fix?: string): never {
  for (const problem of problems) console.log(problem);
  if (problems.length === 0) console.log(summary);
  else if (fix !== undefined) console.log(`\nhint: ${fix}`);
  process.exit(problems.length === 0 ? 0 : 1);
}
