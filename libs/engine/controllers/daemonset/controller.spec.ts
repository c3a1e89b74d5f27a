import { describe, expect, it } from '@jest/globals';
import { ControllerBed, seconds } from '../../../testkit/beds/controller-bed.js';
import type { DaemonSet } from '../../api/apps_v1.js';
import type { Node } from '../../api/core_v1.js';
import { ControllerRevisions, DaemonSets, Nodes, Pods } from '../../kinds/index.js';
import { controller } from './controller.js';
import { targetNode } from './daemonpods.js';

const daemonSet: DaemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent', namespace: 'default' },
  spec: {
    selector: { matchLabels: { app: 'agent' } },
    template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [{ name: 'agent', image: 'agent:1' }] } },
  },
  status: { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 },
};
const node = (name: string, more: Partial<Node['spec']> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  spec: more,
  status: {},
});

function settled(...nodes: Node[]): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller], readyAfter: () => seconds(1) });
  for (const n of nodes) bed.client.create(Nodes, n);
  bed.client.create(DaemonSets, structuredClone(daemonSet));
  return bed.settle(seconds(10));
}
const targets = (bed: ControllerBed): (string | undefined)[] => bed.client.list(Pods).map(targetNode).sort();

describe('a DaemonSet', () => {
  it('runs on each node whose taints it tolerates', () => {
    const taint = (key: string, effect: string) => ({ taints: [{ key, effect }] });
    const bed = settled(
      node('a'),
      node('b', { unschedulable: true, ...taint('node.kubernetes.io/unschedulable', 'NoSchedule') }),
      node('c', taint('node-role.kubernetes.io/control-plane', 'NoSchedule')),
    );
    expect(targets(bed)).toEqual(['a', 'b']);
    expect(bed.get(DaemonSets, 'agent').status).toEqual({
      observedGeneration: 1,
      currentNumberScheduled: 2,
      desiredNumberScheduled: 2,
      numberMisscheduled: 0,
      numberReady: 2,
      numberAvailable: 2,
      updatedNumberScheduled: 2,
    });
    expect(bed.errors).toEqual([]);
    expect(bed.restart()).toBe(0);
  });

  it('knows at once that a node is gone', () => {
    const bed = settled(node('a'), node('b'));
    bed.client.delete(Nodes, { namespace: '', name: 'b' });
    bed.settle(seconds(1));
    expect(bed.get(DaemonSets, 'agent').status).toMatchObject({ desiredNumberScheduled: 1, numberMisscheduled: 0 });
    expect(bed.restart()).toBe(0);
  });

  it('replaces failed pods of a node at once, then after 1 s, 2 s, 4 s', () => {
    const bed = settled(node('a'));
    const begin = bed.state.now;
    const replaced = new Set<string>();
    while (bed.state.now < begin + seconds(10)) {
      for (const pod of bed.client.list(Pods)) if (pod.status.phase !== 'Failed') bed.finish(pod, 'Failed');
      bed.settle(100);
      for (const pod of bed.client.list(Pods)) replaced.add(pod.metadata.uid!);
    }
    // The last one has been there since 7 s, and is replaced at 15 s.
    expect(replaced.size).toBe(4);
    expect(bed.events('FailedDaemonPod')).toHaveLength(4);
    expect(bed.errors).toEqual([]);
  });

  it('follows nodes that come and labels that change', () => {
    const bed = settled(node('a'));
    bed.client.create(Nodes, node('b'));
    bed.settle(seconds(5));
    expect(targets(bed)).toEqual(['a', 'b']);
  });

  it('is updated a node at a time, and keeps its history', () => {
    const bed = settled(node('a'), node('b'), node('c'));
    const ds = bed.get(DaemonSets, 'agent');
    bed.client.update(DaemonSets, {
      ...ds,
      spec: {
        ...ds.spec,
        template: {
          ...ds.spec.template,
          spec: {
            ...ds.spec.template.spec!,
            containers: [{ ...ds.spec.template.spec!.containers[0]!, image: 'agent:2' }],
          },
        },
      },
    });
    bed.settle();
    const images = (): string[] =>
      bed.client
        .list(Pods)
        .map((p) => p.spec.containers[0]!.image!)
        .sort();
    expect(images()).toEqual(['agent:1', 'agent:1', 'agent:2']);
    bed.settle(seconds(30));
    expect(images()).toEqual(['agent:2', 'agent:2', 'agent:2']);
    expect(
      bed.client
        .list(ControllerRevisions)
        .map((r) => r.revision)
        .sort(),
    ).toEqual([1, 2]);
  });
});
