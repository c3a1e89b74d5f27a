import { expect, test } from '@jest/globals';
import { KINDS, references } from './testing.js';
import { openApiV2 } from './v2.js';

test('the Swagger document is closed as well', () => {
  const doc = openApiV2(KINDS) as { swagger: string; definitions: Record<string, unknown> };
  expect(doc.swagger).toBe('2.0');
  for (const ref of references(doc)) expect(doc).toHaveProperty(ref.slice(2).split('/'));
});

test('internal kinds are nowhere', () =>
  expect(Object.keys(openApiV2(KINDS)['paths'] as object).filter((p) => p.includes('/faults'))).toEqual([]));
