import type { Service, ServicePort } from '../../../api/core_v1.js';
import { ageColumn, column, formatLabels, nameColumn, NONE, UNKNOWN, wide } from '../../../machinery/meta/columns.js';
import type { Column } from '../../../machinery/meta/table.js';

const NARROW = 16;

/** The addresses of the load balancer, cut off as upstream does without `-o wide`. */
function loadBalancerText({ status }: Service): string {
  const addresses = new Set((status.loadBalancer?.ingress ?? []).map((i) => i.ip || i.hostname || '').filter(Boolean));
  const text = [...addresses].sort().join(',');
  return text.length > NARROW ? `${text.slice(0, NARROW - 3)}...` : text;
}

function externalCell(service: Service): string {
  const { type, externalIPs = [], externalName } = service.spec;
  if (type === 'ExternalName') return externalName ?? '';
  if (type === 'ClusterIP' || type === 'NodePort') return externalIPs.join(',') || NONE;
  if (type !== 'LoadBalancer') return UNKNOWN;
  return [loadBalancerText(service), ...externalIPs].filter(Boolean).join(',') || '<pending>';
}

const portText = ({ port, nodePort, protocol = 'TCP' }: ServicePort): string =>
  nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`;

export const columns: readonly Column<Service>[] = [
  nameColumn,
  column('Type', 'How the service is made reachable.', (s) => s.spec.type ?? ''),
  column('Cluster-IP', 'Address within the cluster.', (s) => s.spec.clusterIPs?.[0] || s.spec.clusterIP || NONE),
  column('External-IP', 'Addresses for the outside.', externalCell),
  column('Port(s)', 'Ports, with their node ports.', (s) => s.spec.ports?.map(portText).join(',') || NONE),
  ageColumn,
  wide('Selector', 'Labels that select the pods.', (s) => formatLabels(s.spec.selector)),
];
