import { describe, expect, test } from '@jest/globals';
import { encodeBase64 } from '../../text/base64.js';
import { caBundleFault, decodePem, encodePem } from './pem.js';

const bytes = Uint8Array.from({ length: 60 }, (_, i) => i);

test('lines have 64 characters', () => {
  const lines = encodePem('CERTIFICATE', bytes).split('\n');
  expect(lines.map((line) => line.length)).toEqual([27, 64, 16, 25, 0]);
  expect(lines[0]).toBe('-----BEGIN CERTIFICATE-----');
});

describe('decoding', () => {
  test('keeps every block, skips what is between', () => {
    const text = `chain:\n${encodePem('CERTIFICATE', bytes)}\n# key\n${encodePem('EC PRIVATE KEY', Uint8Array.of(1))}`;
    expect(decodePem(text)).toEqual([
      { type: 'CERTIFICATE', bytes, hasHeaders: false },
      { type: 'EC PRIVATE KEY', bytes: Uint8Array.of(1), hasHeaders: false },
    ]);
  });
  test('skips the headers of a block', () =>
    expect(decodePem('-----BEGIN A-----\nProc-Type: 4,ENCRYPTED\n\nAQ==\n-----END A-----\n')).toEqual([
      { type: 'A', bytes: Uint8Array.of(1), hasHeaders: true },
    ]));
  test.each([
    '',
    'AQ==',
    '-----BEGIN A-----\nAQ==\n-----END B-----',
    '-----BEGIN A-----\n***\n-----END A-----',
    '-----BEGIN A-----\nAQ==-----END A-----',
    '-----BEGIN A\nAQ==\n-----END A-----',
    'x-----BEGIN A-----\nAQ==\n-----END A-----',
    '-----BEGIN A-----\nAQ==\n-----END A-----x',
  ])('%j has no block', (text) => expect(decodePem(text)).toEqual([]));
  test.each([
    ['an empty block', '-----BEGIN A-----\n-----END A-----', []],
    ['a BEGIN without an END before it', '-----BEGIN B-----\n-----BEGIN A-----\nAQ==\n-----END A-----\n', [1]],
    ['an END without a BEGIN before it', 'x\n-----END A-----\n-----BEGIN A-----\nAQ==\n-----END A-----', [1]],
    ['lines of Windows', '-----BEGIN A-----\r\nAQ==\r\n-----END A-----\r\n', [1]],
  ])('%s', (_case, text, expected) =>
    expect(decodePem(text)).toEqual([{ type: 'A', bytes: Uint8Array.from(expected), hasHeaders: false }]),
  );
});

test.each([
  [undefined, undefined],
  ['', undefined],
  [encodeBase64(encodePem('CERTIFICATE', bytes)), undefined],
  [encodeBase64('nonsense'), 'unable to load root certificates: unable to parse bytes as PEM block'],
])('the bundle %j: %s', (bundle, fault) => expect(caBundleFault(bundle)).toBe(fault));
