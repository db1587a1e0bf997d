import { post, read } from '/api.js';
import { act, cards, choice, field, make } from '/dom.js';
import { projectChoice } from '/project-choice.js';

const files = { user: 'your configuration', project: 'project.yml', local: 'project.local.yml' };

/** Shows each effective setting and where its value comes from, and changes settings. */
export function configurationView(place) {
  void projectChoice(place, showSettings, { hasNone: true });
}

async function showSettings(content, project) {
  const { files: paths, settings } = await read('configuration', project === '' ? {} : { project });
  const lines = Object.entries(paths).map(([source, { path, exists }]) =>
    make('p', { className: 'soft' }, `${source}: ${path}${exists ? '' : ' (does not exist)'}`),
  );
  const shown = settings.map((setting) => row(setting, { project, refresh: () => showSettings(content, project) }));
  content.replaceChildren(...lines, cards(shown, 'There are no settings.'));
}

function row({ key, value, from, note, canChange }, place) {
  const element = make('div');
  const change = () => element.append(editor({ key, value }, { ...place, close: (form) => form.remove() }));
  element.append(
    make(
      'div',
      { className: 'row' },
      make('strong', {}, key),
      make('code', { className: 'grow' }, JSON.stringify(value)),
      make('span', { className: 'soft' }, from.join(' + ')),
      note !== undefined && make('span', { className: 'incomplete' }, note),
      // The others need a terminal.
      canChange &&
        make(
          'button',
          {
            ariaLabel: `Change ${key}`,
            onclick: () => {
              if (element.querySelector('form') === null) change();
            },
          },
          'Change',
        ),
    ),
  );
  return element;
}

/** Returns a form for one setting. The server checks the value, and refuses a change that is not valid as a whole. */
function editor({ key, value }, { project, refresh, close }) {
  let file = 'user';
  const text = make('input', { value: typeof value === 'string' ? value : JSON.stringify(value) });
  const options = Object.entries(files).filter(([name]) => name === 'user' || project !== '');
  const place = choice('In', options, {
    value: file,
    onchange: (chosen) => {
      file = chosen;
    },
  });
  const cancel = make('button', { type: 'button', onclick: () => close(form) }, 'Cancel');
  const form = make('form', {}, field(`New value of ${key}, in YAML`, text), place, make('button', {}, 'Save'), cancel);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void act(async () => {
      await post('configuration/set', { file, project, key, text: text.value });
      await refresh();
    });
  });
  return form;
}
