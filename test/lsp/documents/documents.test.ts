import { describe, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeTempDir } from '../../support/temp.ts';
import { type RunningStub, type StubStart, startStub } from '../stub.ts';

const timeoutMs = 120_000;

interface Recorder extends RunningStub {
  /** Returns the messages that the stub has received since the last call, each as `<method> <file> …`. */
  heard(): Promise<string[]>;
}

async function startRecorder(options: Omit<StubStart, 'args'> = {}): Promise<Recorder> {
  const report = join(makeTempDir(), 'heard');
  const stub = await startStub('records-messages', { ...options, args: { report } });
  const rootUri = `${pathToFileURL(stub.project.root).href}/`;
  const place = { textDocument: { uri: `${rootUri}a.py` }, position: { line: 0, character: 0 } };
  let seen = 0;
  const heard = async () => {
    // The stub handles messages in order: with this answer it has received all earlier ones.
    await stub.server.request('textDocument/references', place);
    const lines = existsSync(report) ? readFileSync(report, 'utf8').trimEnd().split('\n') : [];
    const news = lines.slice(seen);
    seen = lines.length;
    return news.map((line) => told(JSON.parse(line), rootUri));
  };
  return { ...stub, heard };
}

function told(message: { method: string; params: Record<string, unknown> }, rootUri: string): string {
  const text = JSON.stringify(Object.values(message.params)).replaceAll(rootUri, '');
  return `${message.method.replace(/^.*\/(did)?/, '')} ${text}`;
}

