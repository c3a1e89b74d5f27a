import {
  Cluster,
  defaultWorkers,
  kinds,
  makeTemplate,
  type Client,
  type Kind,
  type KubeObject,
} from '@terrarium/engine';
import { catalog } from '../../index.js';

const template = makeTemplate({ workers: defaultWorkers(1), speed: 'instant' }, catalog);
const NAMES = ['Issuer', 'ClusterIssuer', 'Certificate', 'CertificateRequest', 'Order', 'Challenge'];
const SECOND = 1_000;

/** A cluster with cert-manager's controller, and definitions that take anything. */
export class CertManagerBed {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly start: number;
  private readonly errors: string[] = [];

  constructor(tag = 'v1.9.1') {
    const { errors } = this;
    this.cluster = new Cluster({
      ...{ seed: 'cert-manager', images: catalog, strict: true },
      onError: (controller, key, error) => errors.push(`${controller} ${key.name} ${String((error as Error).stack)}`),
    });
    this.cluster.load(template);
    this.start = this.cluster.state.now;
    this.client = this.cluster.client({ name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] });
    for (const kind of NAMES) this.make('apiextensions.k8s.io/v1', 'CustomResourceDefinition', ...definition(kind));
    this.make(
      'rbac.authorization.k8s.io/v1',
      'ClusterRoleBinding',
      { name: 'all' },
      {
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:serviceaccounts' }],
      },
    );
    const image = `quay.io/jetstack/cert-manager-controller:${tag}`;
    this.make(
      'v1',
      'Pod',
      { name: 'controller', namespace: 'default' },
      { spec: { containers: [{ name: 'c', image }] } },
    );
    this.at(10);
  }

  kind(apiVersion: string, kind: string): Kind {
    return this.client.kindFor(apiVersion, kind) ?? kinds.find((one) => one.kind === kind)!;
  }

  make(apiVersion: string, kind: string, metadata: object, rest: object = {}): KubeObject {
    return this.client.create(this.kind(apiVersion, kind), { apiVersion, kind, metadata, ...rest } as never);
  }

  /** An object of cert-manager in the namespace default. */
  add(kind: string, name: string, spec: object): void {
    this.make(
      'cert-manager.io/v1',
      kind,
      { name, ...(kind === 'ClusterIssuer' ? {} : { namespace: 'default' }) },
      { spec },
    );
  }

  at(seconds: number): this {
    const until = this.start + seconds * SECOND;
    this.cluster.advance(until);
    this.cluster.state.now = Math.max(this.cluster.state.now, until);
    if (this.errors.length > 0) throw new Error(this.errors.join('\n'));
    return this;
  }

  all<T>(apiVersion: string, kind: string): T[] {
    return [...this.client.list(this.kind(apiVersion, kind))] as unknown as T[];
  }

  /** Text of a Secret's keys. */
  secret(name: string): Record<string, string> | undefined {
    const found = this.client.get(this.kind('v1', 'Secret'), { namespace: 'default', name }) as unknown as
      | { data?: Record<string, string> }
      | undefined;
    return found && Object.fromEntries(Object.entries(found.data ?? {}).map(([key, value]) => [key, atob(value)]));
  }

  /** 'Ready=True Ready' of each condition. */
  conditions(apiVersion: string, kind: string, name: string): string[] {
    interface Told {
      readonly metadata: { readonly name: string };
      readonly status?: { readonly conditions?: readonly { type: string; status: string; reason: string }[] };
    }
    const found = this.all<Told>(apiVersion, kind).find(({ metadata }) => metadata.name === name);
    return (found?.status?.conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`);
  }

  /** 'REASON MESSAGE' of what was said of an object. */
  said(kind: string, name: string): string[] {
    interface Said {
      readonly involvedObject: { readonly kind: string; readonly name: string };
      readonly reason: string;
      readonly message: string;
    }
    return this.all<Said>('v1', 'Event')
      .filter(({ involvedObject: one }) => one.kind === kind && one.name === name)
      .map(({ reason, message }) => `${reason} ${message}`);
  }
}

function definition(kind: string): [object, object] {
  const group = kind === 'Order' || kind === 'Challenge' ? 'acme.cert-manager.io' : 'cert-manager.io';
  const plural = `${kind.toLowerCase()}s`;
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const version = {
    name: 'v1',
    served: true,
    storage: true,
    subresources: { status: {} },
    schema: { openAPIV3Schema },
  };
  const scope = kind === 'ClusterIssuer' ? 'Cluster' : 'Namespaced';
  return [{ name: `${plural}.${group}` }, { spec: { group, scope, names: { plural, kind }, versions: [version] } }];
}
