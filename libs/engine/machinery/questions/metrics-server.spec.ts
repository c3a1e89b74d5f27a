import { expect, test } from '@jest/globals';
import type { Pod } from '../../api/core_v1.js';
import { isMetricsServer } from './metrics-server.js';

test.each([
  ['registry.k8s.io/metrics-server/metrics-server:v0.8.0', true],
  ['k8s.gcr.io/metrics-server-amd64:v0.3.6', true],
  ['rancher/mirrored-metrics-server@sha256:0123', true],
  ['localhost:5000/metrics-server', true],
  ['registry.k8s.io/metrics-server-exporter', false],
  ['metrics-server/other:metrics-server', false],
])('%s is metrics-server: %s', (image, expected) =>
  expect(isMetricsServer({ spec: { containers: [{ name: 'c', image }] } } as unknown as Pod)).toBe(expected),
);
