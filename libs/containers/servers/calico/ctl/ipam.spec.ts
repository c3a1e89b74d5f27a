import { expect, test } from '@jest/globals';
import type { Session } from '../../../tools/kubectl/session/session.js';
import { showIpam } from './ipam.js';

const POOLS = [{ metadata: { name: 'p' }, spec: { cidr: '10.0.0.0/8' } }];
const BLOCKS = [
  {
    metadata: { name: 'b' },
    spec: {
      cidr: '10.244.1.0/26',
      allocations: [null, 0, ...Array.from({ length: 62 }, () => null)],
      attributes: [{ handle_id: 'h', secondary: { pod: 'web', namespace: 'shop' } }],
    },
  },
];

/** What is printed with these flags. */
function show(flags: Readonly<Record<string, string>>): string {
  let printed = '';
  const session: Partial<Session> = {
    flags: {
      has: (name: string) => flags[name] !== undefined,
      isOn: (name: string) => flags[name] !== undefined,
      value: (name: string) => flags[name] ?? '',
    } as unknown as Session['flags'],
    get: (path: string) => ({ items: path.endsWith('ippools') ? POOLS : BLOCKS }),
    out: (text: string) => void (printed += text),
  };
  showIpam(session as Session);
  return printed;
}

test('pools, and their blocks, with what is in use', () => {
  expect(show({ 'show-blocks': '' }).split('\n').slice(3, 5)).toEqual([
    '| IP Pool  | 10.0.0.0/8    | 1.6777e+07 | 1 (0%)     | 1.6777e+07 (100%) |',
    '| Block    | 10.244.1.0/26 |         64 | 1 (2%)     | 63 (98%)          |',
  ]);
});

test.each([
  ['10.244.1.1', 'IP 10.244.1.1 is in use\nHandle ID: h\nAttributes:\n  namespace: shop\n  pod: web\n'],
  ['10.244.1.2', '10.244.1.2 is not assigned\n'],
  ['10.9.9.9', '10.9.9.9 is not assigned\n'],
])('of %s is said: %s', (ip, expected) => {
  expect(show({ ip })).toBe(expected);
});
