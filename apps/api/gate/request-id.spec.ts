import { expect, test } from '@jest/globals';
import { requestIdOf } from './request-id.js';

test.each(['7', 'req-1.2:3_x', 'a'.repeat(128)])('%s is kept', (id) => expect(requestIdOf(id)).toBe(id));

test.each<string | string[] | undefined>([undefined, '', 'a b', 'a\nb', 'a"b', '<x>', 'a'.repeat(129), ['a', 'b']])(
  'in place of %j a new one is made',
  (header) => {
    const [one, other] = [requestIdOf(header), requestIdOf(header)];
    expect(one).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(other).not.toBe(one);
  },
);
