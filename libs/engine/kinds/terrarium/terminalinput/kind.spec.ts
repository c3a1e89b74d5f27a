import { expect, test } from '@jest/globals';
import { storageKey } from '../../../machinery/kind.js';
import { TERMINAL_INPUTS } from '../../../machinery/past-change.js';
import { kind, type TerminalInput } from './kind.js';

const INPUT: TerminalInput = {
  apiVersion: 'terrarium.dev/v1alpha1',
  kind: 'TerminalInput',
  metadata: { name: 'input-1' },
  ...{ number: 1, user: 'ada', groups: [], resource: 'pods', subresource: 'exec', namespace: 'shop', name: 'web' },
  ...{ container: 'web', lines: ['ls', 'date'] },
};

test('users read it, and never write it', () => {
  expect(kind.verbs).toEqual(['get', 'list', 'watch']);
  expect(storageKey(kind)).toBe(TERMINAL_INPUTS);
});

test('a row has who, where and what', () => {
  const cells = kind.columns!.slice(0, 4).map((column) => column.cell(INPUT, 0));
  expect(cells).toEqual(['input-1', 'ada', 'pod/shop/web', 'ls; date']);
});
