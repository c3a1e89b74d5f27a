import { describe, expect, test } from '@jest/globals';
import { ConfigMaps } from '../kinds/index.js';
import type { Call } from './call.js';
import { untrackedWriteOptions, writeOptions } from './call-options.js';
import { Query } from '../machinery/requests/query.js';

const user = { name: 'ann', groups: [] };
const call = (query = '', headers = {}): Call =>
  ({
    kind: ConfigMaps,
    subresource: 'status',
    query: new Query(query),
    request: { user, headers },
    warnings: [],
  }) as never;

describe('the options of a write', () => {
  test('say who writes, how, and for which manager', () => {
    expect(writeOptions(call('fieldManager=m&fieldValidation=Strict&dryRun=All'), true)).toEqual({
      requester: { user, cause: 0 },
      origin: {
        type: 'request',
        options: { fieldManager: 'm', fieldValidation: 'Strict' },
        warn: expect.any(Function),
      },
      fieldOwner: { type: 'manager', manager: 'm', kind: ConfigMaps, subresource: 'status' },
      validate: true,
      dryRun: true,
    });
  });

  test('take the manager from the user agent, when the query names none', () =>
    expect(writeOptions(call('', { 'user-agent': 'kubectl/v1.36.0' }), false).fieldOwner).toMatchObject({
      manager: 'kubectl',
    }));

  test('without tracking have no owner', () =>
    expect(untrackedWriteOptions(call('fieldManager=m'), false).fieldOwner).toEqual({ type: 'none' }));
});

test('a warning is given once', () => {
  const request = call();
  const { origin } = writeOptions(request, false);
  for (const text of ['one', 'two', 'one']) if (origin.type === 'request') origin.warn(text);
  expect(request.warnings).toEqual(['one', 'two']);
});
