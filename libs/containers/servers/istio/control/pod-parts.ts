import type { Container, Pod, Volume } from '../../../../engine/api/core_v1.js';
import type { InjectorConfig } from './injector-config.js';

const STATUS_PORT = 15_020;
const VOLUMES = [
  ...['workload-socket', 'credential-socket', 'workload-certs', 'istio-envoy', 'istio-data', 'istio-podinfo'],
  ...['istio-token', 'istiod-ca-cert', 'istio-ca-crl'],
];

export const volumeNames = (): readonly string[] => VOLUMES;

const field = (name: string, fieldPath: string) => ({ name, valueFrom: { fieldRef: { fieldPath } } });
const limit = (name: string, resource: string) => ({ name, valueFrom: { resourceFieldRef: { resource } } });

/** The volumes of a proxy. */
export const volumesOf = (): Volume[] =>
  [
    ...['workload-socket', 'credential-socket', 'workload-certs'].map((name) => ({ name, emptyDir: {} })),
    { name: 'istio-envoy', emptyDir: { medium: 'Memory' } },
    { name: 'istio-data', emptyDir: {} },
    {
      name: 'istio-podinfo',
      downwardAPI: {
        items: ['labels', 'annotations'].map((path) => ({ path, fieldRef: { fieldPath: `metadata.${path}` } })),
      },
    },
    {
      name: 'istio-token',
      projected: {
        sources: [{ serviceAccountToken: { path: 'istio-token', expirationSeconds: 43_200, audience: 'istio-ca' } }],
      },
    },
    { name: 'istiod-ca-cert', configMap: { name: 'istio-ca-root-cert' } },
    { name: 'istio-ca-crl', configMap: { name: 'istio-ca-crl', optional: true } },
  ] as Volume[];

const MOUNTS = [
  { mountPath: '/var/run/secrets/workload-spiffe-uds', name: 'workload-socket' },
  { mountPath: '/var/run/secrets/credential-uds', name: 'credential-socket' },
  { mountPath: '/var/run/secrets/workload-spiffe-credentials', name: 'workload-certs' },
  { mountPath: '/var/run/secrets/istio', name: 'istiod-ca-cert' },
  { mountPath: '/var/run/secrets/istio/crl', name: 'istio-ca-crl' },
  { mountPath: '/var/lib/istio/data', name: 'istio-data' },
  { mountPath: '/etc/istio/proxy', name: 'istio-envoy' },
  { mountPath: '/var/run/secrets/tokens', name: 'istio-token' },
  { mountPath: '/etc/istio/pod', name: 'istio-podinfo' },
];

/** A pod's annotation, or what the values say. */
const annotated = ({ metadata }: Pod, name: string, otherwise: string): string =>
  metadata.annotations?.[name] ?? otherwise;

/** The init container that writes the rules. */
export function initContainer(pod: Pod, config: InjectorConfig): Container {
  const traffic = (name: string, otherwise: string): string =>
    annotated(pod, `traffic.sidecar.istio.io/${name}`, otherwise);
  const excluded = traffic('excludeInboundPorts', config.excludeInbound);
  const outbound = traffic('excludeOutboundPorts', config.excludeOutbound);
  const included = pod.metadata.annotations?.['traffic.sidecar.istio.io/includeOutboundPorts'];
  return {
    name: 'istio-init',
    image: config.initImage,
    ...(config.pullPolicy ? { imagePullPolicy: config.pullPolicy } : {}),
    args: [
      ...['istio-iptables', '-p', '15001', '-z', '15006', '-u', '1337'],
      ...['-m', annotated(pod, 'sidecar.istio.io/interceptionMode', 'REDIRECT')],
      ...['-i', traffic('includeOutboundIPRanges', config.includeRanges)],
      ...['-x', traffic('excludeOutboundIPRanges', config.excludeRanges)],
      ...['-b', traffic('includeInboundPorts', config.includeInbound)],
      ...['-d', ['15090', '15021', String(STATUS_PORT), ...excluded.split(',').filter(Boolean)].join(',')],
      ...(outbound === '' ? [] : ['-o', outbound]),
      ...(included === undefined ? [] : ['-q', included]),
      '--log_output_level=default:info',
    ],
    resources: config.resources,
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_ADMIN', 'NET_RAW'], drop: ['ALL'] },
      ...{ privileged: false, readOnlyRootFilesystem: false },
      ...{ runAsGroup: 0, runAsNonRoot: false, runAsUser: 0 },
    },
  } as Container;
}

