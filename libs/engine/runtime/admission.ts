import type { Client, User } from '../machinery/client.js';
import type { CallOutside, Dial, WaitForComponent } from '../machinery/requests/http.js';
import type { Kind } from '../machinery/kind.js';
import type { KubeObject } from '../machinery/meta/object.js';
import type { Random } from '../machinery/random.js';
import type { Millis } from '../machinery/time/time.js';

export interface ObjectType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** A subresource's projection of an object: a Scale of a Deployment. */
export interface ObjectView {
  readonly type: ObjectType;
  show(object: KubeObject): object;
}

export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly kind: Kind;
  /** The kind in the version of the request's URL; `object` and `old` are in the storage version, `kind`. */
  readonly requestKind: Kind;
  /** Every served version of the resource. */
  readonly versions: readonly Kind[];
  /** The type of `object` when it is not of the resource's own kind: a Binding, an Eviction, PodExecOptions. */
  readonly bodyType?: ObjectType | undefined;
  /** The projection that the subresource shows of the object: a Scale. */
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
  /** Calls the ports of pods: for webhooks that are a Service. */
  readonly dial: Dial | undefined;
  /** Calls addresses outside the cluster: for webhooks that are a URL. */
  readonly outside: CallOutside | undefined;
  /** Waits for what a component of the cluster is about to do, where the host can. */
  readonly waitForComponent: WaitForComponent | undefined;
  /** The CreateOptions, UpdateOptions or DeleteOptions of the client, without dry run. */
  readonly operationOptions: Readonly<Record<string, unknown>>;
  /** 1 in the reinvocation: mutating plug-ins run again because a webhook or a policy has changed the object. */
  readonly round: 0 | 1;
  /** The state that a plug-in keeps from one round to the next, by the plug-in's name. */
  readonly pluginState: Map<string, unknown>;
  /** Makes all mutating plug-ins run a second time. */
  requireReinvocation(): void;
  /** Adds a Warning header to the response. */
  warn(text: string): void;
  /** Makes the object be validated even when a trusted controller writes it: the plug-in may have made it invalid. */
  revalidate(): void;
}

/** One folder of libs/engine/admission; ordered-plugins.ts says when it runs. Throws ApiError to refuse a request. */
export interface AdmissionPlugin {
  /** Upstream's name: 'NamespaceLifecycle'. */
  readonly name: string;
  /** It runs only where the API server's flags name it. */
  readonly isOff?: true;
  /** Storage keys of the resources that the plug-in handles; undefined means all. Keeps the hot path short. */
  readonly resources?: readonly string[];
  /**
   * The plug-in sees the bodies of subresources and connections as they are sent (a Binding, PodExecOptions), and not
   * the resource's object that such a request then changes.
   */
  readonly handlesBodies?: true;
  mutate?(request: AdmissionRequest): void;
  validate?(request: AdmissionRequest): void;
}
