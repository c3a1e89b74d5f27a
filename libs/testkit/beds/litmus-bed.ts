import {
  ChaosEngines,
  ChaosExperiments,
  ChaosResults,
  type ChaosEngine,
  type ChaosResult,
} from '../../engine/controllers/litmus/objects.js';
import {
  ClusterRoleBindings,
  ClusterRoles,
  CustomResourceDefinitions,
  Pods,
  ServiceAccounts,
} from '../../engine/kinds/index.js';
import { FaultBed } from './fault-bed.js';

interface Options {
  readonly isInstalled?: boolean;
  readonly label?: string;
  readonly probe?: readonly object[];
  /** What the engine's spec has beside what it always has. */
  readonly spec?: object;
  /** Of the service account; absent: all that LitmusChaos' documentation gives it. */
  readonly rules?: readonly object[];
  /** Experiments after the one that is meant, which are not installed. */
  readonly after?: readonly string[];
  /** Of the experiment in the engine, beside its variables. */
  readonly components?: object;
  /** Done before the engine is there. */
  readonly prepare?: (bed: LitmusBed) => void;
}

const ACCOUNT = 'litmus-admin';
const rule = (apiGroups: readonly string[], resources: readonly string[], verbs: readonly string[]): object => ({
  ...{ apiGroups, resources, verbs },
});
const ALL = ['create', 'delete', 'get', 'list', 'patch', 'update', 'deletecollection'];

/** What the documentation gives to an experiment's account. */
export const RULES: readonly object[] = [
  rule([''], ['pods', 'events', 'pods/exec', 'pods/log', 'configmaps', 'services', 'secrets'], ALL),
  rule(['apps'], ['deployments', 'statefulsets', 'replicasets', 'daemonsets'], ['list', 'get', 'patch', 'update']),
  rule(['batch'], ['jobs'], ALL),
  rule(['litmuschaos.io'], ['chaosengines', 'chaosexperiments', 'chaosresults'], ALL),
  rule([''], ['nodes'], ['get', 'list', 'patch', 'update']),
];

/**
 * A cluster with LitmusChaos' CRDs, the Deployment `web` with its Service, a service account with rights, and the
 * engine `e` that runs one experiment.
 */
export class LitmusBed extends FaultBed {
  constructor(
    readonly experiment: string,
    env: Readonly<Record<string, string>>,
    options: Options = {},
  ) {
    super('instant', 2, 'litmus');
    const { isInstalled = true, label = 'app=web', probe = [], spec = {}, rules = RULES, after = [] } = options;
    for (const { kind, plural, group } of [ChaosEngines, ChaosExperiments, ChaosResults])
      this.create(CustomResourceDefinitions, `${plural}.${group}`, definition(kind, plural, group));
    this.deployment('web');
    this.service('web');
    this.create(ServiceAccounts, ACCOUNT);
    this.create(ClusterRoles, ACCOUNT, { rules });
    this.create(ClusterRoleBindings, ACCOUNT, {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: ACCOUNT },
      subjects: [{ kind: 'ServiceAccount', name: ACCOUNT, namespace: 'default' }],
    });
    options.prepare?.(this);
    this.at(5);
    if (isInstalled) this.install(experiment);
    const components = { ...options.components, env: Object.entries(env).map(([name, value]) => ({ name, value })) };
    this.post('chaosengines', {
      kind: 'ChaosEngine',
      metadata: { name: 'e' },
      spec: {
        ...{ engineState: 'active', defaultHealthCheck: true, chaosServiceAccount: ACCOUNT },
        appinfo: { appns: 'default', applabel: label, appkind: 'deployment' },
        experiments: [{ name: experiment, spec: { components, probe } }, ...after.map((name) => ({ name }))],
        ...spec,
      },
    });
  }

  /** As a chart of experiments has it. */
  install(name: string): void {
    const image = 'litmuschaos.docker.scarf.sh/litmuschaos/go-runner:3.20.0';
    this.post('chaosexperiments', {
      kind: 'ChaosExperiment',
      metadata: { name },
      spec: {
        definition: {
          ...{ image, imagePullPolicy: 'Always', command: ['/bin/bash'], args: ['-c', `./experiments -name ${name}`] },
          labels: { name, 'app.kubernetes.io/part-of': 'litmus', 'app.kubernetes.io/component': 'experiment-job' },
          env: [{ name: 'LIB_IMAGE', value: name.endsWith('-service-kill') ? 'ubuntu:16.04' : image }],
        },
      },
    });
  }

  /** 'Succeeded' and so on, by the beginning of the pods' names. */
  phases(prefix: string): string[] {
    return this.client
      .list(Pods, 'default')
      .filter(({ metadata }) => metadata.name?.startsWith(prefix))
      .map(({ status }) => status.phase ?? '');
  }

  /** What the pod has logged whose name begins so: the messages. */
  messages(prefix: string): string[] {
    const pod = this.client.list(Pods, 'default').find(({ metadata }) => metadata.name?.startsWith(prefix));
    return this.log(pod?.metadata.name ?? '').map((line) => / msg=("(?:[^"\\]|\\.)*"|\S*)/.exec(line)?.[1] ?? line);
  }

  private post(plural: string, body: object): void {
    const path = `/apis/litmuschaos.io/v1alpha1/namespaces/default/${plural}`;
    const { status } = this.request(path, 'POST', { apiVersion: 'litmuschaos.io/v1alpha1', ...body });
    if (status !== 201) throw new Error(`${plural}: ${status}`);
  }

  found(): ChaosEngine {
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
