import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../machinery/meta/object.js';
import { hasDeferred } from '../../runtime/managed-fields.js';
import { componentOptions } from '../registry/write-options.js';
import { TestServer } from '../testing.js';

const KEY = { namespace: 'default', name: 'j' };
const MANAGER = 'fieldManager=kube-controller-manager';
const pods = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['true'] }] };
const OWNER = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'c', uid: 'u-1', controller: true };
const START = '2026-01-01T00:00:00Z';
const MET = { type: 'SuccessCriteriaMet', status: 'True', lastProbeTime: START, lastTransitionTime: START };

const jobOf = (spec: object = {}, metadata: object = {}, template: object = {}): never =>
  ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j', namespace: 'default', ownerReferences: [OWNER], ...metadata },
    spec: { template: { spec: pods, ...template }, ...spec },
    status: {},
  }) as never;
const cronJob = {
  metadata: { name: 'j' },
  spec: { schedule: '* * * * *', jobTemplate: { spec: { template: { spec: pods } } } },
};
const labels = { app: 'x' };

const JOBS: Record<string, [job: never, isDeferred: boolean]> = {
  'no labels': [jobOf(), true],
  'annotations and a finalizer': [jobOf({}, { annotations: { a: 'b' }, finalizers: ['a/b'] }), true],
  'labels of its pods': [jobOf({}, {}, { metadata: { labels } }), true],
  'labels of its own': [jobOf({}, { labels: { app: 'y' } }, { metadata: { labels, annotations: { a: 'b' } } }), true],
  'a selector of its own': [
    jobOf({ manualSelector: true, selector: { matchLabels: labels } }, {}, { metadata: { labels } }),
    false,
  ],
  'a label that is generated': [jobOf({}, { labels: { 'job-name': 'z' } }), false],
};

/** One status after the other, as the controllers write them. */
const STATUSES: readonly object[] = [
  { active: 1, startTime: START, ready: 0, terminating: 0, uncountedTerminatedPods: {} },
  { active: 1, startTime: START, ready: 1, terminating: 0, uncountedTerminatedPods: {} },
  { active: 1, startTime: START, terminating: 0, uncountedTerminatedPods: {} },
  { startTime: START, succeeded: 1, ready: 0, conditions: [MET], uncountedTerminatedPods: {} },
];
const active = [{ kind: 'Job', name: 'j-1', namespace: 'default', uid: 'u', apiVersion: 'batch/v1' }];
const OF_CRON_JOBS: readonly object[] = [
  { active, lastScheduleTime: START },
  { active: [...active, ...active], lastScheduleTime: START },
  { lastScheduleTime: START },
  { lastScheduleTime: START, lastSuccessfulTime: START },
];

/** A server to which a client sends all, and one whose own component writes it. */
class Pair {
  readonly asked = new TestServer();
  readonly made = new TestServer();

  constructor(
    private readonly plural: 'jobs' | 'cronjobs',
    private readonly actor: string,
  ) {}

  private get list(): string {
    return `/apis/batch/v1/namespaces/default/${this.plural}`;
  }

  get component() {
    const user = { name: `system:serviceaccount:kube-system:${this.actor}`, groups: [] };
    return this.made.server.writer.client(componentOptions({ user, cause: 0 }, false));
  }

  get kind() {
    return this.made.registry.kindFor('batch/v1', this.plural === 'jobs' ? 'Job' : 'CronJob')!;
  }

  get stored(): KubeObject {
    return this.made.state.get(this.kind, KEY)!;
  }

  create(job: never): void {
    expect(this.asked.post(`${this.list}?${MANAGER}`, job).status).toBe(201);
    this.component.create(this.kind, job);
  }

  setStatus(status: object, at: number): void {
    for (const server of [this.asked, this.made]) server.state.now += at;
    const before = this.asked.get(`${this.list}/j`).body;
    const { body } = this.asked.call('PUT', `${this.list}/j/status?${MANAGER}`, { ...before, status });
    expect(body.message).toBeUndefined();
    this.component.updateStatus(this.kind, { ...this.stored, status } as never);
  }

  shown(server: TestServer): unknown {
    return server.get(`${this.list}/j`).body.metadata.managedFields;
  }
}

describe('a job that a controller makes', () => {
  it.each(Object.entries(JOBS).map((c) => [c[0], ...c[1]] as const))(
    'with %s is owned as if it had been sent',
    (_, job, isDeferred) => {
      const pair = new Pair('jobs', 'cronjob-controller');
      pair.create(job);
      expect(pair.shown(pair.made)).toEqual(pair.shown(pair.asked));
      expect(hasDeferred(pair.stored.metadata.managedFields)).toBe(isDeferred);
    },
  );

  it('and its status, at each step', () => {
    const pair = new Pair('jobs', 'job-controller');
    pair.create(jobOf());
    for (const status of STATUSES) {
      pair.setStatus(status, 1_000);
      expect(pair.shown(pair.made)).toEqual(pair.shown(pair.asked));
      expect(pair.stored.metadata.managedFields!.map((e) => e.fieldsV1)).toEqual([undefined, undefined]);
    }
  });
});

it('the status of a user’s CronJob is its controller’s, at each step', () => {
  const pair = new Pair('cronjobs', 'cronjob-controller');
  for (const server of [pair.asked, pair.made])
    expect(server.post('/apis/batch/v1/namespaces/default/cronjobs?fieldManager=me', cronJob).status).toBe(201);
  for (const status of OF_CRON_JOBS) {
    pair.setStatus(status, 1_000);
    expect(pair.shown(pair.made)).toEqual(pair.shown(pair.asked));
    expect(hasDeferred(pair.stored.metadata.managedFields)).toBe(true);
  }
});
