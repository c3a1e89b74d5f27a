import { parse } from 'yaml';
import type { Reader, Start } from '@terrarium/engine';
import { ConfigMaps, Pods } from '../../../engine/kinds/index.js';
import type { Pod } from '../../../engine/api/core_v1.js';

/** What of MeshConfig acts here. Models istio.io/api/mesh/v1alpha1. */
export interface Mesh {
  readonly rootNamespace: string;
  readonly trustDomain: string;
  readonly domain: string;
  readonly accessLogFile: string;
  readonly isJson: boolean;
  /** Undefined: the default format. */
  readonly accessLogFormat: string | undefined;
  /** Whether hosts that are no part of the mesh may be reached. */
  readonly allowsAny: boolean;
  readonly autoMtls: boolean;
}

interface Written {
  readonly rootNamespace?: string;
  readonly trustDomain?: string;
  readonly accessLogFile?: string;
  readonly accessLogFormat?: string;
  readonly accessLogEncoding?: string;
  readonly enableAutoMtls?: boolean;
  readonly outboundTrafficPolicy?: { readonly mode?: string };
}

/** Of the ConfigMap `istio` of the control plane's namespace and revision. */
export function meshOf(read: Reader, namespace: string, revision = 'default'): Mesh {
  const name = revision === 'default' ? 'istio' : `istio-${revision}`;
  const written = parseMesh(read.get(ConfigMaps, { namespace, name })?.data?.['mesh'] ?? '');
  return {
    rootNamespace: written.rootNamespace ?? namespace,
    trustDomain: written.trustDomain ?? 'cluster.local',
    domain: 'cluster.local',
    accessLogFile: written.accessLogFile ?? '',
    isJson: written.accessLogEncoding === 'JSON',
    accessLogFormat: written.accessLogFormat || undefined,
    allowsAny: written.outboundTrafficPolicy?.mode !== 'REGISTRY_ONLY',
    autoMtls: written.enableAutoMtls !== false,
  };
}

function parseMesh(text: string): Written {
  try {
    return (parse(text) as Written | null) ?? {};
  } catch {
    // istiod goes on with what it had; here with its defaults.
    return {};
  }
}

/** Where a proxy's control plane is: 'istiod.istio-system.svc:15012', 'istiod-canary.istio-system.svc:15012'. */
export function controlPlaneOf({ env }: Pick<Start, 'env'>): { readonly namespace: string; readonly revision: string } {
  const [service = '', namespace = 'istio-system'] = (env['CA_ADDR'] ?? '').split('.');
  return { namespace, revision: service.startsWith('istiod-') ? service.slice('istiod-'.length) : 'default' };
}

/** A proxy and the mesh that it is in. */
export interface Workload {
  readonly mesh: Mesh;
  readonly pod: Pod;
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
  /** 'spiffe://cluster.local/ns/default/sa/sleep'. */
  readonly identity: string;
}

/** Undefined while the pod is on its way out. */
export function workloadOf(read: Reader, start: Start): Workload | undefined {
  const { namespace, name } = start.pod;
  const pod = read.get(Pods, { namespace, name });
  const plane = controlPlaneOf(start);
  const mesh = meshOf(read, plane.namespace, plane.revision);
  return pod && { mesh, pod, namespace, labels: pod.metadata.labels ?? {}, identity: identityOf(mesh, pod) };
}

export const identityOf = ({ trustDomain }: Mesh, { metadata, spec }: Pod): string =>
  `spiffe://${trustDomain}/ns/${metadata.namespace}/sa/${spec.serviceAccountName ?? 'default'}`;
