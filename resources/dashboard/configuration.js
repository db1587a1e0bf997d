import { read } from '/api.js';
import { cards, make } from '/dom.js';
import { projectChoice } from '/project-choice.js';

/** Shows each effective setting and where its value comes from. */
export function configurationView(place) {
  void projectChoice(place, showSettings, { hasNone: true });
}

async function showSettings(content, project) {
  const { files, settings } = await read('configuration', project === '' ? {} : { project });
  const paths = Object.entries(files).map(([source, { path, exists }]) =>
    make('p', { className: 'soft' }, `${source}: ${path}${exists ? '' : ' (does not exist)'}`),
  );
  content.replaceChildren(...paths, cards(settings.map(row), 'There are no settings.'));
}

function row({ key, value, from, note }) {
  return make(
    'div',
    { className: 'row' },
    make('strong', {}, key),
    make('code', { className: 'grow' }, JSON.stringify(value)),
    make('span', { className: 'soft' }, from.join(' + ')),
    note !== undefined && make('span', { className: 'incomplete' }, note),
  );
}
