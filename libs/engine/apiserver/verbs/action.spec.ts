import { describe, expect, test } from '@jest/globals';
import type { ManagedFieldsEntry } from '../../api/meta_v1.js';
import { pod, PODS, TestServer } from '../testing.js';

describe('server-side apply to a part of a pod', () => {
  test('adds an ephemeral container, and owns it', () => {
    const server = new TestServer();
    server.post(PODS, pod('p'));
    const { status, body } = server.apply(`${PODS}/p/ephemeralcontainers`, 'e', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p' },
      spec: { ephemeralContainers: [{ name: 'debug', image: 'busybox' }] },
    });
    expect(status).toBe(200);
    expect(body.metadata.managedFields.find((e: ManagedFieldsEntry) => e.manager === 'e')).toMatchObject({
      operation: 'Apply',
      subresource: 'ephemeralcontainers',
      fieldsV1: {
        'f:spec': { 'f:ephemeralContainers': { 'k:{"name":"debug"}': { '.': {}, 'f:image': {}, 'f:name': {} } } },
      },
    });
  });
});
