import type { Reader } from '@terrarium/engine';
import { Namespaces } from '../../../engine/kinds/index.js';
import { matchesLabelSelector } from '../../../engine/machinery/selectors/label-selector.js';
import { routeSays, type Said } from './conditions.js';
import { commonHosts } from './hostnames.js';
import { judgeListeners, type Judged } from './listeners.js';
import { GROUP, ROUTES, type Gateway, type ParentReference, type Route, type RouteKind } from './resources.js';

/** A route at one listener, with the hosts that both mean; '' stands for all. */
export interface Attached {
  readonly kind: RouteKind;
  readonly route: Route;
  readonly hosts: readonly string[];
}

/** A Gateway with its listeners and what is attached to each. */
export interface Wired {
  readonly gateway: Gateway;
  readonly listeners: readonly (Judged & { readonly attached: readonly Attached[] })[];
}

/** What a parent of a route says to it. */
export interface Attachment {
  readonly listeners: readonly { readonly index: number; readonly hosts: readonly string[] }[];
  /** Why it is not attached. */
  readonly refusal?: Said;
}

export const isOfGateway = (ref: ParentReference, route: Route, { metadata }: Gateway): boolean =>
  (ref.group ?? GROUP) === GROUP &&
  (ref.kind ?? 'Gateway') === 'Gateway' &&
  ref.name === metadata.name &&
  (ref.namespace ?? route.metadata.namespace) === metadata.namespace;

/** Routes that one Gateway looks at. */
const MAX_ROUTES = 2_000;

/** The listeners of a Gateway with their routes. */
export function wire(read: Reader, gateway: Gateway): Wired {
  const judged = judgeListeners(read, gateway);
  const attached: Attached[][] = judged.map(() => []);
  for (const { kind, route } of routesOf(read, gateway))
    for (const ref of route.spec.parentRefs ?? []) {
      if (!isOfGateway(ref, route, gateway)) continue;
      for (const { index, hosts } of attach(read, gateway, judged, kind, route, ref).listeners) {
        const found = attached[index]!.findIndex((one) => one.route === route);
        if (found < 0) attached[index]!.push({ kind, route, hosts });
      }
    }
  return { gateway, listeners: judged.map((one, index) => ({ ...one, attached: attached[index]! })) };
}

/** The routes that name a Gateway, the oldest first. */
export function routesOf(read: Reader, gateway: Gateway): { kind: RouteKind; route: Route }[] {
  const found = ROUTES.flatMap((resource) =>
    read
      .list(resource)
      .filter((route) => (route.spec.parentRefs ?? []).some((ref) => isOfGateway(ref, route, gateway)))
      .map((route) => ({ kind: resource.kind as RouteKind, route })),
  );
  return found.sort((a, b) => (ageOf(a.route) < ageOf(b.route) ? -1 : 1)).slice(0, MAX_ROUTES);
}

export const ageOf = ({ metadata }: Route): string =>
  `${metadata.creationTimestamp}/${metadata.namespace}/${metadata.name}`;

/** Models internal/controller/state/graph/route_common.go: to which listeners a route gets. */
export function attach(
  read: Reader,
  gateway: Gateway,
  judged: readonly Judged[],
  kind: RouteKind,
  route: Route,
  { sectionName, port }: ParentReference,
): Attachment {
  const wanted = judged.flatMap((one, index) =>
    (sectionName === undefined || one.listener.name === sectionName) &&
    (port === undefined || one.listener.port === port)
      ? [{ ...one, index }]
      : [],
  );
  if (wanted.length === 0) return { listeners: [], refusal: routeSays.noParent };
  const allowed = wanted.filter((one) => takes(read, gateway, one, kind, route));
  if (allowed.length === 0) {
    const isKnown = wanted.some(({ kinds }) => kinds.length > 0);
    return { listeners: [], refusal: isKnown ? routeSays.notAllowed : routeSays.invalidListener };
  }
  const listeners = allowed.flatMap(({ index, listener }) => {
    const hosts = commonHosts(listener.hostname ?? '', route.spec.hostnames ?? []);
    return hosts ? [{ index, hosts }] : [];
  });
  if (listeners.length === 0) return { listeners, refusal: routeSays.noHostname };
  const isServed = listeners.some(({ index }) => judged[index]!.isValid);
  return isServed ? { listeners } : { listeners, refusal: routeSays.invalidListener };
}

function takes(read: Reader, gateway: Gateway, { listener, kinds }: Judged, kind: string, route: Route): boolean {
  if (!kinds.some((one) => one.kind === kind)) return false;
  const { from = 'Same', selector } = listener.allowedRoutes?.namespaces ?? {};
  const namespace = route.metadata.namespace ?? '';
  if (from === 'All') return true;
  if (from === 'Same') return namespace === gateway.metadata.namespace;
  if (from !== 'Selector' || !selector) return false;
  const found = read.get(Namespaces, { namespace: '', name: namespace });
  return found !== undefined && matchesLabelSelector(selector, found.metadata.labels);
}
