import { beforeEach, describe, expect, test } from '@jest/globals';
import { ControllerBed } from '../../testkit/beds/controller-bed.js';
import type { ControllerRevision, DaemonSet } from '../api/apps_v1.js';
import { ControllerRevisions, DaemonSets } from '../kinds/index.js';
import { controllerOf } from '../machinery/meta/object.js';
import { defineController } from '../runtime/controller.js';
import { orphanIndex } from './controller-ref-manager.js';
import { constructHistory, truncateHistory, type History } from './controller-history.js';

const LABEL = 'controller-revision-hash';
const idle = defineController({
  name: 'idle',
  actor: 'system:test',
  for: DaemonSets,
  indexes: [orphanIndex(ControllerRevisions)],
  reconcile: () => undefined,
});

let bed: ControllerBed;
let owner: DaemonSet;
beforeEach(() => {
  bed = new ControllerBed({ controllers: [idle] });
  owner = bed.create(
    DaemonSets,
    'agent',
    { spec: { selector: { matchLabels: { app: 'agent' } }, template: templateOf('v1') }, status: {} as never },
    { annotations: { note: 'x' } },
  );
});
const templateOf = (image: string) => ({
  metadata: { labels: { app: 'agent' } },
  spec: { containers: [{ name: 'agent', image }] },
});
const construct = (image: string, collisionCount?: number): History =>
  constructHistory(bed.client, {
    kind: DaemonSets,
    object: owner,
    selector: owner.spec.selector,
    template: templateOf(image),
    hashLabel: LABEL,
    annotations: { 'deprecated.daemonset.template.generation': '1' },
    ...(collisionCount === undefined ? {} : { collisionCount }),
  });
const revisions = (history: History): number[] => [...history.old, history.current].map((r) => r.revision);

describe('the history of a workload', () => {
  test('begins with a revision that holds the template, named by its hash', () => {
    const { current, old } = construct('v1');
    const hash = current.metadata.labels![LABEL]!;
    expect(current.metadata).toMatchObject({
      name: `agent-${hash}`,
      labels: { app: 'agent', [LABEL]: hash },
      annotations: { note: 'x', 'deprecated.daemonset.template.generation': '1' },
    });
    expect(controllerOf(current)?.uid).toBe(owner.metadata.uid);
    expect([current.revision, old]).toEqual([1, []]);
    expect(JSON.stringify(current.data)).toBe(
      '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"agent"}},"spec":{"containers":[{"image":"v1","name":"agent"}]}}}}',
    );
  });

  test('stays as it is while the template does', () => {
    const { current } = construct('v1');
    expect(construct('v1').current.metadata.resourceVersion).toBe(current.metadata.resourceVersion);
  });

  test('grows with each template; one that comes back is the newest again', () => {
    expect(revisions(construct('v1'))).toEqual([1]);
    expect(revisions(construct('v2'))).toEqual([1, 2]);
    const first = construct('v1').current;
    expect(first.revision).toBe(3);
    expect(bed.client.list(ControllerRevisions)).toHaveLength(2);
  });

  test('has another name after a collision', () => {
    expect(construct('v1').current.metadata.name).not.toBe(construct('v2', 1).current.metadata.name);
  });
});

describe('old revisions', () => {
  test.each<[string, number, (r: ControllerRevision) => boolean, number[]]>([
    ['up to the limit stay', 3, () => false, [1, 2, 3, 4]],
    ['beyond it go, oldest first', 1, () => false, [3, 4]],
    ['that a pod still has stay, and do not count', 0, (r) => r.revision === 2, [2, 4]],
  ])('%s', (_, limit, isLive, left) => {
    for (const image of ['v1', 'v2', 'v3']) construct(image);
    truncateHistory(bed.client, construct('v4').old, limit, isLive);
    expect(
      bed.client
        .list(ControllerRevisions)
        .map((r) => r.revision)
        .sort(),
    ).toEqual(left);
  });
});
