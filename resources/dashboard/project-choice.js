import { read } from '/api.js';
import { choice, make, notify } from '/dom.js';

/** The project that the user chose last, in any view. */
let chosen;

/** Adds a choice of the project to `place`; `show` fills the element below it whenever another one is chosen. */
export async function projectChoice(place, show, { hasNone = false } = {}) {
  const content = make('div');
  const fill = async () => {
    notify('');
    try {
      await show(content, chosen);
    } catch (error) {
      content.replaceChildren();
      notify(error.message);
    }
  };
  try {
    const roots = await read('projects');
    if (roots.length === 0 && !hasNone) {
      place.append(make('p', { className: 'soft' }, 'No project is known.'));
      return;
    }
    const none = hasNone ? [['', 'none']] : [];
    if (chosen === undefined || (chosen === '' && !hasNone)) chosen = roots[0] ?? '';
    const select = choice('Project', [...none, ...roots.map((root) => [root, root])], {
      value: chosen,
      onchange: (value) => {
        chosen = value;
        void fill();
      },
    });
    place.append(make('div', { className: 'controls' }, select), content);
    await fill();
  } catch (error) {
    notify(error.message);
  }
}
