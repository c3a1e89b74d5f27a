import { expect, test } from '@jest/globals';
import { readDer } from './der.js';
import { commonName, readName, writeName } from './name.js';

const [COMMON_NAME, ORGANIZATION, COUNTRY, SERIAL] = ['2.5.4.3', '2.5.4.10', '2.5.4.6', '2.5.4.5'];
const roundTrip = (attributes: Readonly<Record<string, string[]>>): ReturnType<typeof readName> =>
  readName(readDer(writeName({ attributes: new Map(Object.entries(attributes)) })));

test('has a common name and organizations', () =>
  expect(roundTrip({ [COMMON_NAME]: ['jane'], [ORGANIZATION]: ['dev', 'ops'] })).toMatchObject({
    commonName: 'jane',
    organizations: ['dev', 'ops'],
  }));

test("is written in Go's order", () =>
  expect([...roundTrip({ [SERIAL]: ['1'], [COMMON_NAME]: ['a'], [COUNTRY]: ['CH'] }).attributes.keys()]).toEqual([
    COUNTRY,
    COMMON_NAME,
    SERIAL,
  ]));

test('the last of several common names counts', () =>
  expect(roundTrip({ [COMMON_NAME]: ['a', 'b'] }).commonName).toBe('b'));

test.each([
  ["O'Neil (dev)", 0x13],
  ['a@b', 0x0c],
  ['Zoë', 0x0c],
])('%s is a string with tag %i', (text, tag) => {
  const name = commonName(text);
  expect(name[11]).toBe(tag);
  expect(readName(readDer(name)).commonName).toBe(text);
});
