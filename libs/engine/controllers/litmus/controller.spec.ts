import { expect, test } from '@jest/globals';
import { FaultBed } from '../../../testkit/beds/fault-bed.js';
import { CustomResourceDefinitions } from '../../kinds/index.js';
import type { KubeObject } from '../../machinery/meta/object.js';
import { ChaosEngines, ChaosExperiments, ChaosResults, type ChaosEngine } from './objects.js';

class LitmusBed extends FaultBed {
  constructor(experiment: string, env: Record<string, string>) {
    super();
    for (const { kind, plural, group } of [ChaosEngines, ChaosExperiments, ChaosResults])
      this.create(CustomResourceDefinitions, `${plural}.${group}`, {
        spec: {
          group,
          scope: 'Namespaced',
          names: { kind, plural, singular: plural.slice(0, -1), listKind: `${kind}List` },
          versions: [
            {
              name: 'v1alpha1',
              served: true,
              storage: true,
              subresources: { status: {} },
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      });
    this.pod('web', { image: 'nginx:1.27' }, { nodeName: 'worker-1' });
    this.at(5);
    this.post('chaosexperiments', { kind: 'ChaosExperiment', metadata: { name: 'container-kill' } });
    this.post('chaosexperiments', { kind: 'ChaosExperiment', metadata: { name: 'node-drain' } });
    const components = { env: Object.entries(env).map(([name, value]) => ({ name, value })) };
    this.post('chaosengines', {
      kind: 'ChaosEngine',
      metadata: { name: 'e' },
      spec: {
        engineState: 'active',
        appinfo: { appns: 'default', applabel: 'app=web', appkind: 'deployment' },
        experiments: [{ name: experiment, spec: { components } }],
      },
    });
  }

  private post(plural: string, body: object): void {
    const path = `/apis/litmuschaos.io/v1alpha1/namespaces/default/${plural}`;
    expect(this.request(path, 'POST', { apiVersion: 'litmuschaos.io/v1alpha1', ...body }).status).toBe(201);
  }

  engine(): ChaosEngine['status'] {
    return this.client.get(ChaosEngines, { namespace: 'default', name: 'e' })?.status;
  }

  result(experiment: string): KubeObject | undefined {
    return this.client.get(ChaosResults, { namespace: 'default', name: `e-${experiment}` });
  }
}

test('container-kill', () => {
  const bed = new LitmusBed('container-kill', { TOTAL_CHAOS_DURATION: '20' });
  expect(bed.at(10).state('web')).toBe('Running 1');
  expect(bed.engine()).toMatchObject({ engineStatus: 'initialized', experiments: [{ verdict: 'Awaited' }] });
  bed.at(30);
  expect(bed.engine()).toMatchObject({
    engineStatus: 'completed',
    experiments: [{ status: 'Completed', verdict: 'Pass' }],
  });
  expect(bed.result('container-kill')).toMatchObject({
    status: { experimentStatus: { phase: 'Completed', verdict: 'Pass' } },
  });
});

test('node-drain', () => {
  const bed = new LitmusBed('node-drain', { TARGET_NODE: 'worker-1', TOTAL_CHAOS_DURATION: '30' });
  expect(bed.at(20).taints('worker-1')).toContain('node.kubernetes.io/unschedulable');
  expect(bed.at(60).taints('worker-1')).toEqual([]);
});

test('an experiment that is not installed', () => {
  const bed = new LitmusBed('pod-delete', {});
  expect(bed.at(10).engine()).toMatchObject({
    engineStatus: 'completed',
    experiments: [{ status: 'ChaosExperiment Not Found' }],
  });
});
