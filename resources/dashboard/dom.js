/**
 * Creates an element. Children that are strings become text, never HTML: what the page shows comes from projects,
 * clients and servers.
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

/** Returns a list of cards, or a sentence if there are none. */
export function cards(items, none) {
  if (items.length === 0) return make('p', { className: 'soft' }, none);
  return make('ul', { className: 'cards' }, ...items.map((item) => make('li', { className: 'card' }, item)));
}

/** Returns a bar whose length is `share` (0 to 1); the text beside it says the same. */
export function bar(share) {
  const filled = make('span');
  filled.style.width = `${Math.min(Math.max(share, 0), 1) * 100}%`;
  return make('div', { className: 'bar', ariaHidden: 'true' }, filled);
}

/** Returns a labeled field. */
export function field(label, control) {
  return make('label', {}, label, control);
}

/** Returns a labeled choice among `options`, pairs of value and text. */
export function choice(label, options, { value, onchange }) {
  const select = make('select', { onchange: () => onchange(select.value) });
  for (const [own, text] of options) select.append(make('option', { value: own, selected: own === value }, text));
  return field(label, select);
}

export function megabytes(bytes) {
  return bytes === undefined ? '' : `${Math.round(bytes / 1024 / 1024)} MB`;
}

export function time(ms) {
  return new Date(ms).toLocaleTimeString();
}

export function seconds(ms) {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** Returns a number of characters with the number of tokens that it is about, at four characters each. */
export function size(chars) {
  return `${chars.toLocaleString()} characters (about ${Math.floor(chars / 4).toLocaleString()} tokens)`;
}

/** Shows an error until the next action. */
export function notify(text) {
  document.getElementById('notice').textContent = text;
}

/** Runs what the user asked for, and shows why it failed. */
export async function act(work) {
  notify('');
  try {
    await work();
  } catch (error) {
    notify(error.message);
  }
}
