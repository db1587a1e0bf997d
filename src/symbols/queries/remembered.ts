/** A list of references may be long. */
const maxAnswers = 200;

/**
 * Returns the known answer to a question, otherwise asks it. Empty answers are not kept: a server that still reads files
 * may find something later. A change of files replaces the map, so that an answer that it has overtaken is not found.
 */
export async function remembered<T extends readonly unknown[] | undefined>(
  known: Map<string, NonNullable<T>>,
  key: string,
  ask: () => Promise<T>,
): Promise<T> {
  const answer = known.get(key);
  if (answer !== undefined) return answer;
  const asked = await ask();
  if (asked !== undefined && asked.length > 0) known.set(key, asked);
  const [oldest] = known.keys();
  if (oldest !== undefined && known.size > maxAnswers) known.delete(oldest);
  return asked;
}
