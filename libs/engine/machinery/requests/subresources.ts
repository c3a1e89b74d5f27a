import type { KubeObject } from '../meta/object.js';
import type { Reader, Writer } from '../reader.js';
import type { Verb } from './verbs.js';
import type { WriteContext } from '../write-context.js';

/** The subresources of a kind. */
export interface Subresources<T extends KubeObject = KubeObject> {
  readonly status?: boolean;
  readonly scale?: ScalePaths;
  readonly actions?: Readonly<Record<string, Action<T>>>;
  readonly connects?: Readonly<Record<string, Connection>>;
}

/** JSON paths of the scale subresource in the object, as in a CRD: '.spec.replicas'. */
export interface ScalePaths {
  readonly spec: string;
  readonly status: string;
  /** Path of a LabelSelector, of a map (ReplicationController) or, in CRDs, of a string. */
  readonly selector?: string;
}

type ActionVerb = 'get' | 'create' | 'update' | 'patch' | 'delete';

/** A subresource that is a function of its request: pods/binding, pods/eviction, serviceaccounts/token. */
export interface Action<T extends KubeObject = KubeObject> {
  readonly verbs: readonly ActionVerb[];
  /** The kind that discovery shows; by default the parent's. */
  readonly kind?: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    /** Other versions that bodies may have. */
    readonly acceptedVersions?: readonly string[];
  };
  /** Schema definition of the body, 'io.k8s.api.policy.v1.Eviction'; by default the parent's. */
  readonly body?: string;
  /** Does the work and returns the body of the answer. Throws ApiError. */
  handle(request: ActionRequest<T>): unknown;
}

export interface ActionRequest<T extends KubeObject = KubeObject> {
  readonly verb: ActionVerb;
  /** The parent object. */
  readonly object: T;
  /** The decoded body: undefined for get; for patch, what get returns with the patch applied to it. */
  readonly body: unknown;
  readonly query: URLSearchParamsLike;
  /** Reads and writes as the user of the request. */
  readonly client: Reader & Writer;
  readonly context: WriteContext;
  /** Stores the parent with its status. The kind's update rules do not apply: the action checks what it changes. */
  store(draft: T): T;
}

export interface URLSearchParamsLike {
  get(name: string): string | null;
}

/** A subresource that leads to a process in the cluster: pods/exec, services/proxy. */
export interface Connection {
  /** Name of its options in discovery: 'PodExecOptions'. */
  readonly kind: string;
  readonly verbs: readonly Verb[];
  /** Discovery does not tell of it: Kubernetes has none, and no client looks for it. */
  readonly isOwn?: true;
}

/** A connection that passes on HTTP requests of any method. */
export const proxyConnection = (kind: string): Connection => ({
  kind,
  verbs: ['create', 'delete', 'get', 'patch', 'update'],
});

/** A connection that is upgraded to a stream. */
export const streamConnection = (kind: string): Connection => ({ kind, verbs: ['create', 'get'] });
