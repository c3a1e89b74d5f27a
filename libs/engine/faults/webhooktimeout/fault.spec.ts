import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';

test.each([
  ['Fail' as const, 500],
  ['Ignore' as const, 201],
])('a webhook with failurePolicy %s answers too late: %d', (failurePolicy, status) => {
  const bed = new FaultBed();
  bed.webhook('check', failurePolicy);
  bed.fault('WebhookTimeout', { target: { webhooks: ['check.example.com'] } });
  const answer = bed.at(1).request('/api/v1/namespaces/default/configmaps', 'POST', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
  });
  expect(answer.status).toBe(status);
  if (status === 500)
    expect(answer.body).toMatch(/failed calling webhook .*check.example.com.*context deadline exceeded/);
});
