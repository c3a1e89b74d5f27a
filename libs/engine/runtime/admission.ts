import type { Client, User } from '../machinery/client.js';
import type { AskOutside, Dial } from '../machinery/http.js';
import type { Kind } from '../machinery/kind.js';
import type { KubeObject } from '../machinery/meta/object.js';
import type { Random } from '../machinery/random.js';
import type { Millis } from '../machinery/time/time.js';

export interface ObjectType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface ObjectView {
  readonly type: ObjectType;
  show(object: KubeObject): object;
}

export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: Kind;
  /** The version that the request speaks; the object is in the version that is stored. */
  readonly requestKind: Kind;
  /** Every version that is served of what the request is about. */
  readonly versions: readonly Kind[];
  /** What the object is, when it is not of the resource's own kind: a Binding, an Eviction, PodExecOptions. */
  readonly bodyType?: ObjectType | undefined;
  /** How the object looks through the subresource that it is written by: a Scale. */
  readonly view?: ObjectView | undefined;
  /** '' for the object itself. */
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /**
   * A private draft for CREATE and UPDATE: mutating plug-ins change it in place, copying the shared subtrees they
   * touch.
   */
  readonly object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
  readonly user: User;
  readonly client: Client;
  readonly now: Millis;
  readonly random: Random;
  readonly dryRun: boolean;
  /** A request that came over HTTP, not one of the cluster's own components. */
  readonly fromOutside: boolean;
  /** The way to the pods' ports: for webhooks. */
  readonly dial: Dial | undefined;
  /** The way to addresses outside the cluster: for webhooks, too. */
  readonly outside: AskOutside | undefined;
  /** The client's own options beside dry run: fieldManager, propagationPolicy, … */
  readonly operationOptions: Readonly<Record<string, unknown>>;
  /** 1 when mutating plug-ins run again, because a webhook or a policy has changed the object. */
  readonly round: 0 | 1;
  /** What a plug-in keeps from one round to the next, by its name. */
  readonly pluginState: Map<string, unknown>;
  /** Asks for the second round. */
  requireReinvocation(): void;
  warn(text: string): void;
  /** A plug-in that changed what may now be invalid asks for validation, also of a controller's write. */
  revalidate(): void;
}

/** One folder of libs/engine/admission; ordered-plugins.ts says when it runs. Throws ApiError to refuse a request. */
export interface AdmissionPlugin {
  /** Upstream's name: 'NamespaceLifecycle'. */
  readonly name: string;
  /** Storage keys of the resources that the plug-in handles; undefined means all. Keeps the hot path short. */
  readonly resources?: readonly string[];
  /** Sees what is sent to subresources and connections as it is, and not what then becomes of the resource's object. */
  readonly handlesBodies?: true;
  mutate?(request: AdmissionRequest): void;
  validate?(request: AdmissionRequest): void;
}
