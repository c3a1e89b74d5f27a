import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { parse, Refusal, unauthenticated, unknownCluster } from './refusal.js';

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
