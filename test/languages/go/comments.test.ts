// Comments in which a renamed name is a word like any other: gopls renames it there as well.
import { expect } from 'bun:test';
import { openShared } from '../../support/shared-session.ts';
import { testUnless, whyNoGo } from '../../support/skip.ts';

// Builds gopls at first use.
const timeoutMs = 15 * 60_000;

/** `ϕ` stands for the name where it names the method. */
const store = `package store

// Store keeps messages. Stop it at the end.
type Store interface {
	// ϕ ends the store. Stop it only once, see [Store.ϕ] and Store.ϕ.
	//
	// Stop the timers before.
	ϕ() error
	State() int
}

type fileStore struct{ closed bool }

// Stop the current filestore.
func (fs *fileStore) ϕ() error {
	fs.closed = true
	return nil
}

func (fs *fileStore) State() int { return 0 }

type memStore struct{}

/* ϕ closes the memory store. Stop the timers first, call ϕ() once. */
func (ms *memStore) ϕ() error { return nil }

func (ms *memStore) State() int { return 1 }

var _ Store = (*fileStore)(nil)

var stores = []Store{&memStore{}}

func run(s Store) error {
	// Stop the store.
	return s.ϕ()
}

type ticker struct{}

// Stop the ticker.
//
// See Stop, and [Store].
func (t *ticker) Stop() {}
`;

testUnless(whyNoGo())(
  'a rename in Go leaves the words of comments that only look like the name',
  async () => {
    const { workspace, client } = await openShared({
      'go.mod': 'module example.test/store\n\ngo 1.21\n',
      'store.go': store.replaceAll('ϕ', 'Stop'),
    });
    const target = { name_path: 'Store/Stop', relative_path: 'store.go', new_name: 'StopStore' };
    const { blocks } = await client.call('rename_symbol', target);
    expect(workspace.read('store.go')).toBe(store.replaceAll('ϕ', 'StopStore'));
    const text = blocks.join('\n');
    expect(text).toContain('\n  comments that name it:\n    store.go:4: Stop\n    store.go:23: Stop');
    // As the first word of its comment it may mean the method.
    expect(text).toEndWith('Mentioned (0-based lines):\n  [1] store.go:13: // Stop the current filestore.');
  },
  timeoutMs,
);
