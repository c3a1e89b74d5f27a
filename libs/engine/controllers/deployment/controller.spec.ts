import { describe, expect, it } from '@jest/globals';
import { ControllerBed, seconds } from '../../../testkit/beds/controller-bed.js';
import type { Deployment } from '../../api/apps_v1.js';
import { Deployments, Pods, ReplicaSets } from '../../kinds/index.js';
import { controller as replicaset } from '../replicaset/controller.js';
import { controller } from './controller.js';

const deployment = (replicas: number, image = 'nginx:1.27', more: Partial<Deployment['spec']> = {}): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
    ...more,
  },
  status: {},
});

const make = (readyAfter?: () => number | 'never') =>
  new ControllerBed({ controllers: [controller, replicaset], readyAfter });

function setImage(bed: ControllerBed, image: string): void {
  const web = bed.get(Deployments, 'web');
  const template = {
    ...web.spec.template,
    spec: { ...web.spec.template.spec!, containers: [{ ...web.spec.template.spec!.containers[0]!, image }] },
  };
  bed.client.update(Deployments, { ...web, spec: { ...web.spec, template } });
}
const sizes = (bed: ControllerBed): number[] =>
  bed.client
    .list(ReplicaSets)
    .map((rs) => rs.spec.replicas!)
    .sort();
const condition = (bed: ControllerBed, type: string): string => {
  const c = bed.get(Deployments, 'web').status.conditions?.find((x) => x.type === type);
  return `${c?.status} ${c?.reason}: ${c?.message}`;
};

