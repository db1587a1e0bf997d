import { bar, cards, make, megabytes, time } from '/dom.js';

/** Shows sessions, projects with their language servers, and the memory. */
export function overviewView(place) {
  return ({ state }) => {
    if (state === undefined) return;
    const { sessions, projects, usedBytes, budgetBytes, version, pid, logPath } = state;
    place.replaceChildren(
      make('p', {}, `Serena ${version}, process ${pid}`),
      make('p', { className: 'soft' }, `Log: ${logPath ?? 'none'}`),
      make('h2', {}, 'Memory'),
      memory(usedBytes, budgetBytes),
      make('h2', {}, `Sessions (${sessions.length})`),
      cards(sessions.map(session), 'No client is connected.'),
      make('h2', {}, `Projects (${projects.length})`),
      cards(projects.map(project), 'No project is open.'),
    );
  };
}

function memory(usedBytes, budgetBytes) {
  if (usedBytes === undefined) return make('p', {}, 'This system does not report it.');
  if (budgetBytes === undefined) return make('p', {}, `${megabytes(usedBytes)}, without a limit`);
  return make(
    'div',
    {},
    make('p', {}, `${megabytes(usedBytes)} of ${megabytes(budgetBytes)}`),
    bar(usedBytes / budgetBytes),
  );
}

function session({ client, project, context, modes, cwd, startedAtMs }) {
  return make(
    'div',
    {},
    make('h3', {}, client ?? 'Client without a name'),
    make('p', {}, `Project: ${project ?? 'none'}`),
    make(
      'p',
      { className: 'soft' },
      `Context ${context}, modes ${modes.join(', ')}; since ${time(startedAtMs)} in ${cwd}`,
    ),
  );
}

function project({ root, servers, failures }) {
  const started = servers.map(({ name, state, bytes, pid, progress }) =>
    make(
      'p',
      { className: 'row' },
      make('span', {}, name),
      make('span', { className: `state ${state}` }, state),
      make('span', {}, megabytes(bytes)),
      make('span', { className: 'soft' }, pid === 0 ? '' : `process ${pid}`),
      make('span', { className: 'soft grow' }, progress ?? ''),
    ),
  );
  const failed = failures.map(({ id, reason }) => make('p', { className: 'failed' }, `${id}: ${reason}`));
  const none =
    servers.length + failures.length === 0 && make('p', { className: 'soft' }, 'No language server was started.');
  return make('div', {}, make('h3', {}, root), none, ...started, ...failed);
}
