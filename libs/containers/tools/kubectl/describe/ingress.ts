import type { Ingress, IngressBackend, IngressClass } from '../../../../engine/api/networking_v1.js';
import type { Service } from '../../../../engine/api/core_v1.js';
import { ApiFailure } from '../session/failure.js';
import type { ApiObject, Session } from '../session/session.js';
import { describeAnnotations, describeLabels, type Details } from './parts/details.js';
import { describeEvents } from './parts/events.js';
import { endpointsText } from './service.js';

/** Models k8s.io/kubectl/pkg/describe describeIngressV1. */
export function describeIngress(session: Session, details: Details, object: ApiObject): void {
  const { metadata, spec, status } = object as unknown as Ingress;
  const { namespace = '' } = metadata;
  const addresses = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
  const byDefault = spec.defaultBackend ? backendText(session, namespace, spec.defaultBackend) : '<default>';
  details.field(0, 'Name', metadata.name ?? '');
  describeLabels(details, 'Labels', metadata.labels);
  details.field(0, 'Namespace', namespace);
  details.field(0, 'Address', [...new Set(addresses.filter((one) => one !== ''))].sort().join(','));
  details.field(0, 'Ingress Class', spec.ingressClassName ?? '<none>');
  details.field(0, 'Default backend', byDefault);
  const tls = spec.tls ?? [];
  if (tls.length > 0) details.line(0, 'TLS:');
  for (const { secretName, hosts = [] } of tls)
    details.line(1, secretName ? `${secretName} terminates ${hosts.join(',')}` : `SNI routes ${hosts.join(',')}`);
  details.write(0, 'Rules:\n  Host\tPath\tBackends\n');
  details.line(1, '----\t----\t--------');
  const rules = (spec.rules ?? []).filter(({ http }) => http);
  for (const { host, http } of rules) {
    details.line(1, `${host || '*'}\t`);
    for (const { path = '', backend } of http?.paths ?? [])
      details.line(2, `\t${path} \t${backendText(session, namespace, backend)}`);
  }
  if (rules.length === 0) details.line(1, `*\t*\t${byDefault}`);
  describeAnnotations(details, 'Annotations', metadata.annotations);
  describeEvents(session, details, object);
}

/** 'web:80 (10.244.1.2:80)', or why there is nobody. */
function backendText(session: Session, namespace: string, { service, resource }: IngressBackend): string {
  if (!service)
    return resource ? `APIGroup: ${resource.apiGroup ?? '<none>'}, Kind: ${resource.kind}, Name: ${resource.name}` : '';
  const { name, port } = service;
  const shown = `${name}:${port?.number || port?.name || ''}`;
  try {
    const slices = session.get(
      `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices?labelSelector=${encodeURIComponent(`kubernetes.io/service-name=${name}`)}`,
    )['items'] as Parameters<typeof endpointsText>[0];
    const found = session.get(`/api/v1/namespaces/${namespace}/services/${name}`) as unknown as Service;
    const ports = found.spec.ports ?? [];
    const meant = ports.findLast((one) => (port?.number ? one.port === port.number : one.name === port?.name));
    return `${shown} (${endpointsText(slices, meant?.name ?? '')})`;
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    return `${shown} (<error: ${error.message}>)`;
  }
}

/** Models k8s.io/kubectl/pkg/describe describeIngressClassV1. */
export function describeIngressClass(session: Session, details: Details, object: ApiObject): void {
  const { metadata, spec } = object as unknown as IngressClass;
  details.field(0, 'Name', metadata.name ?? '');
  describeLabels(details, 'Labels', metadata.labels);
  describeAnnotations(details, 'Annotations', metadata.annotations);
  details.field(0, 'Controller', spec.controller ?? '');
  if (spec.parameters) {
    details.line(0, 'Parameters:');
    if (spec.parameters.apiGroup !== undefined) details.field(1, 'APIGroup', spec.parameters.apiGroup);
    details.field(1, 'Kind', spec.parameters.kind);
    details.field(1, 'Name', spec.parameters.name);
  }
  describeEvents(session, details, object);
}