describe('a Deployment', () => {
  it('creates a ReplicaSet named by its template, and says so', () => {
    const bed = make();
    bed.client.create(Deployments, deployment(3));
    bed.settle();
    const [rs] = bed.client.list(ReplicaSets);
    const hash = rs!.metadata.labels!['pod-template-hash']!;
    expect(rs!.metadata.name).toBe(`web-${hash}`);
    expect(rs!.spec.selector.matchLabels).toEqual({ app: 'web', 'pod-template-hash': hash });
    expect(rs!.metadata.annotations).toEqual({
      'deployment.kubernetes.io/revision': '1',
      'deployment.kubernetes.io/desired-replicas': '3',
      'deployment.kubernetes.io/max-replicas': '4',
    });
    expect(bed.get(Deployments, 'web').metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '1' });
    expect(bed.events('ScalingReplicaSet')).toEqual([
      `ScalingReplicaSet Scaled up replica set ${rs!.metadata.name} from 0 to 3`,
    ]);
    const { conditions, ...counts } = bed.get(Deployments, 'web').status;
    expect(counts).toEqual({
      observedGeneration: 1,
      replicas: 3,
      updatedReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      terminatingReplicas: 0,
    });
    expect(conditions!.map((c) => `${c.type} ${c.status} ${c.reason}`)).toEqual([
      'Available True MinimumReplicasAvailable',
      'Progressing True NewReplicaSetAvailable',
    ]);
    expect(condition(bed, 'Progressing')).toBe(
      `True NewReplicaSetAvailable: ReplicaSet "${rs!.metadata.name}" has successfully progressed.`,
    );
    expect(bed.errors).toEqual([]);
  });

  it('writes nothing when a process starts anew on a settled cluster', () => {
    const bed = make();
    bed.client.create(Deployments, deployment(3));
    bed.settle(seconds(3600));
    expect(bed.restart()).toBe(0);
  });

  it('rolls out within maxSurge and maxUnavailable', () => {
    let wait: number | 'never' = 0;
    const bed = make(() => wait);
    bed.client.create(Deployments, deployment(10));
    bed.settle();
    wait = 'never';
    setImage(bed, 'nginx:1.28');
    bed.settle();
    // 25% of 10: three more, two fewer.
    expect(sizes(bed)).toEqual([5, 8]);
    expect(condition(bed, 'Available')).toBe('True MinimumReplicasAvailable: Deployment has minimum availability.');
    expect(bed.get(Deployments, 'web').status).toMatchObject({
      replicas: 13,
      updatedReplicas: 5,
      availableReplicas: 8,
      unavailableReplicas: 5,
    });
  });

  it('ends a rollout with the new ReplicaSet alone, and one step is told after the other', () => {
    const bed = make(() => seconds(2));
    bed.client.create(Deployments, deployment(3));
    bed.settle(seconds(5));
    const first = bed.client.list(ReplicaSets)[0]!.metadata.name;
    setImage(bed, 'nginx:1.28');
    bed.settle(seconds(60));
    const second = bed.client.list(ReplicaSets).find((rs) => rs.metadata.name !== first)!.metadata.name;
    expect(
      bed
        .events('ScalingReplicaSet')
        .slice(1)
        .map((e) => e.replace('ScalingReplicaSet Scaled ', '')),
    ).toEqual([
      `up replica set ${second} from 0 to 1`,
      `down replica set ${first} from 3 to 2`,
      `up replica set ${second} from 1 to 2`,
      `down replica set ${first} from 2 to 1`,
      `up replica set ${second} from 2 to 3`,
      `down replica set ${first} from 1 to 0`,
    ]);
    expect(bed.get(Deployments, 'web').metadata.annotations!['deployment.kubernetes.io/revision']).toBe('2');
  });

  it('counts revisions beyond what a number can hold', () => {
    const bed = make();
    bed.client.create(Deployments, deployment(1));
    bed.settle();
    const [rs] = bed.client.list(ReplicaSets);
    bed.client.update(ReplicaSets, {
      ...rs!,
      metadata: {
        ...rs!.metadata,
        annotations: { ...rs!.metadata.annotations, 'deployment.kubernetes.io/revision': '3546343826724305832' },
      },
    });
    const web = bed.get(Deployments, 'web');
    bed.client.update(Deployments, {
      ...web,
      spec: {
        ...web.spec,
        template: {
          ...web.spec.template,
          metadata: { ...web.spec.template.metadata, annotations: { changed: 'yes' } },
        },
      },
    });
    bed.settle(seconds(60));
    expect(bed.get(Deployments, 'web').metadata.annotations!['deployment.kubernetes.io/revision']).toBe(
      '3546343826724305833',
    );
  });

  it('goes back to an earlier template by its old ReplicaSet, with a new revision', () => {
    const bed = make();
    bed.client.create(Deployments, deployment(2));
    bed.settle();
    setImage(bed, 'nginx:1.28');
    bed.settle();
    setImage(bed, 'nginx:1.27');
    bed.settle();
    expect(sizes(bed)).toEqual([0, 2]);
    const active = bed.client.list(ReplicaSets).find((rs) => rs.spec.replicas === 2)!;
    expect(active.spec.template!.spec!.containers[0]!.image).toBe('nginx:1.27');
    expect(active.metadata.annotations).toMatchObject({
      'deployment.kubernetes.io/revision': '3',
      'deployment.kubernetes.io/revision-history': '1',
    });
  });

  it('stands still while paused, and still scales', () => {
    const bed = make();
    bed.client.create(Deployments, deployment(2));
    bed.settle();
    const web = bed.get(Deployments, 'web');
    bed.client.update(Deployments, { ...web, spec: { ...web.spec, paused: true } });
    bed.settle();
    setImage(bed, 'nginx:1.28');
    bed.settle();
    expect(sizes(bed)).toEqual([2]);
    expect(condition(bed, 'Progressing')).toBe('Unknown DeploymentPaused: Deployment is paused');
    const paused = bed.get(Deployments, 'web');
    bed.client.update(Deployments, { ...paused, spec: { ...paused.spec, replicas: 4 } });
    bed.settle();
    expect(sizes(bed)).toEqual([4]);
    const scaled = bed.get(Deployments, 'web');
    bed.client.update(Deployments, { ...scaled, spec: { ...scaled.spec, paused: false } });
    bed.settle();
    expect(sizes(bed)).toEqual([0, 4]);
  });

  it('says when a rollout is stuck, at its deadline', () => {
    const bed = make(() => 'never');
    bed.client.create(Deployments, deployment(1, 'nginx:1.27', { progressDeadlineSeconds: 30 }));
    bed.settle(seconds(29));
    expect(condition(bed, 'Progressing')).toContain('True ReplicaSetUpdated: ');
    bed.settle(seconds(5));
    expect(condition(bed, 'Progressing')).toMatch(
      /^False ProgressDeadlineExceeded: ReplicaSet "web-\w+" has timed out progressing\.$/,
    );
    expect(bed.restart()).toBe(0);
  });

  it('with Recreate waits for the last old pod', () => {
    const bed = make();
    bed.client.create(Deployments, deployment(2, 'nginx:1.27', { strategy: { type: 'Recreate' } }));
    bed.settle();
    const seen: string[] = [];
    bed.state.observe('pods', (old, next) => {
      const images = new Set(bed.client.list(Pods).map((p) => p.spec.containers[0]!.image));
      if (old || next) seen.push([...images].join(' and '));
    });
    setImage(bed, 'nginx:1.28');
    bed.settle();
    expect(seen).not.toContain('nginx:1.27 and nginx:1.28');
    expect(sizes(bed)).toEqual([0, 2]);
  });

  it('keeps only as many old ReplicaSets as asked for', () => {
    const bed = make();
    bed.client.create(Deployments, deployment(1, 'nginx:1', { revisionHistoryLimit: 1 }));
    bed.settle();
    for (const tag of [2, 3, 4]) {
      setImage(bed, `nginx:${tag}`);
      bed.settle();
    }
    expect(
      bed.client
        .list(ReplicaSets)
        .map((rs) => rs.spec.template!.spec!.containers[0]!.image)
        .sort(),
    ).toEqual(['nginx:3', 'nginx:4']);
  });
});
