import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { signResults } from './sign-results.js';

test('a receiver recomputes it from the time and the body', () => {
  const signature = signResults('whsec_x', '{"a":1}', 1_764_003_600_999);
  const own = createHmac('sha256', 'whsec_x').update('1764003600.{"a":1}').digest('hex');
  expect(signature).toBe(`t=1764003600,v1=${own}`);
  expect(signResults('whsec_x', '{"a":2}', 1_764_003_600_999)).not.toBe(signature);
  expect(signResults('whsec_y', '{"a":1}', 1_764_003_600_999)).not.toBe(signature);
});