describe('Documents', () => {
  test(
    'reopens a document if others have changed since, if the server checks it against them only then',
    async () => {
      await using stub = await startRecorder({ publishing: { checksWhenOpened: true } });
      const { documents } = stub.server;
      const [path, other] = [stub.project.path('a.py'), stub.project.path('b.py')];
      documents.sync(path);
      documents.sync(other);
      for (const each of ['a.py', 'b.py']) documents.published.receive(each, { version: 1, diagnostics: [] });
      documents.refresh(path);
      stub.project.write('b.py', 'x = 1\n');
      documents.sync(other);
      documents.published.receive('b.py', { version: 2, diagnostics: [] });
      await stub.heard();
      documents.refresh(other);
      documents.refresh(path);
      const opened = { uri: 'a.py', languageId: 'python', version: 2, text: stub.project.read('a.py') };
      const text = JSON.stringify([opened]);
      expect(await stub.heard()).toEqual(['Close [{"uri":"a.py"}]', `Open ${text}`]);
      // A changed text is sent so only if another file has changed since.
      for (const [name, changed] of [
        ['b.py', 'x = 2\n'],
        ['a.py', 'x = 3\n'],
        ['a.py', 'x = 4\n'],
      ] as const) {
        stub.project.write(name, changed);
        documents.sync(stub.project.path(name));
      }
      const heard = (await stub.heard()).map((message) => message.split(' ')[0]);
      expect(heard).toEqual(['Change', 'Close', 'Open', 'Change']);
    },
    timeoutMs,
  );

  test(
    'sends the text of an open document again, and nothing about others',
    async () => {
      await using stub = await startRecorder();
      const { documents } = stub.server;
      const path = stub.project.path('a.py');
      documents.resend(path);
      documents.sync(path);
      documents.resend(path);
      const heard = (await stub.heard()).map((message) => message.split(' ')[0]);
      expect(heard).toEqual(['Open', 'Change']);
    },
    timeoutMs,
  );

  test(
    'opens a document once, and sends its text again only if it has changed',
    async () => {
      await using stub = await startRecorder();
      stub.project.write('c.py', 'x = "🧾"\r\n');
      const path = stub.project.path('c.py');
      expect(stub.server.documents.sync(path)).toBe('x = "🧾"\r\n');
      expect(stub.server.documents.sync(path)).toBe('x = "🧾"\r\n');
      const opened = { uri: 'c.py', languageId: 'python', version: 1, text: 'x = "🧾"\r\n' };
      expect(await stub.heard()).toEqual([`Open ${JSON.stringify([opened])}`]);

      stub.project.write('c.py', 'x = 2\n');
      stub.server.documents.sync(path);
      stub.project.write('c.py', 'x = 3\n');
      stub.server.documents.sync(path);
      stub.server.documents.sync(path);
      expect(await stub.heard()).toEqual([
        'Change [{"uri":"c.py","version":2},[{"text":"x = 2\\n"}]]',
        'Change [{"uri":"c.py","version":3},[{"text":"x = 3\\n"}]]',
      ]);
    },
    timeoutMs,
  );

  test(
    'closes and reopens a document if the server would misapply changes of its text',
    async () => {
      await using stub = await startRecorder({ reopensWhenMatching: /\u2028/ });
      const path = stub.project.path('c.py');
      const show = (text: string) => {
        stub.project.write('c.py', text);
        stub.server.documents.sync(path);
      };
      for (const text of ['one', 'two\u2028', 'three', 'four']) show(text);
      const opened = (version: number, text: string) =>
        `Open ${JSON.stringify([{ uri: 'c.py', languageId: 'python', version, text }])}`;
      expect(await stub.heard()).toEqual([
        opened(1, 'one'),
        'Change [{"uri":"c.py","version":2},[{"text":"two\u2028"}]]',
        'Close [{"uri":"c.py"}]',
        opened(3, 'three'),
        'Change [{"uri":"c.py","version":4},[{"text":"four"}]]',
      ]);
    },
    timeoutMs,
  );

  test(
    'closes an open document, and opens it again afterwards',
    async () => {
      await using stub = await startRecorder();
      const path = stub.project.path('b.py');
      stub.server.documents.close(path);
      stub.server.documents.sync(path);
      expect(stub.server.documents.isOpen(path)).toBe(true);
      stub.server.documents.close(path);
      stub.server.documents.close(path);
      expect(stub.server.documents.isOpen(path)).toBe(false);
      stub.server.documents.sync(path);
      expect((await stub.heard()).map((line) => line.slice(0, 20))).toEqual([
        'Open [{"uri":"b.py",',
        'Close [{"uri":"b.py"',
        'Open [{"uri":"b.py",',
      ]);
    },
    timeoutMs,
  );

  test(
    'closes the least recently used document once there are many, but never a pinned one',
    async () => {
      await using stub = await startRecorder();
      const open = (name: string, pin = false) => {
        stub.project.write(name, '');
        stub.server.documents.sync(stub.project.path(name), { pin });
      };
      open('pinned.py', true);
      open('first.py');
      open('second.py');
      for (let index = 0; index < 45; index++) open(`f${index}.py`);
      await stub.heard();
      open('first.py');
      open('one-more.py');
      expect(await stub.heard()).toEqual([
        'Close [{"uri":"second.py"}]',
        'Open [{"uri":"one-more.py","languageId":"python","version":1,"text":""}]',
      ]);
      expect(stub.server.documents.isOpen(stub.project.path('pinned.py'))).toBe(true);
    },
    timeoutMs,
  );

  test(
    'is not changed by a file that cannot be read',
    async () => {
      await using stub = await startRecorder();
      expect(() => stub.server.documents.sync(stub.project.path('gone.py'))).toThrow('gone.py');
      expect(stub.server.documents.isOpen(stub.project.path('gone.py'))).toBe(false);
      expect(await stub.heard()).toEqual([]);
    },
    timeoutMs,
  );
});

describe('LanguageServer.reportChanges()', () => {
  test(
    'reports all changes at once, and closes deleted documents',
    async () => {
      await using stub = await startRecorder();
      const { project, server } = stub;
      server.documents.sync(project.path('a.py'));
      await stub.heard();
      server.reportChanges([
        { file: 'new.py', type: 'created' },
        { file: 'b.py', type: 'changed' },
        { file: project.path('a.py'), type: 'deleted' },
      ]);
      server.reportChanges([]);
      expect(await stub.heard()).toEqual([
        'Close [{"uri":"a.py"}]',
        'ChangeWatchedFiles [[{"uri":"new.py","type":1},{"uri":"b.py","type":2},{"uri":"a.py","type":3}]]',
      ]);
    },
    timeoutMs,
  );
});
