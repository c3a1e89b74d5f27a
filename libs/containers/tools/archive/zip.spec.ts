import { expect, test } from '@jest/globals';
import { unzipSync, zipSync } from 'fflate';
import { fromArray, toArray } from '../../../engine/kernel/bytes.js';
import { testCases } from '../testing/run-tool.js';
import { formatZip, pack, parseZip, unpackEntry } from './zip-format.js';
import { programs as coreutils } from '../coreutils/index.js';
import { programs } from './index.js';

const REFUSED =
  '  End-of-central-directory signature not found.  Either this file is not\n' +
  '  a zipfile, or it constitutes one disk of a multi-part archive.  In the\n' +
  '  latter case the central directory and zipfile comment will be found on\n' +
  '  the last disk(s) of this archive.\n' +
  'unzip:  cannot find zipfile directory in one of fruits or\n        fruits.zip, and cannot find fruits.ZIP, period.\n';

testCases({ ...coreutils, ...programs }, [
  [
    'mkdir d; seq 400 > d/n; zip -r a d numbers | cut -c 1-21; mkdir x; unzip -q a.zip -d x; md5sum < d/n; md5sum < x/d/n',
    '  adding: d/ (stored \n  adding: d/n (deflat\n  adding: numbers (st\n' +
      '3b7cf989127be4f7d5788452b88fb163  -\n3b7cf989127be4f7d5788452b88fb163  -\n',
  ],
  ['zip -q a.zip fruits; unzip -l a.zip | tail -1', '       39                     1 file\n'],
  ['zip -q a.zip fruits; zip a fruits | cut -c 1-16', 'updating: fruits\n'],
  ['zip -q a.zip fruits numbers; zip -d a.zip numbers; unzip -p a.zip | wc -c', 'deleting: numbers\n39\n'],
  [
    'zip -q a.zip fruits; unzip -t a.zip',
    'Archive:  a.zip\n    testing: fruits                   OK\nNo errors detected in compressed data of a.zip.\n',
  ],
  [
    'zip -q a.zip fruits; rm fruits; chmod 600 a.zip; unzip a.zip | cut -c 1-19; stat -c %a fruits',
    'Archive:  a.zip\n  inflating: fruits\n644\n',
  ],
  [
    'zip a.zip nope',
    '',
    { stderr: '\tzip warning: name not matched: nope\n\nzip error: Nothing to do! (a.zip)\n', code: 12 },
  ],
  ['unzip nope', '', { stderr: 'unzip:  cannot find or open nope, nope.zip or nope.ZIP.\n', code: 9 }],
  ['unzip fruits', 'Archive:  fruits\n', { stderr: REFUSED, code: 9 }],
  [
    'zip -q a.zip fruits; unzip a.zip',
    'Archive:  a.zip\n',
    { stderr: 'unzip: fruits is there: questions are not simulated here, give -o or -n\n', code: 1 },
  ],
]);

test('archives are what others read and write', () => {
  const text = 'again and '.repeat(50);
  const at = Date.UTC(2026, 0, 2, 3, 4, 6);
  const ours = formatZip([pack('d/', '', 0o40755, at), pack('d/f', text, 0o100600, at)]);
  expect(fromArray(unzipSync(toArray(ours))['d/f']!)).toBe(text);
  const [folder, file] = parseZip(ours)!;
  expect(folder).toMatchObject({ name: 'd/', mode: 0o40755, modified: at });
  expect(file).toMatchObject({ name: 'd/f', mode: 0o100600, modified: at, size: 500, isDeflated: true });
  const theirs = parseZip(fromArray(zipSync({ f: toArray(text) })))!;
  expect(theirs.map((entry) => [entry.name, unpackEntry(entry)])).toEqual([['f', text]]);
  expect(unpackEntry({ ...theirs[0]!, crc: 1 })).toBeUndefined();
  expect(parseZip(text)).toBeUndefined();
});
