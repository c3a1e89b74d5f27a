import { expect, test } from '@jest/globals';
import { evaluate } from '../../authorization/testing.js';
import { kind } from './kind.js';

test('says who asks', () =>
  expect(evaluate(kind, {}).status).toEqual({
    userInfo: { username: 'ann', groups: ['system:masters', 'system:authenticated'] },
  }));
