const keyName = 'serena-key';

/**
 * Exchanges the token in the URL, if there is one, for a cookie and a key. The key stays in this tab.
 *
 * @throws {Error} for a token that is no longer valid.
 */
export async function signIn() {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (token === undefined) return;
  history.replaceState(null, '', '/');
  const { key } = await post('sign-in', { token });
  sessionStorage.setItem(keyName, key);
}

/** Reads `path` below `/api/`. @throws {Error} with the reason of the server. */
export function read(path, query = {}) {
  return request(`${path}?${new URLSearchParams(query)}`);
}

/** Makes a change. @throws {Error} with the reason of the server. */
export function post(path, body) {
  return request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Calls `onUpdate` with what changes, until the connection ends. @throws {Error} if it cannot be opened. */
export async function follow(onUpdate) {
  // Not `EventSource`, which cannot send the key.
  const response = await send('feed');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const events = (rest + value).split('\n\n');
    rest = events.pop();
    for (const event of events) if (event.startsWith('data: ')) onUpdate(JSON.parse(event.slice('data: '.length)));
  }
}

async function request(path, options) {
  return (await send(path, options)).json();
}

async function send(path, { headers, ...options } = {}) {
  const key = sessionStorage.getItem(keyName) ?? '';
  const response = await fetch(`/api/${path}`, { ...options, headers: { ...headers, 'X-Serena-Key': key } });
  if (response.ok) return response;
  const { error } = await response.json();
  throw new Error(error, { cause: response.status });
}
