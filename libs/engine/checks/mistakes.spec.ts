import { expect, test } from '@jest/globals';
import { ClusterBed } from '../../testkit/beds/cluster-bed.js';
import { Checks, Deployments } from '../kinds/index.js';
import type { CheckPartSpec } from '../kinds/terrarium/check/kind.js';

function resultOf(spec: CheckPartSpec): string {
  const bed = new ClusterBed('instant', 1);
  bed.create(Checks, 'one', { spec });
  bed.at(5);
  const { phase, message } = bed.get(Checks, 'one').status;
  return `${phase}: ${message ?? ''}`;
}

test.each<[CheckPartSpec, string]>([
  [
    { never: "change.resource == 'deployments' && change.type == 'delete'" },
    "Failed: change.resource is 'deployments.apps', never 'deployments'",
  ],
  [
    { eventually: "request.resource == 'deployments.apps' && request.verb == 'delete'" },
    "Failed: request.resource is 'deployments', never 'deployments.apps'; request.group has the rest",
  ],
  [
    { now: "deployments['default/web'].spec.replicas == 3" },
    "Failed: deployments is the list of all: one of them is deployment['default/web']",
  ],
  [{ never: "readyEndpoints('web') < 1" }, "Pending: a Service is asked by 'NAMESPACE/NAME', not by 'web'"],
  [{ never: "'web' in pod" }, "Pending: pod is asked by 'NAMESPACE/NAME', not by 'web'"],
])('%j is no question: %s', (spec, expected) => expect(resultOf(spec)).toBe(expected));

test.each<[CheckPartSpec, string]>([
  [{ never: "change.resource == 'deployments.apps' && change.type == 'delete'" }, 'Passed: '],
  [{ never: "change.resource == 'pods' && change.type == 'delete'" }, 'Passed: '],
  [{ eventually: "request.resource == 'deployments'" }, 'Pending: it has not happened yet'],
  [{ now: "'control-plane' in node && pods.size() > 0" }, 'Passed: '],
  [{ never: "change.resource == 'colours.example.com'" }, 'Passed: '],
])('%j is one', (spec, expected) => expect(resultOf(spec)).toBe(expected));

test('what has always held has not when the field is gone in which it was counted', () => {
  const bed = new ClusterBed('instant', 1);
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx:1.27' }] } };
  bed.create(Deployments, 'web', { spec: { replicas: 1, selector: { matchLabels: labels }, template } });
  bed.create(Checks, 'one', { spec: { always: "deployment['default/web'].status.readyReplicas >= 1" } });
  // Not yet there is no answer.
  expect(bed.get(Checks, 'one').status.phase).toBe('Pending');
  bed.at(10);
  expect(bed.get(Checks, 'one').status.phase).toBe('Passed');
  const found = bed.get(Deployments, 'web');
  bed.client.update(Deployments, { ...found, spec: { ...found.spec, replicas: 0 } });
  bed.at(20);
  const { phase, message } = bed.get(Checks, 'one').status;
  expect([phase, message]).toEqual(['Failed', expect.stringMatching(/^it did not hold at revision \d+: no such key/)]);
});
