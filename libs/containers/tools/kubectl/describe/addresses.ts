import type { Endpoints } from '../../../../engine/api/core_v1.js';
import type { EndpointSlice } from '../../../../engine/api/discovery_v1.js';
import type { IPAddress, ServiceCIDR } from '../../../../engine/api/networking_v1.js';
import type { ApiObject, Session } from '../session/session.js';
import { describeAnnotations, describeLabels, type Details, longTime } from './parts/details.js';
import { describeEvents } from './parts/events.js';

function describeHead(details: Details, { metadata = {} }: ApiObject): void {
  details.field(0, 'Name', metadata.name ?? '');
  if (metadata.namespace !== undefined) details.field(0, 'Namespace', metadata.namespace);
  describeLabels(details, 'Labels', metadata.labels);
  describeAnnotations(details, 'Annotations', metadata.annotations);
}

/** Models k8s.io/kubectl/pkg/describe describeEndpointSliceV1. */
export function describeEndpointSlice(session: Session, details: Details, object: ApiObject): void {
  const { addressType, ports, endpoints } = object as unknown as EndpointSlice;
  describeHead(details, object);
  details.field(0, 'AddressType', addressType);
  if (!ports || ports.length === 0) details.line(0, 'Ports: <unset>');
  else {
    details.line(0, 'Ports:');
    details.line(1, 'Name\tPort\tProtocol');
    details.line(1, '----\t----\t--------');
    for (const { name, port, protocol = 'TCP' } of ports)
      details.line(1, `${name || '<unset>'}\t${port ?? '<unset>'}\t${protocol}`);
  }
  details.line(0, endpoints && endpoints.length > 0 ? 'Endpoints:' : 'Endpoints: <none>');
  for (const { addresses, conditions, hostname, targetRef, nodeName, zone } of endpoints ?? []) {
    details.field(1, '- Addresses', addresses.join(', ') || '<none>');
    details.line(2, 'Conditions:');
    details.field(3, 'Ready', conditions?.ready ?? '<unset>');
    details.field(2, 'Hostname', hostname ?? '<unset>');
    if (targetRef) details.field(2, 'TargetRef', `${targetRef.kind}/${targetRef.name}`);
    details.field(2, 'NodeName', nodeName ?? '<unset>');
    details.field(2, 'Zone', zone ?? '<unset>');
  }
  describeEvents(session, details, object);
}

/** Models k8s.io/kubectl/pkg/describe describeEndpoints. */
export function describeEndpoints(session: Session, details: Details, object: ApiObject): void {
  const { subsets } = object as unknown as Endpoints;
  const join = (list: readonly { readonly ip: string }[] | undefined): string =>
    (list ?? []).map(({ ip }) => ip).join(',') || '<none>';
  describeHead(details, object);
  details.line(0, 'Subsets:');
  for (const { addresses, notReadyAddresses, ports = [] } of subsets ?? []) {
    details.field(1, 'Addresses', join(addresses));
    details.field(1, 'NotReadyAddresses', join(notReadyAddresses));
    if (ports.length > 0) {
      details.line(1, 'Ports:');
      details.line(2, 'Name\tPort\tProtocol');
      details.line(2, '----\t----\t--------');
      for (const { name, port, protocol = 'TCP' } of ports)
        details.line(2, `${name || '<unset>'}\t${port}\t${protocol}`);
    }
    details.write(0, '\n');
  }
  describeEvents(session, details, object);
}

/** Models k8s.io/kubectl/pkg/describe describeServiceCIDRV1. */
export function describeServiceRange(session: Session, details: Details, object: ApiObject): void {
  const { spec, status } = object as unknown as ServiceCIDR;
  describeHead(details, object);
  details.field(0, 'CIDRs', (spec?.cidrs ?? []).join(', '));
  const conditions = status?.conditions ?? [];
  if (conditions.length > 0) {
    details.write(0, 'Status:\nConditions:\n');
    details.line(1, 'Type\tStatus\tLastTransitionTime\tReason\tMessage');
    details.line(1, '----\t------\t------------------\t------\t-------');
  }
  for (const one of conditions)
    details.line(1, [one.type, one.status, longTime(one.lastTransitionTime), one.reason, one.message].join('\t'));
  describeEvents(session, details, object);
}

/** Models k8s.io/kubectl/pkg/describe describeIPAddressV1. */
export function describeAddress(session: Session, details: Details, object: ApiObject): void {
  const { spec } = object as unknown as IPAddress;
  describeHead(details, object);
  const parent = spec?.parentRef;
  if (parent) {
    details.line(0, 'Parent Reference:');
    details.field(1, 'Group', parent.group ?? '');
    details.field(1, 'Resource', parent.resource);
    details.field(1, 'Namespace', parent.namespace ?? '');
    details.field(1, 'Name', parent.name);
  }
  describeEvents(session, details, object);
}
