import { read } from '/api.js';
import { cards, make, notify } from '/dom.js';

async function showServers(place) {
  try {
    const servers = await read('servers');
    place.append(cards(servers.map(row), 'No language server is installed. Each is fetched when it is first needed.'));
  } catch (error) {
    notify(error.message);
  }
}

/** Shows the language servers that can start without a download. */
export function serversView(place) {
  void showServers(place);
}

function row({ id, name, version, state, program }) {
  return make(
    'div',
    {},
    make(
      'p',
      { className: 'row' },
      make('strong', {}, name),
      make('span', {}, version ?? ''),
      make('span', {}, state),
      make('span', { className: 'soft' }, id),
    ),
    make('p', { className: 'soft' }, program ?? ''),
  );
}
