import { beforeAll, describe, expect, test } from '@jest/globals';
import { catalog } from '../../../containers/index.js';
import type { Change } from '../../machinery/change.js';
import type { AppliedChange } from '../../machinery/requests/http.js';
import type { CheckpointState } from './checkpoint.js';
import { Cluster } from '../cluster.js';
import { defaultWorkers, makeTemplate } from '../template.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters'] };
const START = { created: 0, changes: 0, revision: 0, now: 0 };
let template: CheckpointState;
beforeAll(() => {
  template = makeTemplate({ workers: defaultWorkers(), speed: 'realistic' }, catalog);
});

const post = (name: string, image = 'nginx:1.27') => ({
  method: 'POST',
  path: '/apis/apps/v1/namespaces/default/deployments',
  query: '',
  headers: { 'content-type': 'application/json' },
  user: ADMIN,
  body: Buffer.from(
    JSON.stringify({
      metadata: { name },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image }] } },
      },
    }),
  ),
});

interface Opened {
  readonly cluster: Cluster;
  /** Keys that were reconciled. */
  readonly reconciled: string[];
}

function open(checkpoint: CheckpointState, log: readonly Change[] = []): Opened {
  const reconciled: string[] = [];
  const cluster = new Cluster({
    ...{ seed: 'retrace', images: catalog },
    observer: { started: (name, key) => reconciled.push(`${name} ${key.name}`), finished: () => undefined },
  });
  cluster.load(JSON.parse(JSON.stringify(checkpoint)) as CheckpointState);
  for (const change of JSON.parse(JSON.stringify(log)) as Change[]) cluster.replay(change);
  cluster.commit();
  return { cluster, reconciled };
}

const textOf = ({ old: _, cause: _cause, ...change }: AppliedChange): string => JSON.stringify(change);

/** A rollout that ends after so many changes, and two ways on from there: by the same process, and by another. */
function dies(after: number, change = (log: readonly Change[]): readonly Change[] => log) {
  const { cluster } = open(template);
  cluster.advance(template.now);
  cluster.handle(post('web'), template.now + 5_000);
  for (let settled = false; !settled && cluster.since(START).length < after;)
    ({ settled } = cluster.advance(template.now + 60_000, 1));
  const log = cluster.since(START).map(({ old: _, ...rest }): Change => rest);
  cluster.commit();
  const other = open(template, change(log));
  const [end, mark] = [template.now + 60_000, cluster.mark()];
  cluster.advance(end);
  return { cluster, other, end, mark, died: log.length };
}

describe('another process goes on where one has died', () => {
  test.each([3, 8, 20, 31, 40])('after %i changes', (after) => {
    const { cluster, other, end, mark } = dies(after);
    other.cluster.advance(end);
    const made = other.cluster.since(START).map(textOf);
    expect(made.length).toBeGreaterThan(0);
    expect(made).toEqual(cluster.since(mark).map(textOf));
  });

  test('and with what the checkpoint of a process has, which need not look at everything again', () => {
    const first = open(template);
    first.cluster.advance(template.now);
    first.cluster.handle(post('web'), template.now + 5_000);
    first.cluster.advance(template.now + 60_000, 12);
    first.cluster.commit();
    const second = open(first.cluster.checkpoint());
    const mark = first.cluster.mark();
    first.cluster.advance(template.now + 60_000);
    second.cluster.advance(template.now + 60_000);
    expect(second.cluster.since(START).map(textOf)).toEqual(first.cluster.since(mark).map(textOf));
    expect(second.reconciled).not.toContain('serviceaccount kube-system');
  });
});

test('inputs are put where they were', () => {
  const { cluster } = open(template);
  cluster.advance(template.now);
  cluster.handle(post('web'), template.now + 5_000);
  cluster.advance(template.now + 7_000);
  cluster.handle(post('db', 'redis:7'), template.now + 7_000);
  cluster.advance(template.now + 7_000, 5);
  const log = cluster.since(START);
  cluster.commit();
  const other = open(template, log);
  const mark = cluster.mark();
  cluster.advance(template.now + 60_000);
  other.cluster.advance(template.now + 60_000);
  expect(other.cluster.since(START).map(textOf)).toEqual(cluster.since(mark).map(textOf));
});

describe('a log that the components would not have written', () => {
  const renamed = (log: readonly Change[]): readonly Change[] =>
    JSON.parse(JSON.stringify(log).replaceAll('Scaled up', 'Brought up')) as Change[];

  test('stands: every key is looked at, and the rest is done', () => {
    const { cluster, other, end, died } = dies(20, renamed);
    const revision = other.cluster.revision;
    other.cluster.advance(template.now, 0);
    expect(other.cluster.revision).toBe(revision);
    other.cluster.advance(end);
    const events = [...other.cluster.state.objects()].map(({ object }) => JSON.stringify(object));
    expect(events.filter((text) => text.includes('Brought up'))).toHaveLength(1);
    expect(events.filter((text) => text.includes('Scaled up'))).toHaveLength(0);
    expect(other.cluster.since(START).length).toBeGreaterThan(0);
    expect(other.cluster.revision).toBeGreaterThanOrEqual(cluster.revision - died);
  });
});
