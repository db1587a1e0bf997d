import { choice, make, time } from '/dom.js';

const levels = ['debug', 'info', 'warning', 'error', 'fatal'];
const maxRows = 1_000;

/** Shows log records, latest last, from a level on. */
export function logsView(place) {
  let least = 0;
  const list = make('ul', { className: 'log' });
  const isHidden = (row) => levels.indexOf(row.dataset.level) < least;
  const select = choice(
    'Minimum level',
    levels.map((level) => [level, level]),
    {
      value: 'debug',
      onchange: (value) => {
        least = levels.indexOf(value);
        for (const row of list.children) row.hidden = isHidden(row);
      },
    },
  );
  place.append(make('div', { className: 'controls' }, select), list);
  return ({ logs }) => {
    const isAtEnd = window.innerHeight + window.scrollY >= document.body.scrollHeight - 40;
    for (const { timeMs, level, part, message } of logs) {
      const row = make(
        'li',
        {},
        make('span', { className: 'soft' }, time(timeMs)),
        make('span', { className: level }, level),
        make('span', { className: 'soft' }, part),
        make('span', {}, message),
      );
      row.dataset.level = level;
      row.hidden = isHidden(row);
      list.append(row);
    }
    while (list.children.length > maxRows) list.firstChild.remove();
    if (isAtEnd && logs.length > 0) window.scrollTo(0, document.body.scrollHeight);
  };
}
