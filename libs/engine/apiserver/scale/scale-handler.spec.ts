import { describe, expect, test } from '@jest/globals';
import type { ManagedFieldsEntry } from '../../api/meta_v1.js';
import { deployment, DEPLOYMENTS, TestServer } from '../testing.js';

const WEB = `${DEPLOYMENTS}/web`;
const scaleTo = (replicas: number): object => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'web' },
  spec: { replicas },
});
const entries = (server: TestServer): string[] =>
  server
    .get(WEB)
    .body.metadata.managedFields.map((e: ManagedFieldsEntry) =>
      [
        e.manager,
        e.operation,
        e.apiVersion,
        e.subresource ?? '-',
        e.time ? 'timed' : 'timeless',
        'f:replicas' in (e.fieldsV1 as any)['f:spec'] ? 'replicas' : '',
      ].join(' '),
    );

describe('who owns replicas', () => {
  test('whoever scales, without a time', () => {
    const server = new TestServer();
    server.post(`${DEPLOYMENTS}?fieldManager=one`, deployment('web', 2));
    server.patch(`${WEB}/scale?fieldManager=two`, { spec: { replicas: 5 } });
    expect(entries(server)).toEqual(['two Update apps/v1 scale timeless replicas', 'one Update apps/v1 - timed ']);
  });

  test('whoever applies the scale, beside those who applied the same number', () => {
    const server = new TestServer();
    server.apply(WEB, 'one', deployment('web', 2));
    expect(server.apply(`${WEB}/scale`, 'two', scaleTo(2)).body).toMatchObject({
      kind: 'Scale',
      spec: { replicas: 2 },
    });
    expect(entries(server)).toEqual([
      'two Apply apps/v1 scale timeless replicas',
      'one Apply apps/v1 - timed replicas',
    ]);
    expect(server.apply(`${WEB}/scale`, 'two', scaleTo(5)).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "one": .spec.replicas',
    );
    expect(server.apply(`${WEB}/scale`, 'two', scaleTo(5), 'force=true').body.spec.replicas).toBe(5);
    expect(server.get(WEB).body.spec.replicas).toBe(5);
    expect(server.apply(WEB, 'one', deployment('web', 2)).body.message).toBe(
      'Apply failed with 1 conflict: conflict with "two" with subresource "scale": .spec.replicas',
    );
  });

  test.each<[string, object, number, string]>([
    ['another kind', deployment('web') as object, 400, 'invalid object type: apps/v1, Kind=Deployment'],
    [
      'an unknown field',
      { ...scaleTo(1), spec: { sizes: 1 } },
      400,
      'failed to create typed patch object (/web; autoscaling/v1, Kind=Scale): .spec.sizes: field not declared in schema',
    ],
    [
      'too few',
      scaleTo(-1),
      422,
      'Scale.autoscaling "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    ],
  ])('nobody who applies %s', (_, body, status, message) => {
    const server = new TestServer();
    server.post(DEPLOYMENTS, deployment('web', 2));
    expect(server.apply(`${WEB}/scale`, 'two', body, 'force=true').body).toMatchObject({ code: status, message });
  });
});