/** The proxy. `isNative`: as an init container that goes on; else beside the application. */
export function proxyContainer(
  pod: Pod,
  config: InjectorConfig,
  named: {
    readonly owner: string;
    readonly workload: string;
    readonly caAddress: string;
    readonly type: 'sidecar' | 'router';
    readonly isNative: boolean;
  },
): Container {
  const ports = pod.spec.containers.flatMap(({ ports: own = [] }) => own);
  const probe = { httpGet: { path: '/healthz/ready', port: 15_021 }, timeoutSeconds: 3 };
  const isSidecar = named.type === 'sidecar';
  return {
    name: 'istio-proxy',
    image: annotated(pod, 'sidecar.istio.io/proxyImage', config.proxyImage),
    ...(config.pullPolicy ? { imagePullPolicy: config.pullPolicy } : {}),
    args: [
      ...['proxy', named.type, '--domain', '$(POD_NAMESPACE).svc.cluster.local'],
      `--proxyLogLevel=${annotated(pod, 'sidecar.istio.io/logLevel', config.logLevel)}`,
      `--proxyComponentLogLevel=${annotated(pod, 'sidecar.istio.io/componentLogLevel', config.componentLogLevel)}`,
      '--log_output_level=default:info',
    ],
    env: [
      { name: 'PILOT_CERT_PROVIDER', value: 'istiod' },
      { name: 'CA_ADDR', value: named.caAddress },
      ...[field('POD_NAME', 'metadata.name'), field('POD_NAMESPACE', 'metadata.namespace')],
      ...[field('INSTANCE_IP', 'status.podIP'), field('SERVICE_ACCOUNT', 'spec.serviceAccountName')],
      ...[field('HOST_IP', 'status.hostIP'), limit('ISTIO_CPU_LIMIT', 'limits.cpu')],
      { name: 'PROXY_CONFIG', value: '{}\n' },
      { name: 'ISTIO_META_POD_PORTS', value: podPorts(ports) },
      { name: 'ISTIO_META_APP_CONTAINERS', value: isSidecar ? pod.spec.containers.map((c) => c.name).join(',') : '' },
      ...[limit('GOMEMLIMIT', 'limits.memory'), limit('GOMAXPROCS', 'limits.cpu')],
      { name: 'ISTIO_META_CLUSTER_ID', value: 'Kubernetes' },
      field('ISTIO_META_NODE_NAME', 'spec.nodeName'),
      { name: 'ISTIO_META_INTERCEPTION_MODE', value: 'REDIRECT' },
      { name: 'ISTIO_META_WORKLOAD_NAME', value: named.workload },
      { name: 'ISTIO_META_OWNER', value: named.owner },
      ...[
        { name: 'ISTIO_META_MESH_ID', value: 'cluster.local' },
        { name: 'TRUST_DOMAIN', value: 'cluster.local' },
      ],
    ],
    ports: [{ containerPort: 15_090, name: 'http-envoy-prom', protocol: 'TCP' }],
    ...(isSidecar ? { startupProbe: { ...probe, failureThreshold: config.startupFailures, periodSeconds: 1 } } : {}),
    readinessProbe: { ...probe, failureThreshold: 4, periodSeconds: 15 },
    ...(named.isNative ? { restartPolicy: 'Always' } : {}),
    ...(isSidecar && named.isNative
      ? {
          lifecycle: {
            preStop: { exec: { command: ['pilot-agent', 'request', '--debug-port=15020', 'POST', 'drain'] } },
          },
        }
      : {}),
    resources: resourcesOf(pod, config),
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      ...{ privileged: false, readOnlyRootFilesystem: true },
      ...{ runAsGroup: 1_337, runAsNonRoot: true, runAsUser: 1_337 },
    },
    volumeMounts: MOUNTS,
  } as unknown as Container;
}

const podPorts = (ports: readonly object[]): string =>
  ['[', ...ports.map((port, index) => `    ${index > 0 ? ',' : ''}${JSON.stringify(port)}`), ']'].join('\n');

/** Annotations for the proxy's own resources replace all of the values'. */
function resourcesOf(pod: Pod, { resources }: InjectorConfig): object {
  const own = (suffix: string): string | undefined => pod.metadata.annotations?.[`sidecar.istio.io/proxy${suffix}`];
  const of = (cpu: string | undefined, memory: string | undefined): object | undefined =>
    cpu === undefined && memory === undefined
      ? undefined
      : { ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) };
  const requests = of(own('CPU'), own('Memory'));
  const limits = of(own('CPULimit'), own('MemoryLimit'));
  return requests || limits ? { ...(requests ? { requests } : {}), ...(limits ? { limits } : {}) } : resources;
}
