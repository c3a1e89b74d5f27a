import { describe, expect, test } from '@jest/globals';
import { ClusterBed } from '../../testkit/beds/cluster-bed.js';
import { Checks, ConfigMaps, Deployments, Pods } from '../kinds/index.js';
import type { CheckPartSpec, CheckSpec } from '../kinds/terrarium/check/kind.js';

const podSpec = (image: string): object => ({ containers: [{ name: 'nginx', image }] });
const deployment = (replicas: number, image = 'nginx:1.27'): object => ({
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: podSpec(image) },
  },
});

class CheckBed extends ClusterBed {
  check(spec: CheckSpec, name = 'one'): this {
    this.create(Checks, name, { spec });
    this.cluster.advance(this.cluster.state.now);
    return this;
  }

  part(spec: CheckPartSpec): this {
    return this.check(spec);
  }

  result(name = 'one'): string {
    const { phase, score, points, message } = this.get(Checks, name).status;
    return `${phase} ${score}/${points}${message === undefined ? '' : ` ${message}`}`;
  }

  config(name: string, data: Record<string, string> = {}): this {
    const key = { namespace: 'default', name };
    const found = this.client.get(ConfigMaps, key);
    if (found) this.client.update(ConfigMaps, { ...found, data });
    else this.create(ConfigMaps, name, { data });
    this.cluster.advance(this.cluster.state.now);
    return this;
  }

  remove(name: string): this {
    this.client.delete(ConfigMaps, { namespace: 'default', name });
    this.cluster.advance(this.cluster.state.now);
    return this;
  }
}

const HELD = "'default/a' in configmap";

describe('words', () => {
  test('now: whenever it holds', () => {
    const bed = new CheckBed().part({ now: HELD });
    expect(bed.result()).toBe('Pending 0/1 it does not hold');
    expect(bed.config('a').result()).toBe('Passed 1/1');
    expect(bed.remove('a').result()).toBe('Pending 0/1 it does not hold');
  });

  test('eventually: once it has held', () => {
    const bed = new CheckBed().part({ eventually: HELD });
    expect(bed.config('a').remove('a').result()).toBe('Passed 1/1');
  });

  test('eventually, within: not later', () => {
    const bed = new CheckBed().part({ eventually: HELD, within: '10s' });
    expect(bed.at(9).result()).toBe('Pending 0/1 it has not come true yet');
    expect(bed.at(10).result()).toBe('Failed 0/1 it has not come true yet');
    expect(bed.config('a').result()).toBe('Failed 0/1 it has not come true yet');
  });

  test('always and never: until it is otherwise', () => {
    const bed = new CheckBed().config('a').check({ parts: [{ always: HELD }, { never: `!(${HELD})` }], points: 3 });
    expect(bed.result()).toBe('Passed 3/3');
    expect(bed.remove('a').config('a').result()).toMatch(/^Failed 0\/3 part-1: it did not hold at revision \d+$/);
    expect(bed.get(Checks, 'one').status.parts!.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^it did not hold at revision \d+$/),
      expect.stringMatching(/^it held at revision \d+$/),
    ]);
  });

  test('always, until: passed when it is over', () => {
    const bed = new CheckBed().config('a').part({ always: HELD, until: "'default/b' in configmap" });
    expect(bed.result()).toBe('Pending 0/1 it holds so far');
    expect(bed.config('b').remove('a').result()).toBe('Passed 1/1');
  });

  test('after and within: in a window', () => {
    const bed = new CheckBed().part({ never: HELD, after: "'default/go' in configmap", within: '5s' });
    expect(bed.config('a').remove('a').result()).toBe('Pending 0/1');
    bed.config('go');
    expect(bed.at(4).result()).toBe('Pending 0/1 it holds so far');
    expect(bed.at(5).result()).toBe('Passed 1/1');
    expect(bed.config('a').result()).toBe('Passed 1/1');
  });

  test('from and to: at times', () => {
    const bed = new CheckBed().part({ eventually: HELD, from: '10s', to: '20s' });
    expect(bed.config('a').at(9).result()).toBe('Pending 0/1');
    expect(bed.at(10).result()).toBe('Passed 1/1');
  });

  test('at: at one moment', () => {
    const bed = new CheckBed().part({ now: HELD, at: '10s' }).config('a');
    expect(bed.at(9).result()).toBe('Pending 0/1');
    expect(bed.at(10).remove('a').result()).toBe('Passed 1/1');
  });

  test('atRevision: at one revision', () => {
    const bed = new CheckBed();
    bed.part({ now: HELD, atRevision: bed.cluster.revision + 4 });
    expect(bed.config('b').result()).toBe('Pending 0/1');
    expect(bed.config('c').config('d').result()).toBe('Failed 0/1 it did not hold then');
  });

  test('the past is not looked at', () => {
    const bed = new CheckBed();
    expect(bed.part({ now: HELD, at: '2020-01-01T00:00:00Z' }).result()).toBe(
      'Failed 0/1 what was before the check was made is not looked at',
    );
  });
});

