import { describe, expect, test } from '@jest/globals';
import type { Job } from '../../../api/batch_v1.js';
import { pod } from '../testing.js';
import { attribution } from './attribution.js';
import { kind as Jobs } from './kind.js';

const OWNER = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid: 'u-1', controller: true };

const jobOf = (spec: object = {}, metadata: object = {}, template: object = {}): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'nightly-1', ownerReferences: [OWNER], ...metadata },
  spec: { backoffLimit: 6, template: { spec: pod, ...template }, ...spec },
  status: {},
});

/** As the API server stores it. */
function store(sent: Job): Job {
  const draft = { ...sent, metadata: { ...sent.metadata, uid: 'u-2' }, spec: { ...sent.spec } };
  Jobs.prepareForCreate!(draft, { now: 0 } as never);
  return draft;
}

const LABELLED = { metadata: { labels: { app: 'x' } } };

describe('what the creator owns', () => {
  test.each<[string, Job, object, object]>([
    ['a job without labels', jobOf(), {}, {}],
    ['a job whose pods have labels', jobOf({}, { labels: { app: 'x' } }, LABELLED), { app: 'x' }, { app: 'x' }],
    ['a job with labels of its own', jobOf({}, { labels: { app: 'y' } }, LABELLED), { app: 'y' }, { app: 'x' }],
  ])('%s', (_case, sent, own, ofPods) => {
    const { metadata, spec } = store(sent);
    expect(spec.selector).toBeDefined();
    const labels = (of: object): object => (Object.keys(of).length > 0 ? { labels: of } : {});
    expect(attribution.owned({ ...sent, metadata, spec }, '')).toEqual({
      of: {
        metadata: { ownerReferences: [OWNER], ...labels(own) },
        spec: { backoffLimit: 6, template: { spec: pod, metadata: labels(ofPods) } },
      },
    });
  });

  test('is not what a deletion adds', () => {
    const { of } = attribution.owned(
      jobOf({}, { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['a/b', 'foregroundDeletion'] }),
      '',
    );
    expect(of).toMatchObject({ metadata: { finalizers: ['a/b'] } });
  });

  test.each<[string, Job, (stored: Job) => Job, boolean]>([
    ['a job that was stored as ever', jobOf(), (job) => job, true],
    ['one with labels', jobOf({}, { labels: { app: 'x' } }, LABELLED), (job) => job, true],
    ['a selector of its own', jobOf({ manualSelector: true, selector: { matchLabels: {} } }), (job) => job, false],
    ['empty labels', jobOf({}, { labels: {} }), (job) => job, false],
    ['a label that is generated', jobOf({}, {}, { metadata: { labels: { 'job-name': 'x' } } }), (job) => job, false],
    ['a webhook’s label', jobOf(), (job) => ({ ...job, metadata: { ...job.metadata, labels: { a: 'b' } } }), false],
    ['a webhook’s limit', jobOf(), (job) => ({ ...job, spec: { ...job.spec, backoffLimit: 1 } }), false],
    ['a webhook’s annotation', jobOf(), (job) => ({ ...job, metadata: { ...job.metadata, annotations: {} } }), false],
  ])('%s', (_case, sent, change, holds) => expect(attribution.holds(sent, change(store(sent)))).toBe(holds));
});

test.each([
  [{}, true],
  [{ active: 1 }, false],
])('of a status %j the first writer owns all: %s', (status, holds) => {
  expect(attribution.holdsForStatus({ ...jobOf(), status }, 'kube-controller-manager')).toBe(holds);
});
