import { describe, expect, it } from '@jest/globals';
import { ControllerBed, names, seconds } from '../../../testkit/beds/controller-bed.js';
import type { Deployment } from '../../api/apps_v1.js';
import { ConfigMaps, Deployments, Pods, ReplicaSets } from '../../kinds/index.js';
import type { Controller } from '../../runtime/controller.js';
import { controller as deploymentController } from '../deployment/controller.js';
import { controller as replicaset } from '../replicaset/controller.js';
import { controller } from './controller.js';

const web: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  },
  status: {},
};
const key = { namespace: 'default', name: 'web' };

function settled(): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller, deploymentController, replicaset] });
  bed.client.create(Deployments, structuredClone(web));
  return bed.settle();
}
const left = (bed: ControllerBed): number[] =>
  [Deployments, ReplicaSets, Pods].map((kind) => bed.client.list(kind as typeof Pods).length);

it('objects that own each other in a circle do not wait for each other', () => {
  const bed = settled();
  const map = (name: string) =>
    bed.client.create(ConfigMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } });
  const [a, b, c] = [map('a'), map('b'), map('c')];
  for (const [object, owner] of [
    [a, c],
    [b, a],
    [c, b],
  ] as const) {
    const ref = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: owner.metadata.name!,
      uid: owner.metadata.uid!,
      blockOwnerDeletion: true,
    };
    bed.client.update(ConfigMaps, { ...object, metadata: { ...object.metadata, ownerReferences: [ref] } });
  }
  bed.client.delete(ConfigMaps, { namespace: 'default', name: 'a' }, { propagationPolicy: 'Foreground' });
  bed.settle();
  expect(names(bed.client.list(ConfigMaps))).toEqual([]);
});

describe('an owner of 250 objects', () => {
  const COUNT = 250;
  /** Counts what each reconcile changes. */
  const changes: number[] = [];
  const counting: Controller = {
    ...controller,
    reconcile(context, key, attached) {
      const before = context.client.revision;
      const result = controller.reconcile(context, key, attached);
      changes.push(context.client.revision - before);
      return result;
    },
  };

  it.each([
    ['Background', 0, 250],
    ['Foreground', 0, 251],
    ['Orphan', COUNT, 251],
  ])('%s: %i objects are left, and no reconcile makes more than 100 changes', (propagationPolicy, left, total) => {
    const bed = new ControllerBed({ controllers: [counting] });
    const { uid = '' } = bed.create(ConfigMaps, 'owner').metadata;
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true }];
    for (let i = 0; i < COUNT; i++) bed.create(ConfigMaps, `owned-${i}`, {}, { ownerReferences });
    bed.settle();
    bed.client.delete(ConfigMaps, { namespace: 'default', name: 'owner' }, { propagationPolicy });
    changes.length = 0;
    bed.settle(seconds(1));
    const objects = bed.client.list(ConfigMaps);
    expect(objects).toHaveLength(left);
    expect(objects.filter(({ metadata }) => metadata.ownerReferences)).toEqual([]);
    expect(changes.reduce((sum, n) => sum + n)).toBe(total);
    expect(Math.max(...changes)).toBe(100);
    expect(bed.errors).toEqual([]);
  });
});

describe('deleting a Deployment', () => {
  it.each(['Background', 'Foreground'])('%s: everything of it goes', (propagationPolicy) => {
    const bed = settled();
    bed.client.delete(Deployments, key, { propagationPolicy });
    bed.settle(seconds(60));
    expect(left(bed)).toEqual([0, 0, 0]);
    expect(bed.errors).toEqual([]);
  });

  it('Foreground: pods go before their ReplicaSet, and that before the Deployment', () => {
    const bed = settled();
    const gone: string[] = [];
    for (const resource of ['pods', 'replicasets.apps', 'deployments.apps'])
      bed.state.observe(resource, (_old, next) => void (next ?? gone.push(resource)));
    bed.client.delete(Deployments, key, { propagationPolicy: 'Foreground' });
    bed.settle(seconds(60));
    expect(gone).toEqual(['pods', 'pods', 'pods', 'replicasets.apps', 'deployments.apps']);
  });

  it('Orphan: the ReplicaSet stays, without its owner', () => {
    const bed = settled();
    bed.client.delete(Deployments, key, { propagationPolicy: 'Orphan' });
    bed.settle(seconds(60));
    expect(left(bed)).toEqual([0, 1, 3]);
    expect(bed.client.list(ReplicaSets)[0]!.metadata.ownerReferences).toBeUndefined();
  });
});

describe('an object with owners', () => {
  const map = (name: string, owners: { name: string; uid: string }[]) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'default',
      ownerReferences: owners.map((o) => ({ apiVersion: 'v1', kind: 'ConfigMap', ...o })),
    },
  });
  it('that never were there is deleted', () => {
    const bed = settled();
    bed.client.create(ConfigMaps, map('child', [{ name: 'ghost', uid: 'no-such-uid' }]));
    bed.settle();
    expect(names(bed.client.list(ConfigMaps))).toEqual([]);
  });
  it('is deleted even if the process died before it could be', () => {
    const bed = settled();
    const { onChange } = bed.state;
    bed.state.onChange = undefined;
    bed.client.create(ConfigMaps, map('child', [{ name: 'ghost', uid: 'no-such-uid' }]));
    bed.state.onChange = onChange;
    bed.settle();
    expect(names(bed.client.list(ConfigMaps))).toEqual(['child']);
    bed.restart();
    expect(names(bed.client.list(ConfigMaps))).toEqual([]);
  });
  it('stays while one of them is there, and forgets the others', () => {
    const bed = settled();
    const parent = bed.client.create(ConfigMaps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'parent', namespace: 'default' },
    });
    bed.client.create(
      ConfigMaps,
      map('child', [
        { name: 'ghost', uid: 'no-such-uid' },
        { name: 'parent', uid: parent.metadata.uid! },
      ]),
    );
    bed.settle();
    expect(bed.get(ConfigMaps, 'child').metadata.ownerReferences).toHaveLength(1);
    bed.client.delete(ConfigMaps, { namespace: 'default', name: 'parent' });
    bed.settle();
    expect(names(bed.client.list(ConfigMaps))).toEqual([]);
  });
});