describe('changes', () => {
  const deleted = "change.type == 'delete' && change.resource == 'configmaps' && change.name == 'a'";

  test('that never were', () => {
    const bed = new CheckBed().config('a').config('b').part({ never: deleted });
    expect(bed.remove('b').result()).toBe('Passed 1/1');
    expect(bed.remove('a').config('a').result()).toMatch(/^Failed 0\/1 it happened at revision \d+$/);
  });

  test('that came so often', () => {
    const bed = new CheckBed().part({ eventually: "change.resource == 'configmaps'", times: 3 });
    expect(bed.config('a').config('b').result()).toBe('Pending 0/1 it has not happened yet');
    expect(bed.config('c').result()).toBe('Passed 1/1');
  });

  test('by whom', () => {
    const bed = new CheckBed().part({
      always: "change.actor.startsWith('system:') || change.resource == 'configmaps'",
    });
    expect(bed.config('a').result()).toBe('Passed 1/1');
    bed.create(Pods, 'p', { spec: podSpec('nginx:1.27') });
    expect(bed.at(1).result()).toMatch(/^Failed/);
  });
});

test('points, hints and messages', () => {
  const bed = new CheckBed().check({
    title: 'Two',
    hint: 'Look at the docs.',
    messages: { pending: 'There is work left.', passed: 'Well done.' },
    parts: [
      { name: 'a', now: HELD, points: 3 },
      { name: 'b', now: "parts['a'] == 'Passed' && 'default/b' in configmap", points: 1 },
    ],
  });
  expect(bed.result()).toBe('Pending 0/4 There is work left.');
  expect(bed.get(Checks, 'one').status.hint).toBe('Look at the docs.');
  expect(bed.config('a').result()).toBe('Pending 3/4 There is work left.');
  expect(bed.config('b').result()).toBe('Passed 4/4 Well done.');
  const { hint, results } = bed.get(Checks, 'one').status;
  expect(hint).toBeUndefined();
  expect(results!.map(({ phase, score }) => [phase, score])).toEqual([
    ['Pending', 3],
    ['Passed', 4],
  ]);
});

test('what cannot be said yet waits', () => {
  const bed = new CheckBed().part({ now: "configmap['default/a'].data.x == '1'" });
  expect(bed.result()).toBe('Pending 0/1 no such key: default/a');
  expect(bed.config('a', { x: '1' }).result()).toBe('Passed 1/1');
});

test('an idle cluster writes nothing, and the world is the same without checks', () => {
  const run = (isChecked: boolean): { names: unknown; revisions: number } => {
    const bed = new CheckBed();
    if (isChecked)
      bed.check({
        parts: [{ now: 'readyEndpoints("default/web") >= 2' }, { now: 'now < timestamp("2020-01-01T00:00:00Z")' }],
      });
    bed.create(Deployments, 'web', deployment(3));
    bed.at(30);
    const before = bed.cluster.revision;
    bed.at(3_000);
    const names = bed.client
      .list(Pods, 'default')
      .map(({ metadata, status }) => [metadata.name, metadata.uid, status.podIP]);
    return { names, revisions: bed.cluster.revision - before };
  };
  expect(run(true)).toEqual(run(false));
});
