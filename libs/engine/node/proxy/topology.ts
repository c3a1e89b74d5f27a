import type { ProxyEndpoint } from './endpoints.js';
import { usesClusterEndpoints, usesLocalEndpoints, type ServicePortInfo } from './service-port.js';

/** What a proxy knows of its node. */
export interface ProxyNode {
  readonly name: string;
  readonly ip: string;
  readonly zone: string;
  /** Its end of the pods' pairs. */
  readonly gateway?: string;
}

export interface Categories {
  /** For traffic policy Cluster. */
  readonly cluster: readonly ProxyEndpoint[];
  /** For traffic policy Local. */
  readonly local: readonly ProxyEndpoint[];
  /** Both, without those that are in neither. */
  readonly reachable: readonly ProxyEndpoint[];
  /** Some node has an endpoint that can be used. */
  readonly hasAny: boolean;
}

const isLastResort = ({ isServing, isTerminating }: ProxyEndpoint): boolean => isServing && isTerminating;

/** Which endpoints a node sends to; those that end serve while no other is ready. Models pkg/proxy/topology.go. */
export function categorize(endpoints: readonly ProxyEndpoint[], port: ServicePortInfo, node: ProxyNode): Categories {
  const ready = endpoints.filter(({ isReady }) => isReady);
  const ending = endpoints.filter((one) => !one.isReady && isLastResort(one));
  const hasAny = ready.length + ending.length > 0;
  const cluster = usesClusterEndpoints(port) ? firstOf(nearest(ready, node), ending) : [];
  if (!usesLocalEndpoints(port)) return { cluster, local: [], reachable: cluster, hasAny: cluster.length > 0 };
  const isHere = ({ nodeName }: ProxyEndpoint): boolean => nodeName === node.name;
  const local = firstOf(ready.filter(isHere), ending.filter(isHere));
  const reachable = endpoints.filter((one) => cluster.includes(one) || local.includes(one));
  return { cluster, local, reachable, hasAny };
}

const firstOf = <T>(wanted: readonly T[], otherwise: readonly T[]): readonly T[] =>
  wanted.length > 0 ? wanted : otherwise;

/** Hints count when every ready endpoint has some, and one of them is for this node or its zone. */
function nearest(ready: readonly ProxyEndpoint[], { name, zone }: ProxyNode): readonly ProxyEndpoint[] {
  const forNode = ready.filter(({ nodeHints }) => nodeHints.includes(name));
  if (forNode.length > 0 && ready.every(({ nodeHints }) => nodeHints.length > 0)) return forNode;
  const forZone = ready.filter(({ zoneHints }) => zoneHints.includes(zone));
  return forZone.length > 0 && ready.every(({ zoneHints }) => zoneHints.length > 0) ? forZone : ready;
}
