import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { CRC, type Digest, MD5, SHA1, SHA224, SHA256, SHA384, SHA512 } from './digest.js';
import { programs as text } from '../../text/index.js';
import { testCases } from '../../testing/run-tool.js';
import { programs } from '../index.js';

testCases({ ...text, ...programs }, [
  ['md5sum fruits numbers', '9c519e230d68920693d6b9c12018e19a  fruits\nca71def454f1afd6a6f2a031e3d00d7f  numbers\n'],
  ['sha1sum fruits', 'f03a3e7b13d2998e95c0a6c71c5320c84ea4126d  fruits\n'],
  ['sha256sum fruits', '68ab5be383cbeb3b8430504e20cee1c6eaad43fb2426489d48342e1f4235a70c  fruits\n'],
  [
    'sha512sum fruits',
    '5c010fbc14cbf6fd118f1628fcd75605dd5be9bf4d0b59ec26cfb18b4aed64ed38742307b834ea625db2f33b1921056d47236d65ada9770078e1aacf0b561bed  fruits\n',
  ],
  ['md5sum nope', '', { stderr: 'md5sum: nope: No such file or directory\n', code: 1 }],
  ['md5sum fruits > s; md5sum -c s', 'fruits: OK\n'],
  [
    'md5sum fruits numbers > s; truncate -s 1 fruits; md5sum -c s',
    'fruits: FAILED\nnumbers: OK\n',
    { stderr: 'md5sum: WARNING: 1 computed checksum did NOT match\n', code: 1 },
  ],
  ['sha256sum -c fruits', '', { stderr: 'sha256sum: fruits: no properly formatted checksum lines found\n', code: 1 }],
  ['cat fruits | sha256sum', '68ab5be383cbeb3b8430504e20cee1c6eaad43fb2426489d48342e1f4235a70c  -\n'],
  ['cksum fruits', '3897027222 39 fruits\n'],
  [
    'truncate -s 17000000 big; sha256sum big | cut -c 1-64; cat fruits big | md5sum; cksum < big',
    '79641e8b4ab69a8a14ac8208b7a28f25130438966b39025fd966660641dd7af4\n39740f104309f03ac075a3b26841be37  -\n288061436 17000000\n',
  ],
  [
    'md5sum fruits numbers > s; sed 2s/.*/bad/ s > t; md5sum -w --strict -c t',
    'fruits: OK\n',
    {
      stderr: 'md5sum: t: 2: improperly formatted MD5 checksum line\nmd5sum: WARNING: 1 line is improperly formatted\n',
      code: 1,
    },
  ],
  [
    'echo d41d8cd98f00b204e9800998ecf8427e  nope | sed "s/ /  /" | md5sum --ignore-missing -c',
    '',
    {
      stderr: "md5sum: 'standard input': no file was verified\n",
      code: 1,
    },
  ],
]);

const MB = 1024 * 1024;

/** A digest of zeros and what follows them, and the steps that it took. */
function digestZeros(digest: Digest, zeros: number, tail: string): { sum: string; steps: number } {
  const state = digest.begin();
  let steps = 0;
  const charge = (more: number): void => void (steps += more);
  const piece = '\0'.repeat(MB);
  for (let left = zeros; left > 0; left -= MB) digest.add(state, piece.slice(0, Math.min(left, MB)), charge);
  if (tail !== '') digest.add(state, tail, charge);
  return { sum: digest.finish(state, charge), steps };
}

test.each([MD5, SHA1, SHA224, SHA256, SHA384, SHA512])(
  '$name of binaries is known without working through them',
  (digest) => {
    for (const [zeros, tail] of [
      [0, ''],
      [100, ''],
      [2 * MB, 'x'],
      [58_327_332, ''],
      [74_111_003, 'changed\n'],
      [80 * MB, ''],
    ] as const) {
      const expected = createHash(digest.name.toLowerCase()).update(Buffer.alloc(zeros)).update(tail).digest('hex');
      const { sum, steps } = digestZeros(digest, zeros, tail);
      expect([zeros, sum]).toEqual([zeros, expected]);
      expect(steps).toBeLessThan(250_000);
    }
  },
);

test('a checksum of zeros only counts them', () => {
  expect(digestZeros(CRC, 17_000_000, '')).toEqual({ sum: '288061436 17000000', steps: expect.any(Number) });
  expect(digestZeros(CRC, 17_000_000, '').steps).toBeLessThan(20_000);
});
