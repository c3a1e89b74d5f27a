import type { Start } from '@terrarium/engine';
import { flag } from '../../programs/task.js';
import { resourceName } from './names.js';
import type { NginxProxySpec } from './nginx-proxy.js';

const NGINX = 'ghcr.io/nginx/nginx-gateway-fabric/nginx';
const METRICS_PORT = 9_113;
const HEALTH_PORT = 8_081;

const SECURITY = {
  ...{ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] }, readOnlyRootFilesystem: true },
  ...{ runAsGroup: 1001, runAsUser: 101, seccompProfile: { type: 'RuntimeDefault' } },
};
/** Folders that are empty at first, by their volumes. */
const EMPTY: Readonly<Record<string, string>> = {
  'nginx-agent': '/etc/nginx-agent',
  'nginx-agent-log': '/var/log/nginx-agent',
  'nginx-agent-lib': '/var/lib/nginx-agent',
  'nginx-conf': '/etc/nginx/conf.d',
  'nginx-stream-conf': '/etc/nginx/stream-conf.d',
  'nginx-main-includes': '/etc/nginx/main-includes',
  'nginx-events-includes': '/etc/nginx/events-includes',
  'nginx-secrets': '/etc/nginx/secrets',
  'nginx-run': '/var/run/nginx',
  'nginx-cache': '/var/cache/nginx',
  'nginx-includes': '/etc/nginx/includes',
};

/** The pods of an NGINX. Models buildNginxPodTemplateSpec. */
export function podTemplate(
  start: Start,
  name: string,
  { labels, annotations = {} }: { labels: object; annotations?: object },
  ports: readonly number[],
  settings: NginxProxySpec,
): object {
  const { image = {}, resources } = settings.kubernetes?.deployment?.container ?? {};
  const tag = start.container.image?.split('@', 1)[0]?.split(':').at(-1) ?? 'latest';
  const pullPolicy = image.pullPolicy ?? 'IfNotPresent';
  const service = flag(start, 'service', 'nginx-gateway');
  return {
    metadata: {
      labels,
      annotations: { ...annotations, 'prometheus.io/port': String(METRICS_PORT), 'prometheus.io/scrape': 'true' },
    },
    spec: {
      automountServiceAccountToken: true,
      serviceAccountName: name,
      securityContext: {
        ...{ fsGroup: 1001, runAsNonRoot: true },
        sysctls: [{ name: 'net.ipv4.ip_unprivileged_port_start', value: '0' }],
      },
      initContainers: [initContainer(start, pullPolicy)],
      containers: [
        {
          ...{ name: 'nginx', image: `${image.repository ?? NGINX}:${image.tag ?? tag}`, imagePullPolicy: pullPolicy },
          ...(resources ? { resources } : {}),
          ports: [
            ...ports.map((port) => ({ name: `port-${port}`, containerPort: port, protocol: 'TCP' })),
            { name: 'metrics', containerPort: METRICS_PORT, protocol: 'TCP' },
          ].sort((a, b) => a.containerPort - b.containerPort),
          readinessProbe: { httpGet: { path: '/readyz', port: HEALTH_PORT }, initialDelaySeconds: 3 },
          securityContext: SECURITY,
          volumeMounts: [
            ...Object.entries(EMPTY).map(([volume, mountPath]) => ({ mountPath, name: volume })),
            { mountPath: '/var/run/secrets/ngf', name: 'nginx-agent-tls' },
            { mountPath: '/var/run/secrets/ngf/serviceaccount', name: 'token' },
          ],
        },
      ],
      volumes: [
        {
          name: 'token',
          projected: {
            sources: [{ serviceAccountToken: { path: 'token', audience: `${service}.${start.pod.namespace}.svc` } }],
          },
        },
        { name: 'nginx-agent-config', configMap: { name: resourceName(name, 'agent-config') } },
        { name: 'nginx-agent-tls', secret: { secretName: resourceName(name, 'agent-tls') } },
        { name: 'nginx-includes-bootstrap', configMap: { name: resourceName(name, 'includes-bootstrap') } },
        ...Object.keys(EMPTY).map((volume) => ({ name: volume, emptyDir: {} })),
      ],
    },
  };
}

function initContainer({ container }: Start, imagePullPolicy: string): object {
  const copies = [
    ['/agent/nginx-agent.conf', '/etc/nginx-agent'],
    ['/includes/main.conf', '/etc/nginx/main-includes'],
    ['/includes/events.conf', '/etc/nginx/events-includes'],
  ] as const;
  return {
    ...{ name: 'init', image: container.image, imagePullPolicy, securityContext: SECURITY },
    command: [
      ...['/usr/bin/gateway', 'initialize'],
      ...copies.flatMap(([from, to]) => ['--source', from, '--destination', to]),
    ],
    env: [
      { name: 'POD_UID', valueFrom: { fieldRef: { fieldPath: 'metadata.uid' } } },
      { name: 'CLUSTER_UID', value: 'unknown' },
    ],
    volumeMounts: [
      { mountPath: '/agent', name: 'nginx-agent-config' },
      { mountPath: '/etc/nginx-agent', name: 'nginx-agent' },
      { mountPath: '/includes', name: 'nginx-includes-bootstrap' },
      { mountPath: '/etc/nginx/main-includes', name: 'nginx-main-includes' },
      { mountPath: '/etc/nginx/events-includes', name: 'nginx-events-includes' },
    ],
  };
}
