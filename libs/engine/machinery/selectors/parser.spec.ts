import { expect, test } from '@jest/globals';
import { parseLabelSelector } from './parser.js';
import { formatRequirements, matchesRequirements } from './requirement.js';

const web = { app: 'web', tier: 'front', weight: '5' };

test.each([
  ['', true],
  ['app', true],
  ['!app', false],
  ['app=web', true],
  ['app==web', true],
  ['app!=web', false],
  ['app=', false],
  ['other=', false],
  ['app in ()', false],
  ['app notin ()', true],
  ['app in (web,db)', true],
  ['app notin (web)', false],
  ['other notin (web)', true],
  ['app=web,tier=back', false],
  ['weight>4', true],
  ['weight<5', false],
  [' app = web , tier in ( front ) ', true],
  ['in=x', false],
  ['other!=web', true],
])('%s selects the web pod: %s', (text, expected) =>
  expect(matchesRequirements(parseLabelSelector(text), web)).toBe(expected),
);

const NAME_RULE =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
test.each([
  ['app=web,', "found '', expected: identifier after ','"],
  ['app web', "unable to parse requirement: found 'web', expected: in, notin, =, ==, !=, gt, lt"],
  ['app in web', "unable to parse requirement: found 'web' expected: '('"],
  ['app in (web', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['=x', "found '=', expected: !, identifier, or 'end of string'"],
  ['!=x', "found '!=', expected: !, identifier, or 'end of string'"],
  ['a=b c', "found 'c', expected: ',' or 'end of string'"],
  [
    'a>b',
    "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
  ['-a=b', `unable to parse requirement: <nil>: Invalid value: "-a": ${NAME_RULE}`],
  [
    `${'a'.repeat(64)}=b`,
    `unable to parse requirement: <nil>: Invalid value: "${'a'.repeat(64)}": name part must be no more than 63 bytes`,
  ],
  [
    `a=${'b'.repeat(64)}`,
    `unable to parse requirement: values[0][a]: Invalid value: "${'b'.repeat(64)}": must be no more than 63 bytes`,
  ],
  ['a,'.repeat(6_000), 'label selector is too long'],
])('%s is refused', (text, message) =>
  expect(() => parseLabelSelector(text)).toThrow(expect.objectContaining({ message, code: 400 })),
);

test('prints in the order of the keys', () =>
  expect(formatRequirements(parseLabelSelector('b in (y,x),a=1,!c,d'))).toBe('a=1,b in (x,y),!c,d'));
