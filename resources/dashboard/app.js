import { follow, signIn } from '/api.js';
import { callsView } from '/calls.js';
import { configurationView } from '/configuration.js';
import { make, notify } from '/dom.js';
import { editsView } from '/edits.js';
import { logsView } from '/logs.js';
import { memoriesView } from '/memories.js';
import { overviewView } from '/overview.js';
import { serversView } from '/servers.js';
import { symbolsView } from '/symbols.js';
import { usageView } from '/usage.js';

/** Each shows itself in an element, and returns how it takes updates, if it does. */
const views = {
  overview: { title: 'Overview', show: overviewView },
  calls: { title: 'Calls', show: callsView },
  usage: { title: 'Usage', show: usageView },
  logs: { title: 'Logs', show: logsView },
  memories: { title: 'Memories', show: memoriesView },
  edits: { title: 'Edits', show: editsView },
  configuration: { title: 'Configuration', show: configurationView },
  servers: { title: 'Language servers', show: serversView },
  symbols: { title: 'Symbols', show: symbolsView },
};

const retryMs = 2_000;
/** As many as the server keeps. */
const maxCalls = 500;
const maxLogs = 1_000;

/** Everything that the server has sent. */
const shown = { state: undefined, calls: new Map(), logs: [] };
let update;

function show() {
  const name = location.hash.slice(1) in views ? location.hash.slice(1) : 'overview';
  for (const link of document.querySelectorAll('#views a')) {
    if (link.hash === `#${name}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  document.title = `${views[name].title} · Serena dashboard`;
  notify('');
  const main = document.getElementById('main');
  main.replaceChildren(make('h2', {}, views[name].title));
  const place = make('div');
  main.append(place);
  update = views[name].show(place, shown);
  update?.({ state: shown.state, calls: [...shown.calls.values()], logs: shown.logs });
}

function take({ state, calls = [], logs = [] }) {
  if (state !== undefined) shown.state = state;
  for (const call of calls) shown.calls.set(call.id, call);
  for (const id of shown.calls.keys()) if (shown.calls.size > maxCalls) shown.calls.delete(id);
  shown.logs = [...shown.logs, ...logs].slice(-maxLogs);
  update?.({ state: shown.state, calls, logs });
}

async function start() {
  const links = Object.entries(views).map(([name, { title }]) => make('a', { href: `#${name}` }, title));
  document.getElementById('views').append(...links);
  const connection = document.getElementById('connection');
  try {
    await signIn();
  } catch (error) {
    notify(error.message);
  }
  window.addEventListener('hashchange', () => {
    // The target of the link that skips the navigation.
    if (location.hash === '#main') return;
    show();
    document.getElementById('main').focus();
  });
  for (;;) {
    try {
      shown.calls.clear();
      shown.logs = [];
      show();
      await follow((change) => {
        connection.textContent = 'Connected';
        take(change);
      });
      connection.textContent = 'Disconnected: the process has ended';
    } catch (error) {
      connection.textContent = `Disconnected: ${error.message}`;
      // Another attempt would fail, too.
      if (error.cause === 401) return;
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}

await start();
