/** Contexts whose clients accept only OpenAI's subset of JSON Schema. */
const contexts: readonly string[] = ['chatgpt', 'codex', 'oaicompat-agent'];

/** True if clients in the context called `name` get schemas in that subset; see docs/compatibility.md, Schemas for OpenAI clients. */
export function wantsOpenAiSchema(name: string): boolean {
  return contexts.includes(name);
}
