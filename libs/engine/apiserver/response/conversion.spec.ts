import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConfigMaps, kinds } from '../../kinds/index.js';
import { defineKind, type Kind } from '../../machinery/kind.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ApiError } from '../../machinery/meta/status.js';
import { convertListToVersion, convertToVersion, convertWithManagedFields } from './conversion.js';

const object = (name: string): KubeObject => ({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name } });

/** Sizes of the webhook's calls. */
let calls: number[];
let Things: Kind;
beforeEach(() => {
  calls = [];
  Things = defineKind({
    group: 'example.com',
    version: 'v2',
    kind: 'Thing',
    plural: 'things',
    singular: 'thing',
    scope: 'Cluster',
    definition: 'com.example.v2.Thing',
    fromStored: (objects) => {
      calls.push(objects.length);
      if (objects.some((o) => o.metadata.name === 'bad')) throw new ApiError(500, 'InternalError', 'webhook failed');
      return objects.map((o) => ({ ...o, apiVersion: 'example.com/v2' }));
    },
  });
});

test('an object of the storage version is itself', () => {
  const stored = { ...object('a'), apiVersion: 'v1', kind: 'ConfigMap' };
  expect(convertToVersion(ConfigMaps, stored)).toBe(stored);
  expect(convertWithManagedFields(ConfigMaps, stored)).toBe(stored);
});

describe('by a webhook', () => {
  test('an object is converted once', () => {
    const stored = object('a');
    expect(convertToVersion(Things, stored).apiVersion).toBe('example.com/v2');
    expect(convertToVersion(Things, stored)).toBe(convertToVersion(Things, stored));
    expect(calls).toEqual([1]);
  });

  test('a list is converted in one call, without what has been converted', () => {
    const [a, b, c] = [object('a'), object('b'), object('c')];
    convertToVersion(Things, a);
    expect(convertListToVersion(Things, [a, b, c]).map((o) => `${o.apiVersion} ${o.metadata.name}`)).toEqual([
      'example.com/v2 a',
      'example.com/v2 b',
      'example.com/v2 c',
    ]);
    expect(calls).toEqual([1, 2]);
  });

  test('a failure is that of one object, or of a cache that cannot be filled', () => {
    expect(() => convertToVersion(Things, object('bad'))).toThrow(
      expect.objectContaining({ code: 500, message: 'webhook failed' }) as never,
    );
    expect(() => convertListToVersion(Things, [object('a'), object('bad')])).toThrow(
      expect.objectContaining({
        code: 429,
        message: 'storage is (re)initializing: failed to list example.com/v2, Kind=Thing: webhook failed',
      }) as never,
    );
  });
});

test('a built-in kind converts from the version that it is stored in', () => {
  const v1 = kinds.find((kind) => kind.kind === 'HorizontalPodAutoscaler' && kind.version === 'v1')!;
  const stored = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'a', namespace: 'default' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      maxReplicas: 5,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
      ],
    },
    status: {},
  } as unknown as KubeObject;
  expect(convertToVersion(v1, stored)).toMatchObject({
    apiVersion: 'autoscaling/v1',
    spec: { maxReplicas: 5, targetCPUUtilizationPercentage: 80 },
  });
  expect(convertToVersion(v1, stored)).toBe(convertToVersion(v1, stored));
});
