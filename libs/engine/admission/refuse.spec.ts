import { describe, expect, test } from '@jest/globals';
import { kind as Deployments } from '../kinds/apps/deployment/kind.js';
import { kind as Pods } from '../kinds/core/pod/kind.js';
import { refuse, refuseNamed } from './refuse.js';
import { createRequest, objectOf } from './testing.js';

const GENERATED = objectOf(Pods, { metadata: { name: 'web-x7k2p', generateName: 'web-' } });

describe('refuse', () => {
  test.each([
    ['an object', createRequest(Pods, { object: objectOf(Pods) }), 'pods "a" is forbidden: no'],
    [
      'the group',
      createRequest(Deployments, { object: objectOf(Deployments) }),
      'deployments.apps "a" is forbidden: no',
    ],
    ['a name not generated yet', createRequest(Pods, { object: GENERATED }), 'pods "web-" is forbidden: no'],
    [
      'a generated name later',
      createRequest(Pods, { object: GENERATED, old: GENERATED }),
      'pods "web-x7k2p" is forbidden: no',
    ],
  ])('names %s', (_, request, message) => expect(refuse(request, 'no').message).toBe(message));

  test('gives causes', () => {
    const causes = [{ reason: 'NamespaceTerminating', message: 'm', field: 'metadata.namespace' }];
    expect(refuse(createRequest(Pods, { object: objectOf(Pods) }), 'no', causes)).toMatchObject({
      code: 403,
      reason: 'Forbidden',
      details: { name: 'a', kind: 'pods', causes },
    });
  });
});

test.each([
  ['a generated name', createRequest(Pods, { object: GENERATED }), 'pods "web-x7k2p" is forbidden: no'],
  ['a deleted object', createRequest(Pods, { old: objectOf(Pods) }), 'pods "a" is forbidden: no'],
])('refuseNamed names %s', (_, request, message) => expect(refuseNamed(request, 'no').message).toBe(message));
