import type { Client } from '../../../machinery/client.js';
import type { KubeObject } from '../../../machinery/meta/object.js';
import { ApiError } from '../../../machinery/meta/status.js';
import type { GitVersion } from '../../../machinery/releases.js';

export const ADDONS = ['coredns', 'kube-proxy'] as const;
export type AddonName = (typeof ADDONS)[number];

/** `kubeadm init phase addon` has been run. */
export interface AddonRequest {
  readonly verb: 'addon';
  readonly addons: readonly AddonName[];
  /** Of kubeadm: 'v1.36.4'. */
  readonly release: GitVersion;
}

/** What kubeadm puts into a cluster for each of its add-ons. */
export type AddonObjects = (settings: {
  readonly version: GitVersion;
  readonly dualStack: boolean;
}) => Readonly<Record<AddonName, readonly KubeObject[]>>;

/** What an add-on's objects have beside names. */
interface Body {
  readonly data?: unknown;
  readonly rules?: unknown;
  readonly subjects?: unknown;
  readonly spec?: { readonly replicas?: number };
}

/** Stay as they are when they are there: of a Service its address, of a Corefile what somebody has made of it. */
const RETAINED = new Set(['Service', 'ServiceAccount', 'ConfigMap coredns']);

/**
 * Makes the objects of add-ons, or makes them again what kubeadm has made them; a Deployment keeps its replicas. Models
 * cmd/kubeadm/app/phases/addons/{dns/dns,proxy/proxy}.go.
 */
export function applyAddons(
  client: Client,
  { addons, release }: AddonRequest,
  dualStack: boolean,
  of: AddonObjects,
): void {
  const objects = of({ version: release, dualStack });
  for (const object of addons.flatMap((name) => objects[name])) {
    try {
      applyOne(client, object);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}

function applyOne(client: Client, object: KubeObject): void {
  const kind = client.kindFor(object.apiVersion, object.kind);
  if (!kind) return;
  const { name = '', namespace = '' } = object.metadata;
  const stored = client.get(kind, { namespace, name });
  if (!stored) return void client.create(kind, object);
  if (RETAINED.has(object.kind) || RETAINED.has(`${object.kind} ${name}`)) return;
  client.update(kind, { ...stored, ...bodyOf(object as Body, stored as Body) } as KubeObject);
}

function bodyOf({ data, rules, subjects, spec }: Body, stored: Body): Body {
  const { replicas } = stored.spec ?? {};
  return {
    ...(data ? { data } : {}),
    ...(rules ? { rules } : {}),
    ...(subjects ? { subjects } : {}),
    ...(spec ? { spec: { ...spec, ...(replicas === undefined ? {} : { replicas }) } } : {}),
  };
}
