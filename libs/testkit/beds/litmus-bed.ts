import {
  ChaosEngines,
  ChaosExperiments,
  ChaosResults,
  type ChaosEngine,
  type ChaosResult,
} from '../../engine/controllers/litmus/objects.js';
import { CustomResourceDefinitions } from '../../engine/kinds/index.js';
import { FaultBed } from './fault-bed.js';

interface Options {
  readonly isInstalled?: boolean;
  readonly label?: string;
  readonly probe?: readonly object[];
}

/** A cluster with LitmusChaos' CRDs, the Deployment `web`, and the engine `e` that runs one experiment. */
export class LitmusBed extends FaultBed {
  constructor(
    experiment: string,
    env: Readonly<Record<string, string>>,
    { isInstalled = true, label = 'app=web', probe = [] }: Options = {},
  ) {
    super();
    for (const { kind, plural, group } of [ChaosEngines, ChaosExperiments, ChaosResults])
      this.create(CustomResourceDefinitions, `${plural}.${group}`, definition(kind, plural, group));
    this.deployment('web');
    this.at(5);
    if (isInstalled) this.post('chaosexperiments', { kind: 'ChaosExperiment', metadata: { name: experiment } });
    const components = { env: Object.entries(env).map(([name, value]) => ({ name, value })) };
    this.post('chaosengines', {
      kind: 'ChaosEngine',
      metadata: { name: 'e' },
      spec: {
        engineState: 'active',
        defaultHealthCheck: true,
        appinfo: { appns: 'default', applabel: label, appkind: 'deployment' },
        experiments: [{ name: experiment, spec: { components, probe } }],
      },
    });
  }

  private post(plural: string, body: object): void {
    const path = `/apis/litmuschaos.io/v1alpha1/namespaces/default/${plural}`;
    const { status } = this.request(path, 'POST', { apiVersion: 'litmuschaos.io/v1alpha1', ...body });
    if (status !== 201) throw new Error(`${plural}: ${status}`);
  }

  private found(): ChaosEngine {
    return this.client.get(ChaosEngines, { namespace: 'default', name: 'e' })!;
  }

  engine(): ChaosEngine['status'] {
    return this.found().status;
  }

  engineState(): string | undefined {
    return this.found().spec?.engineState;
  }

  set(spec: object): void {
    const engine = this.found();
    this.client.update(ChaosEngines, { ...engine, spec: { ...engine.spec, ...spec } });
  }

  result(experiment: string): ChaosResult | undefined {
    return this.client.get(ChaosResults, { namespace: 'default', name: `e-${experiment}` });
  }
}

const definition = (kind: string, plural: string, group: string): object => ({
  spec: {
    group,
    scope: 'Namespaced',
    names: { kind, plural, singular: plural.slice(0, -1), listKind: `${kind}List` },
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});
