import { beforeEach, expect, test } from '@jest/globals';
import { FileTree } from '../../../kernel/files/tree.js';
import { FileChanges } from '../../../kinds/index.js';
import type { Client } from '../../../machinery/client.js';
import type { State } from '../../../runtime/state/state.js';
import { deleteFilesOf, readRows, storeRows } from './file-record.js';
import { clientOf, stateOf } from '../testing.js';

const TREE = 'pod/u1/data';
const KIB = 1024;
const FILE = { type: 'file', mode: 0o644, user: 0, group: 0, modified: 0 } as const;

let state: State;
let client: Client;
let tree: FileTree;
let key: string;

beforeEach(() => {
  state = stateOf();
  client = clientOf(state);
  tree = new FileTree(TREE);
  key = tree.create(tree.root, 'large', FILE, 0);
});

const store = (): number => {
  const { bytes } = state;
  storeRows(client, TREE, 'u1', tree.takeChanges());
  return state.bytes - bytes;
};
const written = (): string => {
  const { revision } = state;
  store();
  return `${state.revision - revision}`;
};
const read = (): string => {
  const found = new FileTree(TREE, {}, readRows(state, TREE));
  return found.read(found.find(found.root, 'large')!, 0, 1e9);
};
const text = (length: number): string => 'abcdefghijklmnopqrstuvwxyz'.repeat(length / 26 + 1).slice(0, length);

test('a large file is found again', () => {
  tree.write(key, 0, text(1_000 * KIB), 1);
  store();
  expect(read()).toBe(text(1_000 * KIB));
});

test('what is no text is stored as long as base64, and found by another process', () => {
  const noise = Array.from({ length: 300 * KIB }, (_, i) => String.fromCharCode((i * i * 31 + (i >> 3)) & 255)).join(
    '',
  );
  tree.write(key, 0, noise, 1);
  expect(store()).toBeLessThan(1.36 * noise.length);
  expect(read() === noise).toBe(true);
  tree.write(key, 100, 'X', 2);
  expect(written()).toBe('2');
  const copies = state.list(FileChanges).map((object) => structuredClone(object));
  const other = stateOf(...copies);
  const found = new FileTree(TREE, {}, readRows(other, TREE));
  const large = found.find(found.root, 'large')!;
  expect(found.read(large, 0, 1e9) === noise.slice(0, 100) + 'X' + noise.slice(101)).toBe(true);
  found.write(large, noise.length, 'Y', 3);
  const { revision } = other;
  storeRows(clientOf(other), TREE, 'u1', found.takeChanges());
  expect(other.revision - revision).toBe(2);
});

test('a write to a large file costs what is written', () => {
  tree.write(key, 0, text(512 * KIB), 1);
  expect(store()).toBeGreaterThan(512 * KIB);
  tree.write(key, 512 * KIB, 'the end', 2);
  expect(store()).toBeLessThan(1_000);
  tree.write(key, 100, 'X', 3);
  // The inode, and one piece.
  expect(written()).toBe('2');
  expect(read()).toBe(`${text(100)}X${text(512 * KIB).slice(101)}the end`);
});

test.each([
  ['to nothing', 0],
  ['to one row', 10],
  ['to a piece more than nothing', 65 * KIB],
])('a file that becomes shorter, %s, leaves no pieces behind', (_case, length) => {
  tree.write(key, 0, text(500 * KIB), 1);
  store();
  tree.truncate(key, length, 2);
  store();
  expect(read()).toBe(text(500 * KIB).slice(0, length));
  expect(state.list(FileChanges).filter(({ row }) => 'piece' in (row as object))).toHaveLength(
    length > 64 * KIB ? 2 : 0,
  );
});

test('a file that is removed leaves nothing behind, and so do all files of an owner', () => {
  tree.write(key, 0, text(500 * KIB), 1);
  store();
  tree.unlink(tree.root, 'large', 2);
  store();
  const ids = state.list(FileChanges).map(({ row }) => (row as { id: string }).id);
  expect(ids.sort()).toEqual(['i/', 'next']);
  deleteFilesOf(client, 'u1');
  expect(state.list(FileChanges)).toEqual([]);
});

test('of a hole in a file nothing is stored, and it is found again', () => {
  tree.write(key, 3_000 * KIB, 'end', 1);
  expect(store()).toBeLessThan(90 * KIB);
  expect(read()).toBe('\0'.repeat(3_000 * KIB) + 'end');
  tree.write(key, 1_000 * KIB, 'middle', 2);
  expect(store()).toBeLessThan(90 * KIB);
  expect(read().slice(1_000 * KIB - 1, 1_000 * KIB + 7)).toBe('\0middle\0');
  tree.write(key, 1_000 * KIB, '\0'.repeat(6), 3);
  store();
  expect(read()).toBe('\0'.repeat(3_000 * KIB) + 'end');
});
