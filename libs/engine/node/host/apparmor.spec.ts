import { expect, test } from '@jest/globals';
import { fileOfProfile, parseAppArmor } from './apparmor.js';

const parse = (text: string) => {
  const parsed = parseAppArmor(text, '/etc/apparmor.d/x');
  if (typeof parsed === 'string') return parsed;
  return parsed.map(({ text: _text, ...rest }) => rest);
};

test('a profile as tutorials have it', () =>
  expect(
    parse(
      '#include <tunables/global>\nprofile deny-write flags=(attach_disconnected) {\n  #include <abstractions/base>\n  file,\n  # none\n  deny /** w,\n}\n',
    ),
  ).toEqual([
    {
      ...{ name: 'deny-write', mode: 'enforce', allowsFiles: true, capabilities: [] },
      rules: [{ path: '/**', access: 'w', denies: true }],
    },
  ]));

test.each<[string, object[]]>([
  ['/tmp/** rwk,', [{ path: '/tmp/**', access: 'rw' }]],
  [
    'audit deny @{HOME}/.ssh/** mrwklx,',
    ['/root/.ssh/**', '/home/*/.ssh/**'].map((path) => ({ path, access: 'rw', denies: true })),
  ],
  ['owner /var/log/{a,b}.log a,', ['/var/log/a.log', '/var/log/b.log'].map((path) => ({ path, access: 'w' }))],
  ['deny w /etc/passwd,', [{ path: '/etc/passwd', access: 'w', denies: true }]],
  ['file /data/x r,', [{ path: '/data/x', access: 'r' }]],
  ['deny file,', [{ path: '/**', access: 'rw', denies: true }]],
  ['/bin/sh ix,', []],
  ['capability net_bind_service,', []],
])('%s', (line, rules) => expect(parse(`profile p {\n${line}\n}`)).toMatchObject([{ rules, allowsFiles: false }]));

test.each([
  ['', []],
  ['capability,', undefined],
  ['capability chown setuid,\ncapability net_raw,', ['CHOWN', 'SETUID', 'NET_RAW']],
  ['capability chown,\ndeny capability chown,', []],
  ['deny capability,', []],
])('%j allows the capabilities %j', (line, capabilities) => {
  const [profile] = parse(`profile p {\n${line}\n}`) as { readonly capabilities?: readonly string[] }[];
  expect(profile!.capabilities).toEqual(capabilities);
});

test.each([
  ['deny network,', true],
  ['deny network inet,', true],
  ['network inet tcp,', undefined],
])('%s denies sockets: %s', (line, expected) =>
  expect(parse(`profile p {\n${line}\n}`)).toMatchObject([expected ? { deniesNetwork: true } : { name: 'p' }]),
);

test.each([
  ['profile p flags=(complain) {\n}', 'complain'],
  ['/usr/sbin/nginx {\n}', 'enforce'],
])('%s', (text, mode) => expect(parse(text)).toMatchObject([{ mode }]));

const at = (line: number, what: string): string =>
  `AppArmor parser error for /etc/apparmor.d/x in profile /etc/apparmor.d/x at line ${line}: syntax error, ${what}`;
test.each([
  ['hello', at(1, 'unexpected TOK_ID, expecting TOK_OPEN')],
  ['profile p {\n  file\n}', at(2, 'unexpected TOK_CLOSE, expecting TOK_END_OF_RULE')],
  ['profile p {\n  foo bar baz,\n}', at(2, 'unexpected TOK_ID, expecting TOK_MODE')],
  ['profile p {\n', at(2, 'unexpected $end, expecting TOK_CLOSE')],
])('%j is refused', (text, problem) => expect(parse(text)).toBe(problem));

const rulesOf = (text: string): number => {
  const parsed = parseAppArmor(text, '');
  return typeof parsed === 'string' ? 0 : parsed[0]!.rules.length;
};

test('alternatives of alternatives have a limit', () =>
  expect(rulesOf(`profile p {\n/${'{a,b}'.repeat(30)} r,\n}`)).toBeLessThanOrEqual(64));

test('a profile that is named by a path has a file, too', () =>
  expect(fileOfProfile('/usr/sbin/nginx')).toMatch(/\/usr\.sbin\.nginx$/));
