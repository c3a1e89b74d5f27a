import { expect, test } from '@jest/globals';
import { readFlags } from './flags.js';

test.each([
  [['--type', 'thin'], 'type', 'thin'],
  [['-t', 'thick', '-d', '/x'], 'dest-dir', '/x'],
  [['--cni-conf-dir=/y'], 'cni-conf-dir', '/y'],
  [['--namespace-isolation', '--type', 'thin'], 'namespace-isolation', 'true'],
  [['-config', '/z'], 'config', '/z'],
  [[], 'type', 'otherwise'],
])('%j: %s is %s', (words, name, value) => {
  expect(readFlags(words).get(name, 'otherwise')).toBe(value);
});

test('a flag needs its value', () => {
  expect(readFlags(['--type']).error).toBe('flag needs an argument: --type');
});
