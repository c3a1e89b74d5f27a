import { expect, test } from '@jest/globals';
import type { FileNode } from './file.js';
import { EXECUTE, isPermitted, READ, requireUnsticky, WRITE } from './permissions.js';

const node = (mode: number, type: FileNode['type'] = 'file'): FileNode => ({
  type,
  mode,
  user: 10,
  group: 20,
  modified: 0,
});
const owner = { user: 10, group: 99, groups: [], capabilities: [] };
const member = { user: 11, group: 99, groups: [20], capabilities: [] };
const other = { user: 11, group: 99, groups: [], capabilities: [] };
const root = { user: 0, group: 0, groups: [], capabilities: ['DAC_OVERRIDE', 'FOWNER'] };

test.each([
  ['the owner by the first bits', node(0o700), owner, READ | WRITE | EXECUTE, true],
  ['the owner not by the others', node(0o077), owner, READ, false],
  ['a member by the second bits', node(0o750), member, READ | EXECUTE, true],
  ['a member may not what only others may', node(0o707), member, READ, false],
  ['others by the last bits', node(0o704), other, READ, true],
  ['others no more', node(0o704), other, WRITE, false],
  ['root all', node(0o000), root, READ | WRITE, true],
  ['root executes only what somebody may', node(0o644), root, EXECUTE, false],
  ['root executes what somebody may', node(0o654), root, EXECUTE, true],
  ['root enters every folder', node(0o000, 'directory'), root, EXECUTE, true],
])('%s', (_, file, credentials, asked, allowed) => {
  expect(isPermitted(file, credentials, asked)).toBe(allowed);
});

test.each([
  ['a file of others in /tmp', 0o1777, other, 'Operation not permitted'],
  ['an own file in /tmp', 0o1777, owner, undefined],
  ['a file of others in a folder without the bit', 0o777, other, undefined],
  ['root', 0o1777, root, undefined],
])('names in sticky folders: %s', (_, mode, credentials, error) => {
  const directory = { ...node(mode, 'directory'), user: 0 };
  const take = () => requireUnsticky(directory, node(0o644), credentials);
  if (error === undefined) expect(take).not.toThrow();
  else expect(take).toThrow(error);
});
