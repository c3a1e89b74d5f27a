import { describe, expect, it } from '@jest/globals';
import { ControllerBed, names } from '../../../testkit/beds/controller-bed.js';
import type { Pod } from '../../api/core_v1.js';
import { Events, Pods, ReplicationControllers } from '../../kinds/index.js';
import { controllerOf } from '../../machinery/meta/object.js';
import { controller } from './controller.js';

function newBed(replicas = 2): ControllerBed {
  const bed = new ControllerBed({ controllers: [controller] });
  bed.create(ReplicationControllers, 'web', {
    spec: {
      replicas,
      selector: { app: 'web' },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
    },
    status: {} as never,
  });
  return bed.settle();
}
const pods = (bed: ControllerBed): readonly Pod[] => bed.client.list(Pods);

describe('a ReplicationController', () => {
  it('creates its pods, owns them and counts them', () => {
    const bed = newBed();
    expect(bed.events().sort()).toEqual(names(pods(bed)).map((name) => `SuccessfulCreate Created pod: ${name}`));
    expect(bed.client.list(Events)[0]!.source).toEqual({ component: 'replication-controller' });
    expect(pods(bed).map((p) => [controllerOf(p)?.apiVersion, controllerOf(p)?.kind])).toEqual([
      ['v1', 'ReplicationController'],
      ['v1', 'ReplicationController'],
    ]);
    expect(bed.get(ReplicationControllers, 'web').status).toEqual({
      replicas: 2,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
      observedGeneration: 1,
    });
    expect(bed.errors).toEqual([]);
    expect(bed.restart()).toBe(0);
  });

  it('follows its size down to none', () => {
    const bed = newBed();
    const created = names(pods(bed));
    const web = bed.get(ReplicationControllers, 'web');
    bed.client.update(ReplicationControllers, { ...web, spec: { ...web.spec, replicas: 0 } });
    bed.settle();
    expect(pods(bed)).toEqual([]);
    expect(bed.events('SuccessfulDelete').sort()).toEqual(
      created.map((name) => `SuccessfulDelete Deleted pod: ${name}`),
    );
    expect(bed.get(ReplicationControllers, 'web').status).toEqual({ replicas: 0, observedGeneration: 2 });
  });

  it('adopts an orphan that its selector matches', () => {
    const bed = newBed(1);
    const spec = { containers: [{ name: 'web', image: 'nginx' }] };
    bed.create(Pods, 'orphan', { spec }, { labels: { app: 'web' } });
    bed.create(Pods, 'stranger', { spec }, { labels: { app: 'other' } });
    bed.settle();
    expect(pods(bed).filter((p) => controllerOf(p)?.name === 'web')).toHaveLength(1);
    expect(pods(bed)).toHaveLength(2);
    expect(controllerOf(bed.get(Pods, 'stranger'))).toBeUndefined();
  });
});
