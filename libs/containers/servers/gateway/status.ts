import type { Client } from '@terrarium/engine';
import { Services } from '../../../engine/kinds/index.js';
import type { KubeObject } from '../../../engine/machinery/meta/object.js';
import type { Resource } from '../../../engine/machinery/resource.js';
import type { Millis } from '../../../engine/machinery/time/time.js';
import { attach, isOfGateway, routesOf, wire } from './attach.js';
import { gatewaySays, routeSays, settle, type Said } from './conditions.js';
import { judgeListeners } from './listeners.js';
import { routeFaults } from './references.js';
import {
  Gateways,
  GROUP,
  ROUTES,
  type Gateway,
  type ParentReference,
  type Route,
  type RouteKind,
  type RouteParentStatus,
} from './resources.js';

/** Writes a status when it is another one. */
export function writeStatus<T extends KubeObject>(
  api: Client,
  resource: Resource<T>,
  object: T,
  status: unknown,
): void {
  if (JSON.stringify((object as { status?: unknown }).status) === JSON.stringify(status)) return;
  const kind = api.kindFor(object.apiVersion, object.kind);
  if (kind) api.updateStatus(kind, { ...object, status } as KubeObject);
}

/** What a Gateway and its listeners say of themselves; models internal/controller/status/prepare_requests.go. */
export function tellGateway(
  api: Client,
  gateway: Gateway,
  addresses: readonly { readonly type: string; readonly value: string }[],
  now: Millis,
): void {
  const { metadata, status, spec } = gateway;
  const { listeners } = wire(api, gateway);
  const valid = listeners.filter(({ isValid }) => isValid).length;
  const said: Said[] = [...gatewaySays.fine, ...addressFaults(gateway)];
  if (valid === 0 && listeners.length > 0) said.push(...gatewaySays.noListeners);
  else if (valid < listeners.length) said.push(gatewaySays.someListeners);
  const generation = metadata.generation;
  writeStatus(api, Gateways, gateway, {
    ...(addresses.length > 0 ? { addresses } : {}),
    conditions: settle(said, status?.conditions, generation, now),
    listeners: listeners.map(({ listener, kinds, said: own, attached }) => ({
      attachedRoutes: attached.length,
      conditions: settle(own, conditionsOf(status, listener.name), generation, now),
      name: listener.name,
      supportedKinds: kinds,
    })),
    ...(spec.listeners.length === 0 ? { listeners: [] } : {}),
  });
}

const conditionsOf = (status: Gateway['status'], name: string) =>
  status?.listeners?.find((one) => one.name === name)?.conditions;

/** The documentation's own range is of no use to anybody. */
const UNUSABLE = '198.51.100.0';

function addressFaults({ spec }: Gateway): Said[] {
  return (spec.addresses ?? []).flatMap(({ type = 'IPAddress', value = '' }, index) => {
    if (type !== 'IPAddress')
      return [
        gatewaySays.badAddressType(
          `spec.addresses[${index}].type: Unsupported value: ${JSON.stringify(type)}: supported values: "IPAddress"`,
        ),
      ];
    if (value === '') return [gatewaySays.noAddress];
    return value === UNUSABLE || !/^[\d.]+$|:/.test(value) ? [gatewaySays.badAddress] : [];
  });
}

/** Every route that names one of these Gateways says what became of it at each; what others say of it stays. */
export function tellRoutes(api: Client, controllerName: string, gateways: readonly Gateway[], now: Millis): void {
  const seen = new Set<string>();
  for (const gateway of gateways)
    for (const { kind, route } of routesOf(api, gateway)) {
      const key = `${kind}/${route.metadata.namespace}/${route.metadata.name}`;
      if (seen.has(key)) continue;
      seen.add(key);
      tellRoute(api, controllerName, gateways, kind, route, now);
    }
  forgetParents(api, controllerName, seen);
}

function tellRoute(
  api: Client,
  controllerName: string,
  gateways: readonly Gateway[],
  kind: RouteKind,
  route: Route,
  now: Millis,
): void {
  const before = route.status?.parents ?? [];
  const faults = routeFaults(api, kind, route);
  const own = (route.spec.parentRefs ?? []).flatMap((ref): RouteParentStatus[] => {
    const gateway = gateways.find((one) => isOfGateway(ref, route, one));
    if (!gateway) return [];
    const { refusal } = attach(api, gateway, judgeListeners(api, gateway), kind, route, ref);
    const said = [...routeSays.fine, ...faults, ...(refusal ? [refusal] : [])];
    const parentRef = fullRef(ref, route);
    const old = before.find(
      (one) =>
        one.controllerName === controllerName &&
        JSON.stringify(fullRef(one.parentRef, route)) === JSON.stringify(parentRef),
    );
    return [{ conditions: settle(said, old?.conditions, route.metadata.generation, now), controllerName, parentRef }];
  });
  const others = before.filter((one) => one.controllerName !== controllerName);
  writeStatus(
    api,
    ROUTES.find((one) => one.kind === kind)!,
    route,
    { parents: [...others, ...own] },
  );
}

/** Routes that have left all Gateways say nothing of them any more. */
function forgetParents(api: Client, controllerName: string, kept: ReadonlySet<string>): void {
  for (const resource of ROUTES)
    for (const route of api.list(resource)) {
      const parents = route.status?.parents ?? [];
      if (kept.has(`${resource.kind}/${route.metadata.namespace}/${route.metadata.name}`)) continue;
      if (parents.every((one) => one.controllerName !== controllerName)) continue;
      const others = parents.filter((one) => one.controllerName !== controllerName);
      writeStatus(api, resource, route, { parents: others });
    }
}

const fullRef = (ref: ParentReference, { metadata }: Route): ParentReference => ({
  ...{ group: ref.group ?? GROUP, kind: ref.kind ?? 'Gateway', name: ref.name },
  namespace: ref.namespace ?? metadata.namespace ?? '',
  ...(ref.port === undefined ? {} : { port: ref.port }),
  ...(ref.sectionName === undefined ? {} : { sectionName: ref.sectionName }),
});

/** Where a Gateway is reached: as its Service says. */
export function addressesOf(api: Client, namespace: string, name: string): { type: string; value: string }[] {
  const service = api.get(Services, { namespace, name });
  if (!service) return [];
  const { type, clusterIP, externalIPs = [] } = service.spec;
  const given = externalIPs.map((value) => ({ type: 'IPAddress', value }));
  if (type !== 'LoadBalancer')
    return clusterIP && clusterIP !== 'None' ? [{ type: 'IPAddress', value: clusterIP }, ...given] : given;
  const balanced = (service.status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) =>
    ip ? { type: 'IPAddress', value: ip } : { type: 'Hostname', value: hostname ?? '' },
  );
  return [...balanced, ...given];
}
