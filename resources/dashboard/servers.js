import { post, read } from '/api.js';
import { act, cards, make, megabytes, notify } from '/dom.js';

/** Shows the language servers of this machine, to install, verify and remove. */
export function serversView(place) {
  void act(() => showServers(place));
  return ({ state }) => {
    const running = new Map(state?.installations.map((installation) => [installation.id, installation]));
    for (const line of place.querySelectorAll('[data-installation]')) {
      line.textContent = progressOf(running.get(line.dataset.installation));
    }
  };
}

function progressOf(installation) {
  if (installation === undefined) return '';
  const { message, share } = installation;
  return share === undefined ? message : `${message}: ${Math.floor(100 * share)} %`;
}

async function showServers(place) {
  const servers = await read('servers');
  const present = servers.filter(({ program }) => program !== null);
  const others = servers.filter(({ program }) => program === null);
  const refresh = () => showServers(place);
  const result = make('p', { role: 'status' });
  const verify = () =>
    act(async () => {
      result.textContent = 'Comparing every installed file with its hash';
      const { problems } = await post('servers/verify', {}).finally(() => {
        result.textContent = '';
      });
      result.textContent = problems.length === 0 ? 'All installed files are unchanged.' : problems.join('\n');
    });
  place.replaceChildren(
    make('div', { className: 'controls' }, make('button', { onclick: verify }, 'Verify'), result),
    make('h3', {}, 'On this machine'),
    cards(
      present.map((server) => row(server, refresh)),
      'No language server is installed. Each is fetched when it is first needed.',
    ),
    make('h3', {}, 'Others'),
    cards(
      others.map((server) => row(server, refresh)),
      'There are no others.',
    ),
  );
}

function row({ id, name, version, state, program, downloadBytes, fix, canInstall, canRemove }, refresh) {
  const size = downloadBytes === null ? '' : megabytes(downloadBytes);
  return make(
    'div',
    {},
    make(
      'div',
      { className: 'row' },
      make('strong', {}, name),
      make('span', {}, version ?? ''),
      make('span', { className: 'grow' }, state),
      make('span', { className: 'soft' }, `${id} ${size}`),
      canInstall && button('Install', `Install ${name}`, (own) => install({ id, own }, refresh)),
      canRemove && button('Remove', `Remove ${name}`, () => remove({ id, name }, refresh)),
    ),
    program !== null && make('p', { className: 'soft' }, program),
    fix !== null && make('p', { className: 'soft' }, fix),
    canInstall && make('p', { className: 'soft', role: 'status', 'data-installation': id }),
  );
}

function button(text, label, onclick) {
  const own = make('button', { ariaLabel: label, onclick: () => act(() => onclick(own)) }, text);
  return own;
}

async function install({ id, own }, refresh) {
  own.disabled = true;
  own.textContent = 'Installing';
  try {
    await post('servers/install', { id });
  } finally {
    await refresh();
  }
}

async function remove({ id, name }, refresh) {
  if (!confirm(`Remove all installed versions of ${name}?`)) return;
  const { inUse } = await post('servers/remove', { id });
  await refresh();
  if (inUse.length > 0) notify(`A process uses ${inUse.join(', ')}: stop its client, then remove it again.`);
}
