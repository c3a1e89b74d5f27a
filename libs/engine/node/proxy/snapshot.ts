import type { Service } from '../../api/core_v1.js';
import type { EndpointSlice } from '../../api/discovery_v1.js';
import { EndpointSlices, ProxySnapshots, Services } from '../../kinds/index.js';
import type { ProxySnapshot } from '../../kinds/terrarium/proxysnapshot/kind.js';
import type { Client, Reader } from '../../machinery/client.js';
import type { Family } from './service-port.js';
import { ServiceTable } from './service-table.js';

/** Stores what a proxy knows now, unless that is stored already. Returns its name. */
export function takeSnapshot(client: Client): string {
  const services = client
    .list(Services)
    .filter(({ spec }) => spec.type !== 'ExternalName' && spec.clusterIP !== 'None');
  const slices = client.list(EndpointSlices).filter(({ addressType }) => addressType !== 'FQDN');
  const name = `s${Math.max(0, ...[...services, ...slices].map(revisionOf))}-${services.length}-${slices.length}`;
  if (client.get(ProxySnapshots, { namespace: '', name })) return name;
  client.create(ProxySnapshots, {
    apiVersion: 'terrarium.dev/v1alpha1',
    kind: 'ProxySnapshot',
    metadata: { name },
    services: JSON.stringify(services.map(cutService)),
    slices: JSON.stringify(slices.map(cutSlice)),
  });
  return name;
}

const revisionOf = ({ metadata }: Service | EndpointSlice): number => Number(metadata.resourceVersion ?? 0);

/** What a proxy does not look at is left out. */
function cutService({ apiVersion, kind, metadata, spec, status }: Service): Service {
  const { selector: _selector, ...rest } = spec;
  const { namespace, name } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { namespace, name },
    spec: rest,
    status: { loadBalancer: status?.loadBalancer },
  };
}

function cutSlice({ apiVersion, kind, metadata, addressType, endpoints, ports }: EndpointSlice): EndpointSlice {
  const { namespace, name, labels } = metadata;
  const cut = (endpoints ?? []).map(({ targetRef: _targetRef, ...rest }) => rest);
  return { apiVersion, kind, metadata: { namespace, name, labels }, addressType, endpoints: cut, ports };
}

/** The tables of snapshots that are in use, each made once. */
export class StaleTables {
  private readonly tables = new WeakMap<ProxySnapshot, ServiceTable>();

  constructor(
    private readonly read: Reader,
    private readonly family: Family = 'IPv4',
  ) {}

  /** What was known then; undefined: nothing. */
  find(name: string | undefined): ServiceTable | undefined {
    const snapshot = name === undefined ? undefined : this.read.get(ProxySnapshots, { namespace: '', name });
    if (!snapshot) return undefined;
    let table = this.tables.get(snapshot);
    if (!table) this.tables.set(snapshot, (table = tableOf(snapshot, this.family)));
    return table;
  }
}

function tableOf({ services, slices }: ProxySnapshot, family: Family): ServiceTable {
  const table = new ServiceTable(undefined, family);
  for (const service of JSON.parse(services) as Service[]) table.putService(undefined, service);
  for (const slice of JSON.parse(slices) as EndpointSlice[]) table.putSlice(undefined, slice);
  return table;
}
