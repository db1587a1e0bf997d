import { post, read } from '/api.js';
import { act, cards, field, make } from '/dom.js';
import { projectChoice } from '/project-choice.js';

/** Shows the memories of a project and the global ones, to read, change and delete. */
export function memoriesView(place) {
  void projectChoice(place, showList);
}

async function showList(content, project) {
  const names = await read('memories', { project });
  const edit = (name) => act(() => showEditor(content, { project, name }));
  const items = names.map((name) =>
    make(
      'div',
      { className: 'row' },
      make('span', { className: 'grow' }, name),
      make('button', { onclick: () => edit(name), ariaLabel: `Open ${name}` }, 'Open'),
    ),
  );
  const name = make('input', { required: true });
  const form = make('form', {}, field('New memory', name), make('button', {}, 'Create'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    fillEditor(content, { project, name: name.value, text: '', isNew: true });
  });
  content.replaceChildren(form, cards(items, 'There are no memories.'));
}

async function showEditor(content, { project, name }) {
  const { text } = await read('memory', { project, name });
  fillEditor(content, { project, name, text, isNew: false });
}

function fillEditor(content, { project, name, text, isNew }) {
  const area = make('textarea', { value: text });
  const back = () => act(() => showList(content, project));
  const save = () =>
    act(async () => {
      await post('memory/write', { project, name, text: area.value });
      await showList(content, project);
    });
  const remove = () =>
    act(async () => {
      if (!confirm(`Delete the memory ${name}?`)) return;
      await post('memory/delete', { project, name });
      await showList(content, project);
    });
  content.replaceChildren(
    field(name, area),
    make(
      'div',
      { className: 'controls' },
      make('button', { onclick: save }, 'Save'),
      make('button', { onclick: back }, 'Back'),
      !isNew && make('button', { onclick: remove, className: 'danger' }, 'Delete'),
    ),
  );
  area.focus();
}
