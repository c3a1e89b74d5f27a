import type { Reader } from '@terrarium/engine';
import { Services } from '../../../engine/kinds/index.js';
import { routeSays, type Said } from './conditions.js';
import { isGranted } from './grants.js';
import type { BackendRef, Filter, Route, RouteKind, Rule } from './resources.js';

/** Why a backend cannot be asked; models internal/controller/state/graph/backend_refs.go. */
export function backendFault(
  read: Reader,
  kind: RouteKind,
  namespace: string,
  ref: BackendRef,
  path: string,
): Said | undefined {
  const { unresolved } = routeSays;
  if (ref.filters?.length)
    return unresolved(
      'UnsupportedValue',
      `${path}.filters: Too many: ${ref.filters.length}: must have at most 0 items`,
    );
  if (ref.group !== undefined && ref.group !== '' && ref.group !== 'core')
    return unresolved(
      'InvalidKind',
      `${path}.group: Unsupported value: ${JSON.stringify(ref.group)}: supported values: "core", ""`,
    );
  if (ref.kind !== undefined && ref.kind !== 'Service')
    return unresolved(
      'InvalidKind',
      `${path}.kind: Unsupported value: ${JSON.stringify(ref.kind)}: supported values: "Service"`,
    );
  const to = { kind: 'Service', namespace: ref.namespace ?? namespace, name: ref.name } as const;
  if (!isGranted(read, { kind, namespace }, to)) {
    const what = `Backend ref to Service ${to.namespace}/${to.name} not permitted by any ReferenceGrant`;
    return unresolved('RefNotPermitted', `${path}.namespace: Forbidden: ${what}`);
  }
  if (ref.port === undefined) return unresolved('UnsupportedValue', `${path}.port: Required value: port cannot be nil`);
  const service = read.get(Services, to);
  if (!service) return unresolved('BackendNotFound', `${path}.name: Not found: ${JSON.stringify(ref.name)}`);
  if (service.spec.type === 'ExternalName')
    return unresolved(
      'UnsupportedValue',
      "ExternalName service requires DNS resolver configuration in Gateway's NginxProxy",
    );
  return service.spec.ports?.some((port) => port.port === ref.port)
    ? undefined
    : unresolved('BackendNotFound', `no matching port for Service ${ref.name} and port ${ref.port}`);
}

/** What a route names that is not there, or is of no use. */
export function routeFaults(read: Reader, kind: RouteKind, { metadata, spec }: Route): Said[] {
  const namespace = metadata.namespace ?? '';
  const said: Said[] = [];
  (spec.rules ?? []).forEach((rule, index) => {
    const path = `spec.rules[${index}]`;
    said.push(...ignoredIn(rule, path), ...mirrorFaults(read, kind, namespace, rule, path));
    (rule.backendRefs ?? []).forEach((ref, at) => {
      const fault = backendFault(read, kind, namespace, ref, `${path}.backendRefs[${at}]`);
      if (fault) said.push(fault);
    });
  });
  return said;
}

/** Fields that NGINX Gateway Fabric does not know: it says so, and goes by the others. */
function ignoredIn({ timeouts }: Rule, path: string): Said[] {
  return timeouts === undefined ? [] : [routeSays.ignores(`${path}.timeouts: Forbidden: Timeouts`)];
}

function mirrorFaults(read: Reader, kind: RouteKind, namespace: string, { filters = [] }: Rule, path: string): Said[] {
  return filters.flatMap(({ requestMirror }: Filter, index) => {
    if (!requestMirror) return [];
    const fault = backendFault(read, kind, namespace, requestMirror.backendRef, `${path}.filters[${index}].backendRef`);
    return fault ? [fault] : [];
  });
}
