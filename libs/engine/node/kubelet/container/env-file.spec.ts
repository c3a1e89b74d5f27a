import { expect, test } from '@jest/globals';
import { readFileKey } from './env-file.js';

const TEXT = "# settings\n\nDB_ADDRESS='address of it'\nREST=endpoint # here\nEMPTY=''\n";

const readFile = (volume: string, path: string): string | null | undefined => {
  if (volume !== 'config') return undefined;
  return path === 'config.env' ? TEXT : path === 'bad.env' ? 'KEY = value\n' : null;
};
const at = (key: string, fields = {}) => ({ volumeName: 'config', path: 'config.env', key, ...fields });

test.each([
  [at('DB_ADDRESS'), 'address of it'],
  [at('REST'), 'endpoint'],
  [at('EMPTY'), ''],
  [at('OTHER', { optional: true }), undefined],
])('%j', (selector, value) => {
  expect(readFileKey(selector, readFile)).toBe(value);
});

test.each([
  [at('OTHER'), 'environment variable key "OTHER" not found in file "config.env"'],
  [at('KEY', { path: 'bad.env' }), "couldn't parse env file"],
  [at('KEY', { path: 'none.env' }), "couldn't parse env file"],
  [at('KEY', { volumeName: 'data' }), 'cannot find the volume "data" referenced by FileKeyRef'],
])('%j fails', (selector, message) => {
  expect(() => readFileKey(selector, readFile)).toThrow(message);
});
