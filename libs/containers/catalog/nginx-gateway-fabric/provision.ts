import type { Client, Start } from '@terrarium/engine';
import { ConfigMaps, Deployments, Secrets, ServiceAccounts, Services } from '../../../engine/kinds/index.js';
import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import type { Resource } from '../../../engine/machinery/resource.js';
import { flag } from '../../programs/task.js';
import type { Gateway } from '../../servers/gateway/resources.js';
import { agentConf } from './agent-conf.js';
import { MAX_NAME, resourceName } from './names.js';
import type { NginxProxySpec } from './nginx-proxy.js';
import { podTemplate } from './pod-template.js';

export const GATEWAY_LABEL = 'gateway.networking.k8s.io/gateway-name';

/** What an NGINX for one Gateway needs, owned by it. Models internal/controller/provisioner/objects.go. */
export function provision(api: Client, start: Start, gateway: Gateway, settings: NginxProxySpec): void {
  const { name: gatewayName = '', namespace = '', uid = '' } = gateway.metadata;
  const name = resourceName(gatewayName, gateway.spec.gatewayClassName);
  const isLong = gatewayName.length > MAX_NAME;
  const selector = {
    'app.kubernetes.io/instance': start.env['INSTANCE_NAME'] ?? 'nginx-gateway',
    'app.kubernetes.io/managed-by': resourceName(
      start.env['INSTANCE_NAME'] ?? 'nginx-gateway',
      gateway.spec.gatewayClassName,
    ),
    'app.kubernetes.io/name': name,
    ...(isLong ? {} : { [GATEWAY_LABEL]: gatewayName }),
  };
  const { labels = {}, annotations: asked = {} } = gateway.spec.infrastructure ?? {};
  const annotations = { ...asked, ...(isLong ? { [GATEWAY_LABEL]: gatewayName } : {}) };
  const ownerReferences = [
    {
      ...{ apiVersion: gateway.apiVersion, kind: gateway.kind, name: gatewayName, uid },
      ...{ controller: true, blockOwnerDeletion: true },
    },
  ];
  const metadata = (own: string) => ({
    ...{ name: own, namespace, ownerReferences, labels: { ...labels, ...selector } },
    ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
  });
  const ports = [...new Set(gateway.spec.listeners.map(({ port }) => port))].sort((a, b) => a - b);
  const kept = <T extends KubeObject>(resource: Resource<T>, object: object): void => keep(api, resource, object as T);
  kept(Secrets, {
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: metadata(resourceName(name, 'agent-tls')) },
    ...{ type: 'kubernetes.io/tls', data: agentCertificates(api, start) },
  });
  kept(ConfigMaps, {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(resourceName(name, 'includes-bootstrap')) },
    data: {
      'events.conf': '\nworker_connections 1024;',
      'main.conf': '\nerror_log stderr info;\nworker_processes auto;',
    },
  });
  kept(ConfigMaps, {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(resourceName(name, 'agent-config')) },
    data: { 'nginx-agent.conf': agentConf(start, namespace, name) },
  });
  kept(ServiceAccounts, {
    ...{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadata(name), automountServiceAccountToken: false },
  });
  kept(Services, {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: metadata(name) },
    spec: serviceSpec(gateway, ports, selector, settings),
  });
  kept(Deployments, {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: metadata(name) },
    spec: {
      replicas: settings.kubernetes?.deployment?.replicas ?? 1,
      selector: { matchLabels: selector },
      template: podTemplate(start, name, metadata(name), ports, settings),
    },
  });
}

function agentCertificates(api: Client, start: Start): Record<string, string> {
  const key = { namespace: start.pod.namespace, name: flag(start, 'agent-tls-secret', 'agent-tls') };
  return (api.get(Secrets, key)?.data as Record<string, string> | undefined) ?? { 'tls.crt': '', 'tls.key': '' };
}

function serviceSpec(
  { spec }: Gateway,
  ports: readonly number[],
  selector: Readonly<Record<string, string>>,
  settings: NginxProxySpec,
): object {
  const {
    type = 'LoadBalancer',
    externalTrafficPolicy = 'Local',
    nodePorts = [],
    ...more
  } = settings.kubernetes?.service ?? {};
  const fixed = (spec.addresses ?? []).flatMap(({ type: of = 'IPAddress', value }) =>
    of === 'IPAddress' && value ? [value] : [],
  );
  return {
    ...{ type, selector, ...(type === 'ClusterIP' ? {} : { externalTrafficPolicy }) },
    ...(fixed.length > 0 ? { externalIPs: fixed } : {}),
    ...(more.loadBalancerIP === undefined ? {} : { loadBalancerIP: more.loadBalancerIP }),
    ...(more.loadBalancerClass === undefined ? {} : { loadBalancerClass: more.loadBalancerClass }),
    ports: ports.map((port) => {
      const nodePort = nodePorts.find((one) => one.listenerPort === port)?.port;
      return {
        ...{ name: `port-${port}`, port, targetPort: port, protocol: 'TCP' },
        ...(nodePort === undefined ? {} : { nodePort }),
      };
    }),
  };
}

/** Creates what is missing, and brings back what it says: what the API server adds stays. */
function keep<T extends KubeObject>(api: Client, resource: Resource<T>, wanted: T): void {
  const { name = '', namespace = '' } = wanted.metadata;
  const found = api.get(resource, { namespace, name });
  if (!found) return void api.create(resource, wanted);
  const { metadata: _metadata, ...rest } = wanted;
  const merged = { ...(merge(found, rest) as T), metadata: merge(found.metadata, wanted.metadata) };
  if (JSON.stringify(merged) !== JSON.stringify(found)) api.update(resource, merged as T);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Objects field by field; lists of the same length item by item, others whole. */
function merge(old: unknown, wanted: unknown): unknown {
  if (isRecord(old) && isRecord(wanted)) {
    const all: Record<string, unknown> = { ...old };
    for (const [key, value] of Object.entries(wanted)) all[key] = merge(old[key], value);
    return all;
  }
  if (Array.isArray(old) && Array.isArray(wanted) && old.length === wanted.length)
    return wanted.map((value, index) => merge(old[index], value));
  return wanted;
}
