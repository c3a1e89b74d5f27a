import { kinds } from '../kinds/index.js';
import type { Client, User } from '../machinery/client.js';
import type { Kind } from '../machinery/kind.js';
import { apiVersionOf, type KubeObject } from '../machinery/meta/object.js';
import { ApiError } from '../machinery/meta/status.js';
import { SeededRandom } from '../machinery/random.js';
import type { AdmissionPlugin, AdmissionRequest } from '../runtime/admission.js';
import { Registry } from '../runtime/registry.js';
import { State } from '../runtime/state/state.js';

export const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
export const CONFIGMAPS = '/api/v1/namespaces/default/configmaps';
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
export const ADMIN: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
/** A user without any permission. */
export const ANN: User = { name: 'ann', groups: ['system:authenticated'] };

/** An object of the kind, named 'a', in the namespace 'default' unless the kind is cluster-scoped. */
export function objectOf<T extends KubeObject>(kind: Kind<T>, fields: object = {}): T {
  const { metadata, ...rest } = fields as { metadata?: object };
  const namespace = kind.scope === 'Namespaced' ? { namespace: 'default' } : {};
  return {
    apiVersion: apiVersionOf(kind.group, kind.version),
    kind: kind.kind,
    metadata: { name: 'a', ...namespace, ...metadata },
    spec: {},
    status: {},
    ...rest,
  } as unknown as T;
}

/** A request that counts what a plug-in asks of it. */
export interface TestRequest extends AdmissionRequest {
  readonly warnings: readonly string[];
  readonly revalidations: number;
  readonly reinvocations: number;
}

export type RequestFields = Partial<Omit<AdmissionRequest, 'kind' | 'client'>>;

/**
 * A request of a client outside the cluster, by the superuser unless `fields` name another. The operation follows from
 * the objects: CREATE without `old`, DELETE without `object`. `stored` are the objects of the cluster.
 */
export function createRequest(kind: Kind, fields: RequestFields = {}, stored: readonly KubeObject[] = []): TestRequest {
  const { object, old } = fields;
  const { name = '', namespace = '' } = (object ?? old)?.metadata ?? {};
  const registry = new Registry(kinds);
  const counts = { warnings: [] as string[], revalidations: 0, reinvocations: 0 };
  const request: AdmissionRequest = {
    operation: !old ? 'CREATE' : object ? 'UPDATE' : 'DELETE',
    kind,
    requestKind: kind,
    versions: registry.versionsOf(kind.group ? `${kind.plural}.${kind.group}` : kind.plural),
    subresource: '',
    name,
    namespace,
    object: undefined,
    old: undefined,
    user: ADMIN,
    client: clientOf(registry, stored),
    now: NOW,
    random: new SeededRandom(1),
    dryRun: false,
    fromOutside: true,
    dial: undefined,
    outside: undefined,
    waitForComponent: undefined,
    operationOptions: {},
    round: 0,
    pluginState: new Map(),
    warn: (text) => void counts.warnings.push(text),
    revalidate: () => void counts.revalidations++,
    requireReinvocation: () => void counts.reinvocations++,
    ...fields,
  };
  return Object.defineProperties(request, {
    warnings: { get: () => counts.warnings },
    revalidations: { get: () => counts.revalidations },
    reinvocations: { get: () => counts.reinvocations },
  }) as TestRequest;
}

/** Plug-ins only read. */
function clientOf(registry: Registry, stored: readonly KubeObject[]): Client {
  const state = new State({ now: NOW });
  for (const object of stored) state.load(state.resourceOf(registry.kindOf(object)!), object);
  return {
    revision: 0,
    get: state.get.bind(state),
    list: state.list.bind(state),
    byIndex: () => [],
    kindFor: registry.kindFor.bind(registry),
  } as Partial<Client> as Client;
}

/** The error of a refused request; undefined when the plug-in admits it. */
export function admit(plugin: AdmissionPlugin, request: AdmissionRequest): ApiError | undefined {
  try {
    plugin.mutate?.(request);
    plugin.validate?.(request);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The message of a refused request; undefined when the plug-in admits it. */
export const refusalOf = (plugin: AdmissionPlugin, request: AdmissionRequest): string | undefined =>
  admit(plugin, request)?.message;

/** Throws unless the API server's answer is a success: for the steps that set a test up. */
export function ok({ status, body }: { readonly status: number; readonly body: { readonly message: string } }): void {
  if (status >= 300) throw new Error(body.message);
}
