import { beforeEach, expect, test } from '@jest/globals';
import { FileTree } from '../../../kernel/files/tree.js';
import { FileChanges } from '../../../kinds/index.js';
import type { AuditConfiguration } from '../../../kinds/terrarium/noderuntime/api-server-configuration.js';
import type { Client } from '../../../machinery/client.js';
import type { State } from '../../../runtime/state/state.js';
import { clientOf, stateOf } from '../../cri/testing.js';
import { isOfLog, readRows, storeRows } from '../../cri/records/file-record.js';
import { makePath } from '../files/make-path.js';
import { appendToLog } from './audit-log.js';

const TREE = 'node/cp';
const NOON = Date.parse('2026-01-01T12:00:00Z');
let state: State;
let client: Client;
let log: AuditConfiguration;
/** A tree that somebody has open meanwhile. */
let open: FileTree;

beforeEach(() => {
  state = stateOf();
  client = clientOf(state);
  open = new FileTree(TREE);
  log = {
    ...makePath(open, '/var/log/a/audit.log', 0o755, 0)!,
    ...{ policy: { rules: [] }, node: 'cp', maxBytes: 1_000, maxBackups: 2, maxAgeDays: 0 },
  };
  storeRows(client, TREE, TREE, open.takeChanges());
});

const append = (text: string, now = NOON): void => open.adopt(appendToLog(client, log, text, now));
const files = (tree: FileTree): Record<string, string> =>
  Object.fromEntries(tree.names(log.folder).map((name) => [name, tree.read(tree.find(log.folder, name)!, 0, 1e6)]));
const stored = (): Record<string, string> => files(new FileTree(TREE, {}, readRows(state, TREE)));

test('what is appended costs what it is, for whoever has the file open and for others', () => {
  append('');
  expect(stored()).toEqual({ 'audit.log': '' });
  let text = '';
  log = { ...log, maxBytes: 100_000 };
  for (let i = 0; i < 200; i++) {
    const line = `{"number":${i}}\n`;
    text += line;
    append(line);
  }
  expect(stored()).toEqual({ 'audit.log': text });
  expect(files(open)).toEqual({ 'audit.log': text });
  expect(state.list(FileChanges).length).toBeLessThan(80);
});

test('no other row is a log’s', () => {
  const before = new Set(state.list(FileChanges).map(({ row }) => row));
  append('a\n');
  append('b\n');
  const made = state.list(FileChanges).filter(({ row }) => !before.has(row));
  expect(made.map(({ row }) => isOfLog(row))).toEqual(made.map(({ row }) => !('name' in (row as object))));
});

test('a file that somebody empties or removes is gone on with', () => {
  append('a\n');
  open.truncate(open.find(log.folder, 'audit.log')!, 0, 1);
  storeRows(client, TREE, TREE, open.takeChanges());
  append('b\n');
  expect(stored()).toEqual({ 'audit.log': 'b\n' });
  open.unlink(log.folder, 'audit.log', 2);
  storeRows(client, TREE, TREE, open.takeChanges());
  append('c\n');
  expect(stored()).toEqual({ 'audit.log': 'c\n' });
  expect(files(open)).toEqual({ 'audit.log': 'c\n' });
});

test('a full file is put aside, and the oldest goes', () => {
  for (let i = 0; i < 4; i++) append(`${i}`.repeat(600), NOON + i);
  expect(stored()).toEqual({
    'audit-2026-01-01T12-00-00.002.log': '1'.repeat(600),
    'audit-2026-01-01T12-00-00.003.log': '2'.repeat(600),
    'audit.log': '3'.repeat(600),
  });
  expect(files(open)).toEqual(stored());
});

test('a path that leads through a file has no log', () => {
  open.create(open.root, 'file', { type: 'file', mode: 0o644, user: 0, group: 0, modified: 0 }, 0);
  expect(makePath(open, '/file/audit.log', 0o755, 0)).toBeUndefined();
});
