import { expect, test } from '@jest/globals';
import { FieldMaker } from './fields.js';
import { Scope, Unsure } from './scope.js';
import { constant, dynamic, type Segment } from './segment.js';

const value = (text: string, isQuoted = false): Segment => dynamic(() => text, isQuoted);

function fieldsOf(...segments: Segment[]): { fields: string[]; lengths: number[] } {
  const scope = new Scope(new Map(), '', [], false);
  const fields: string[] = [];
  new FieldMaker(segments).addFields(scope, fields);
  return { fields, lengths: scope.lengths };
}

test.each<[string, Segment[], string[]]>([
  ['"a b"', [value('a b', true)], ['a b']],
  ['""', [constant('', true)], ['']],
  ['$x', [value('')], []],
  ['$x', [value(' a  b ')], ['a', 'b']],
  ['x$x', [constant('x', false), value('a b')], ['xa', 'b']],
  ['x$x', [constant('x', false), value(' a')], ['x', 'a']],
  ['"x"$x', [constant('x', true), value('')], ['x']],
])('%s with %j has the fields %j', (_word, segments, fields) => {
  expect(fieldsOf(...segments).fields).toEqual(fields);
});

test('the lengths of all values are noted', () => {
  expect(fieldsOf(constant('ab', true), value('cde', true)).lengths).toEqual([2, 3]);
});

test('patterns are not known', () => {
  expect(() => fieldsOf(value('*'))).toThrow(Unsure);
});
