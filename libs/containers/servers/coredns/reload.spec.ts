import { COREFILE } from '@terrarium/engine';
import { expect, test } from '@jest/globals';
import type { HeardLine } from '../../../engine/node/cri/image.js';
import { readConfiguration } from './configuration.js';
import { hashOf, reloadLines, tendReloads } from './reload.js';

const PATH = '/etc/coredns/Corefile';
const read = (text: string) => readConfiguration(text, PATH, () => '');
const BEFORE_CACHE_BLOCKS = COREFILE.replace(/cache 30 \{[^}]*\}/, 'cache 30');

test.each([
  ["kubeadm's", COREFILE, '1b226df79860026c6a52e67daa10d7f0'],
  ["kubeadm's of before", BEFORE_CACHE_BLOCKS, '591cf328cccc12bc490481273e738df5'],
  [
    'with other spaces and a comment',
    COREFILE.replace('    ready', '  ready # now'),
    '1b226df79860026c6a52e67daa10d7f0',
  ],
])('the hash of a configuration is that which CoreDNS prints: %s', (_what, text, expected) => {
  expect(hashOf(text, PATH).slice(0, 32)).toBe(expected);
});

const UNKNOWN = COREFILE.replace('    ready', '    redy');
const OPEN = COREFILE.trimEnd().slice(0, -1);
const UNREAD = "/etc/coredns/Corefile:6 - Error during parsing: Unknown directive 'redy'";

test.each<[string, string, readonly string[]]>([
  [
    'one that is right',
    BEFORE_CACHE_BLOCKS,
    [
      '[INFO] Reloading',
      `[INFO] plugin/reload: Running configuration SHA512 = ${hashOf(BEFORE_CACHE_BLOCKS, PATH)}`,
      '[INFO] Reloading complete',
    ],
  ],
  ['one that reloads no more', COREFILE.replace('    reload\n', ''), ['[INFO] Reloading', '[INFO] Reloading complete']],
  [
    'one with a typo',
    UNKNOWN,
    [
      '[INFO] Reloading',
      `[ERROR] Restart failed: ${UNREAD}`,
      `[ERROR] plugin/reload: Corefile changed but reload failed: starting with listener file descriptors: ${UNREAD}`,
    ],
  ],
  [
    'one that is not closed',
    OPEN,
    ['[WARNING] plugin/reload: Corefile parse failed: /etc/coredns/Corefile:22 - Error during parsing: Unexpected EOF'],
  ],
])('a Corefile that has changed: %s', (_what, text, expected) => {
  expect(reloadLines(text, { path: PATH, read })).toEqual(expected);
});

test('what has been said is not said again, until the file changes again', () => {
  const logged: HeardLine[] = [];
  const look = (text: string): number => {
    const before = logged.length;
    const log = (lines: readonly string[]) => logged.push(...lines.map((line) => ({ at: 5, text: line })));
    tendReloads(
      { at: 1 },
      { path: PATH, first: COREFILE, text, read },
      {
        ...{ now: 5, logged: [...logged], log: (lines: readonly string[]) => void log(lines) },
        event: () => undefined,
      },
    );
    return logged.length - before;
  };
  const counts = [COREFILE, `${COREFILE}# more\n`, UNKNOWN, UNKNOWN, BEFORE_CACHE_BLOCKS, COREFILE, COREFILE].map(look);
  expect(counts).toEqual([0, 0, 3, 0, 3, 3, 0]);
});
