import { expect, test } from '@jest/globals';
import { resourcesOf } from './discovery.js';

const found = (resource: string, kind: string) => ({
  resource,
  responseKind: { kind },
  scope: 'Namespaced',
  singularResource: kind.toLowerCase(),
  verbs: ['list'],
  subresources: [{ subresource: 'scale' }],
});

test('versions of a group are told apart, the first that has a resource is preferred', () => {
  const discovery = {
    items: [
      { metadata: {}, versions: [{ version: 'v1', resources: [{ ...found('nodes', 'Node'), scope: 'Cluster' }] }] },
      {
        metadata: { name: 'autoscaling' },
        versions: [
          { version: 'v2', resources: [found('hpas', 'Hpa')] },
          { version: 'v1', resources: [found('hpas', 'Hpa'), found('old', 'Old')] },
        ],
      },
      { metadata: { name: 'empty.dev' }, versions: [{ version: 'v1' }] },
    ],
  };
  expect(resourcesOf(discovery).map((r) => [r.apiVersion, r.kind, r.namespaced, r.preferred])).toEqual([
    ['v1', 'Node', false, true],
    ['autoscaling/v2', 'Hpa', true, true],
    ['autoscaling/v1', 'Hpa', true, false],
    ['autoscaling/v1', 'Old', true, true],
  ]);
  expect(resourcesOf(discovery)[0]).toMatchObject({ shortNames: [], categories: [], subresources: ['scale'] });
});
