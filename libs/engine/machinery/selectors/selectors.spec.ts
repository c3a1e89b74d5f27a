import { describe, expect, test } from '@jest/globals';
import {
  formatLabelSelector,
  formatRequirements,
  matchesLabelSelector,
  matchesMap,
  matchesRequirements,
  parseFieldSelector,
  parseLabelSelector,
} from './selectors.js';

const web = { app: 'web', tier: 'front', weight: '5' };

describe('label selectors as text', () => {
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

  test.each([
    ['app=web,', "found '', expected: identifier after ','"],
    ['app web', "unable to parse requirement: found 'web', expected: in, notin, =, ==, !=, gt, lt"],
    ['app in web', "unable to parse requirement: found 'web' expected: '('"],
    ['=x', "found '=', expected: !, identifier, or 'end of string'"],
    [
      'a>b',
      "unable to parse requirement: values[0]: Invalid value: \"b\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
  ])('%s is refused', (text, message) => expect(() => parseLabelSelector(text)).toThrow(message));

  test('print as they were meant', () =>
    expect(formatRequirements(parseLabelSelector('b in (y,x),a=1,!c,d'))).toBe('a=1,b in (x,y),!c,d'));
});

describe('label selectors as objects', () => {
  test('nothing selects nothing, the empty one everything', () => {
    expect(matchesLabelSelector(undefined, web)).toBe(false);
    expect(matchesLabelSelector({}, undefined)).toBe(true);
    expect(matchesMap({}, web)).toBe(false);
    expect(matchesMap({ app: 'web' }, web)).toBe(true);
  });
  test.each([
    [{ matchLabels: { app: 'web' } }, true, 'app=web'],
    [
      { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['front', 'back'] }] },
      false,
      'tier notin (back,front)',
    ],
    [
      { matchLabels: { tier: 'front' }, matchExpressions: [{ key: 'app', operator: 'Exists' }] },
      true,
      'app,tier=front',
    ],
    [{}, true, '<none>'],
  ])('%j', (selector, expected, text) => {
    expect(matchesLabelSelector(selector, web)).toBe(expected);
    expect(formatLabelSelector(selector)).toBe(text);
  });
});

describe('field selectors', () => {
  test('terms', () =>
    expect(parseFieldSelector('metadata.name=a,status.phase!=Running,x==a\\,b')).toEqual([
      { field: 'metadata.name', equal: true, value: 'a' },
      { field: 'status.phase', equal: false, value: 'Running' },
      { field: 'x', equal: true, value: 'a,b' },
    ]));
  test('nonsense is refused', () =>
    expect(() => parseFieldSelector('a=b,foo')).toThrow("invalid selector: 'a=b,foo'; can't understand 'foo'"));
});
