import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { isDuplicate, parse, Refusal, unauthenticated, unknownCluster } from './refusal.js';

const Schema = z.strictObject({ name: z.string().min(1), nested: z.object({ count: z.int() }).optional() });

test('a value that fits the schema is returned', () => {
  expect(parse(Schema, { name: 'a', nested: { count: 1 } })).toEqual({ name: 'a', nested: { count: 1 } });
});

test('every fault is one line that begins with its field', () => {
  let refusal: unknown;
  try {
    parse(Schema, { name: '', nested: { count: 'x' } });
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toBeInstanceOf(Refusal);
  const { status, message, details } = refusal as Refusal;
  expect([status, details?.length, message]).toEqual([400, 2, details?.join('; ')]);
  expect(details![0]).toMatch(/^name: /);
  expect(details![1]).toMatch(/^nested\.count: /);
});

test('a wrong key of a map is told with what is wrong about it', () => {
  const key = z.string().refine((text) => text !== 'a b', 'must have no spaces');
  expect(() => parse(z.object({ labels: z.record(key, z.string()) }), { labels: { 'a b': '' } })).toThrow(
    'labels.a b: must have no spaces',
  );
});

test.each([
  [{ code: 'P2002' }, true],
  [{ code: 'P2025' }, false],
  [new Error('no'), false],
])('%j is a duplicate: %s', (error, expected) => expect(isDuplicate(error)).toBe(expected));

test('a fault of the whole value has no field; no more than 20 faults are told', () => {
  expect(() => parse(Schema, 'text')).toThrow(/^Invalid input/);
  const many = z.array(z.int());
  expect(() => parse(many, Array(30).fill('x'))).toThrow(expect.objectContaining({ details: expect.any(Array) }));
  try {
    parse(many, Array(30).fill('x'));
  } catch (error) {
    expect((error as Refusal).details).toHaveLength(20);
  }
});

test.each([
  [unknownCluster('c1'), 404, 'there is no cluster "c1"'],
  [unauthenticated(), 401, 'a valid key is needed: send "Authorization: Bearer <key>"'],
])('%s', (refusal, status, message) => expect(refusal).toMatchObject({ status, message }));
