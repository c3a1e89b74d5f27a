import type { Client } from '@terrarium/engine';
import type { Pod } from '../../../engine/api/core_v1.js';
import { Namespaces, Nodes, Pods } from '../../../engine/kinds/index.js';
import { deepEqual } from '../../../engine/machinery/meta/equal.js';
import type { Labels } from '../../../engine/machinery/selectors/requirement.js';
import { endpointId, findIdentity, freeIdentity, securityLabels } from '../../../engine/node/cni/cilium/identities.js';
import { identityLabels, NAMESPACE_LABELS, withSource } from '../../../engine/node/cni/cilium/labels.js';
import {
  CiliumEndpoints,
  CiliumIdentities,
  ciliumNodeOf,
  rangeOf,
  type CiliumEndpoint,
} from '../../../engine/node/cni/cilium/objects.js';
import { ciliumSettings } from '../../../engine/node/cni/cilium/settings.js';
import { isWithin } from '../../../engine/node/cni/fabric/fabric.js';
import { sandboxId } from '../../../engine/node/host/views/runtime-view.js';
import { internalIPOf } from '../../../engine/node/kubelet/nodestatus/internal-ip.js';

/**
 * An endpoint for each pod that the agent has plugged in, with the identity that its labels make. Models pkg/endpoint
 * and pkg/identity/cache. Left out: endpoints in other states than ready.
 */
export function keepEndpoints(api: Client, node: string): boolean {
  const range = rangeOf(ciliumNodeOf(api, node));
  const own = api.get(Nodes, { namespace: '', name: node });
  if (!own) return false;
  const hostIP = internalIPOf(own);
  const { clusterName } = ciliumSettings(api);
  const pods = api.byIndex(Pods, 'nodeName', node).filter((pod) => isPlugged(pod, range));
  const wanted = new Set(pods.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
  for (const { metadata, status } of api.list(CiliumEndpoints)) {
    const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
    if (status?.networking?.node === hostIP && !wanted.has(`${key.namespace}/${key.name}`))
      api.delete(CiliumEndpoints, key);
  }
  for (const pod of pods) {
    const namespace = api.get(Namespaces, { namespace: '', name: pod.metadata.namespace ?? '' });
    const labels = identityLabels(pod, namespace, clusterName);
    const identity = ensureIdentity(api, labels);
    if (identity !== undefined) writeEndpoint(api, pod, { identity, labels, hostIP });
  }
  return true;
}

const isPlugged = ({ spec, status, metadata }: Pod, range: string): boolean =>
  spec.hostNetwork !== true &&
  status.podIP !== undefined &&
  status.phase !== 'Succeeded' &&
  status.phase !== 'Failed' &&
  metadata.deletionTimestamp === undefined &&
  range !== '' &&
  isWithin(status.podIP, range);

function ensureIdentity(api: Client, labels: Labels): number | undefined {
  const known = findIdentity(api, labels);
  if (known) return Number(known.metadata.name);
  const number = freeIdentity(api, labels);
  if (number === undefined) return undefined;
  const shown = Object.entries(labels).filter(([key]) => !key.startsWith(NAMESPACE_LABELS));
  api.create(CiliumIdentities, {
    ...{ apiVersion: 'cilium.io/v2', kind: 'CiliumIdentity' },
    metadata: { name: String(number), labels: Object.fromEntries(shown) },
    'security-labels': securityLabels(labels),
  });
  return number;
}

interface Known {
  readonly identity: number;
  readonly labels: Labels;
  readonly hostIP: string;
}

function writeEndpoint(api: Client, pod: Pod, { identity, labels, hostIP }: Known): void {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const container = sandboxId(pod);
  const ports = pod.spec.containers.flatMap(({ ports: own = [] }) =>
    own.flatMap(({ name: port, containerPort, protocol = 'TCP' }) =>
      port === undefined ? [] : [{ name: port, port: containerPort, protocol }],
    ),
  );
  const status = {
    encryption: {},
    'external-identifiers': {
      ...{ 'cni-attachment-id': `${container}:eth0`, 'container-id': container },
      ...{ 'k8s-namespace': namespace, 'k8s-pod-name': name, 'pod-name': `${namespace}/${name}` },
    },
    id: endpointId(uid),
    identity: { id: identity, labels: withSource(labels) },
    ...(ports.length === 0 ? {} : { 'named-ports': ports }),
    networking: { addressing: [{ ipv4: pod.status.podIP ?? '' }], node: hostIP },
    state: 'ready',
  };
  const known = api.get(CiliumEndpoints, { namespace, name });
  if (known && deepEqual(known.status, status)) return;
  const made: CiliumEndpoint = known ?? {
    ...{ apiVersion: 'cilium.io/v2', kind: 'CiliumEndpoint' },
    metadata: {
      ...{ namespace, name, labels: pod.metadata.labels ?? {} },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid }],
    },
  };
  const stored = known ?? api.create(CiliumEndpoints, made);
  api.updateStatus(CiliumEndpoints, { ...stored, status });
}
