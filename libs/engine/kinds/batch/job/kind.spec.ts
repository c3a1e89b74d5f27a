import { describe, expect, test } from '@jest/globals';
import type { Job } from '../../../api/batch_v1.js';
import { create, make } from '../../testing.js';
import { pod } from '../testing.js';
import { defaultJobSpec, kind } from './kind.js';

const metadata = { name: 'pi', uid: 'u1' };
const template = { metadata: { labels: { app: 'pi' } }, spec: pod };

describe('a new Job', () => {
  test('runs one pod, and selects its own', () => {
    const job = create(kind, { metadata, spec: { template }, status: { active: 1 } });
    expect(job.spec).toMatchObject({
      completions: 1,
      parallelism: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
    });
    expect(job.spec.selector).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': 'u1' } });
    const labels = {
      app: 'pi',
      'batch.kubernetes.io/controller-uid': 'u1',
      'controller-uid': 'u1',
      'batch.kubernetes.io/job-name': 'pi',
      'job-name': 'pi',
    };
    expect(job.spec.template.metadata!.labels).toEqual(labels);
    expect(job.metadata.labels).toEqual(labels);
    expect(job.status).toEqual({});
  });
  test('keeps labels of its own', () =>
    expect(create(kind, { metadata: { ...metadata, labels: { a: 'b' } }, spec: { template } }).metadata.labels).toEqual(
      {
        a: 'b',
      },
    ));
  test("whose selector is its author's is left as it is", () => {
    const spec = { template, manualSelector: true, selector: { matchLabels: { app: 'pi' } } };
    expect(create(kind, { metadata, spec }).spec).toMatchObject({ selector: spec.selector, template });
  });
});

test.each<[string, object, object]>([
  ['as many at once as are asked for', { parallelism: 3 }, { parallelism: 3 }],
  ['a limit per index: none over all', { backoffLimitPerIndex: 1 }, { backoffLimit: 2147483647 }],
  [
    'a failure policy',
    { podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] } },
    {
      podReplacementPolicy: 'Failed',
      podFailurePolicy: {
        rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
      },
    },
  ],
])('%s', (_, fields, expected) => {
  const spec = { template, ...structuredClone(fields) } as Job['spec'];
  defaultJobSpec(spec);
  expect(spec).toMatchObject(expected);
});

test('it is selected by its successes, and by nothing else', () => {
  expect(kind.fieldSelectors!['status.successful']!(make(kind, { status: { succeeded: 2 } }))).toBe('2');
  expect(kind.unsupportedField!('spec.a')).toBe('field label "spec.a" not supported for Job');
});
