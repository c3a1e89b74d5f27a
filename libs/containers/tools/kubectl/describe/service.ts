import type { Service } from '../../../../engine/api/core_v1.js';
import { formatLabels } from '../output/table.js';
import type { ApiObject, Session } from '../session/session.js';
import { describeAnnotations, describeLabels, type Details } from './parts/details.js';
import { describeEvents } from './parts/events.js';

const MAX_ENDPOINTS = 3;

interface Slice {
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly conditions?: { readonly ready?: boolean };
  }[];
}

/** Models k8s.io/kubectl/pkg/describe describeService. */
export function describeService(session: Session, details: Details, object: ApiObject): void {
  const { metadata, spec, status } = object as unknown as Service;
  const slices = session.get(
    `/apis/discovery.k8s.io/v1/namespaces/${metadata.namespace ?? ''}/endpointslices?labelSelector=${encodeURIComponent(`kubernetes.io/service-name=${metadata.name ?? ''}`)}`,
  )['items'] as readonly Slice[];
  details.field(0, 'Name', metadata.name ?? '');
  details.field(0, 'Namespace', metadata.namespace ?? '');
  describeLabels(details, 'Labels', metadata.labels);
  describeAnnotations(details, 'Annotations', metadata.annotations);
  details.field(0, 'Selector', formatLabels(spec.selector));
  details.field(0, 'Type', spec.type ?? '');
  if (spec.ipFamilyPolicy) details.field(0, 'IP Family Policy', spec.ipFamilyPolicy);
  details.field(0, 'IP Families', spec.ipFamilies?.join(',') || '<none>');
  details.field(0, 'IP', spec.clusterIP ?? '');
  details.field(0, 'IPs', spec.clusterIPs?.join(',') || '<none>');
  if (spec.externalIPs?.length) details.field(0, 'External IPs', spec.externalIPs.join(','));
  if (spec.loadBalancerIP) details.field(0, 'Desired LoadBalancer IP', spec.loadBalancerIP);
  if (spec.externalName) details.field(0, 'External Name', spec.externalName);
  const ingress = status?.loadBalancer?.ingress ?? [];
  if (ingress.length > 0)
    details.field(
      0,
      'LoadBalancer Ingress',
      ingress
        .map(({ ip, hostname, ipMode }) => (ip ? `${ip}${ipMode ? ` (${ipMode})` : ''}` : (hostname ?? '')))
        .join(', '),
    );
  describePorts(details, spec.ports ?? [], slices);
  details.field(0, 'Session Affinity', spec.sessionAffinity ?? '');
  if (spec.externalTrafficPolicy) details.field(0, 'External Traffic Policy', spec.externalTrafficPolicy);
  if (spec.internalTrafficPolicy) details.field(0, 'Internal Traffic Policy', spec.internalTrafficPolicy);
  if (spec.healthCheckNodePort) details.field(0, 'HealthCheck NodePort', spec.healthCheckNodePort);
  if (spec.loadBalancerSourceRanges?.length)
    details.field(0, 'LoadBalancer Source Ranges', spec.loadBalancerSourceRanges.join(','));
  if (spec.trafficDistribution) details.field(0, 'Traffic Distribution', spec.trafficDistribution);
  describeEvents(session, details, object);
}

function describePorts(details: Details, ports: NonNullable<Service['spec']['ports']>, slices: readonly Slice[]): void {
  for (const { name = '', port, protocol = 'TCP', targetPort, nodePort, appProtocol } of ports) {
    const shown = name || '<unset>';
    details.field(0, 'Port', `${shown}\t${port}/${protocol}`);
    details.field(0, 'TargetPort', `${targetPort ?? port}/${protocol}`);
    if (appProtocol) details.field(0, 'AppProtocol', appProtocol);
    if (nodePort) details.field(0, 'NodePort', `${shown}\t${nodePort}/${protocol}`);
    details.field(0, 'Endpoints', endpointsText(slices, name));
  }
}

export function endpointsText(slices: readonly Slice[], portName: string): string {
  if (slices.length === 0) return '<none>';
  const all = slices.flatMap(({ ports, endpoints = [] }) => {
    const ready = endpoints.filter(({ conditions }) => conditions?.ready !== false);
    if (!ports || ports.length === 0) return ready.map(({ addresses }) => addresses[0]!);
    return ports
      .filter(({ name = '' }) => name === portName)
      .flatMap(({ port }) => ready.map(({ addresses }) => `${addresses[0]}:${port ?? 0}`));
  });
  const text = all.slice(0, MAX_ENDPOINTS).join(',');
  return all.length > MAX_ENDPOINTS ? `${text} + ${all.length - MAX_ENDPOINTS} more...` : text;
}
