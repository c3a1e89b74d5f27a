import { describe, expect, test } from '@jest/globals';
import { ClusterBed } from '../../../testkit/beds/cluster-bed.js';
import { Advances, Clocks, Deployments, Pods } from '../../kinds/index.js';
import type { AdvanceSpec } from '../../kinds/terrarium/advance/kind.js';

const podSpec = { containers: [{ name: 'c', image: 'nginx:1.27' }] };
const deployment = (replicas: number): object => ({
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: podSpec },
  },
});

class ClockBed extends ClusterBed {
  /** Real time stands still meanwhile. Returns the slices that it took. */
  go(spec: AdvanceSpec, name = 'one', maxChanges = Number.POSITIVE_INFINITY): number {
    this.create(Advances, name, { spec });
    let slices = 0;
    while (this.cluster.isAdvancing && slices++ < 5_000) this.cluster.advanceAt(this.start, maxChanges);
    return slices;
  }

  outcome(name = 'one'): unknown[] {
    const { status } = this.get(Advances, name);
    const { reason } = status.conditions![0]!;
    return [status.phase, reason, Date.parse(status.reached!) - Date.parse(status.startedAt!)];
  }

  pause(paused: boolean): void {
    const clock = this.get(Clocks, 'clock');
    this.client.update(Clocks, { ...clock, spec: { ...clock.spec, paused } });
  }
}

describe('an Advance', () => {
  test('by a duration moves the time, from where it goes on by the Clock', () => {
    const bed = new ClockBed();
    bed.go({ by: '10m' });
    expect(bed.outcome()).toEqual(['Succeeded', 'TimeReached', 600_000]);
    expect(bed.cluster.virtualNow(bed.start + 1_000)).toBe(bed.start + 601_000);
  });

  test('works in a paused cluster, in which nothing happens else', () => {
    const bed = new ClockBed();
    bed.at(1).pause(true);
    bed.create(Deployments, 'web', deployment(1));
    expect(bed.cluster.advanceAt(bed.start + 60_000, 100)).toEqual({ settled: true, nextWake: undefined });
    expect(bed.client.list(Pods, 'default')).toEqual([]);
    bed.go({ until: 'pods.exists(p, p.metadata.namespace == "default" && p.status.phase == "Running")' });
    expect(bed.outcome().slice(0, 2)).toEqual(['Succeeded', 'ConditionHolds']);
    expect(bed.get(Clocks, 'clock').spec.paused).toBe(true);
  });

  test('that never holds fails at its limit, and one that names nothing at once', () => {
    const bed = new ClockBed();
    bed.go({ until: 'pods.exists(p, p.metadata.name == "none")', limit: '2m' });
    expect(bed.outcome()).toEqual(['Failed', 'LimitPassed', 120_000]);
    bed.go({ until: 'gnomes.exists(g, g.metadata.name == "none")' }, 'two');
    expect(bed.outcome('two')).toEqual(['Failed', 'InvalidCondition', 0]);
  });

  test('pauses the Clock when it is told to', () => {
    const bed = new ClockBed();
    bed.go({ by: '1s', pause: true });
    expect(bed.get(Clocks, 'clock').spec.paused).toBe(true);
  });

  test('is carried out after those before it', () => {
    const bed = new ClockBed();
    bed.create(Advances, 'first', { spec: { by: '1m' } });
    bed.go({ by: '1m' }, 'second');
    expect(Date.parse(bed.get(Advances, 'second').status.startedAt!)).toBe(bed.start + 60_000);
  });

  test('in slices ends where it ends at once', () => {
    const [once, often] = [new ClockBed(), new ClockBed()];
    for (const bed of [once, often]) bed.create(Deployments, 'web', deployment(2));
    once.go({ by: '5m' });
    expect(often.go({ by: '5m' }, 'one', 2)).toBeGreaterThan(5);
    const names = (bed: ClockBed): unknown[] =>
      bed.client.list(Pods, 'default').map(({ metadata, status }) => [metadata.name, metadata.uid, status.podIP]);
    expect(names(often)).toEqual(names(once));
  });
});

test('steps tell what ran, what it wrote, and what runs next', () => {
  const bed = new ClockBed();
  bed.at(1).pause(true);
  bed.create(Deployments, 'web', deployment(1));
  bed.go({ steps: 1 });
  const { ran, next } = bed.get(Advances, 'one').status;
  expect(ran).toMatchObject([{ controller: 'deployment', name: 'web', outcome: 'requeue' }]);
  expect(ran![0]!.writes[0]).toMatchObject({ verb: 'create', resource: 'replicasets.apps' });
  expect(next).toMatchObject({ controller: 'replicaset', namespace: 'default', why: 'change' });
  bed.go({ steps: 0 }, 'peek');
  expect(bed.get(Advances, 'peek').status.next).toEqual(next);
});
