import type { Reader } from '@terrarium/engine';
import type { Mesh } from '../mesh.js';
import { VirtualServices, type VirtualService } from '../resources.js';
import { closeness, fits, fullName } from './hosts.js';

const MESH = 'mesh';

/** Names of Gateways are of the namespace of their VirtualService unless they say another. */
export const gatewaysOf = ({ metadata, spec }: VirtualService): string[] =>
  (spec.gateways ?? [MESH]).map((name) =>
    name === MESH || name.includes('/') ? name : `${metadata.namespace}/${name}`,
  );

const ageOf = ({ metadata }: VirtualService): string => metadata.creationTimestamp ?? '';

/**
 * The VirtualService of a host, as seen by 'mesh' or by a Gateway: the closest name, of several with the same the
 * oldest. One that is exported to its own namespace only is for nobody else.
 */
export function virtualServiceFor(
  read: Reader,
  host: string,
  gateway: string,
  asker: string,
  mesh: Mesh,
): VirtualService | undefined {
  let best: VirtualService | undefined;
  let near = -1;
  for (const one of read.list(VirtualServices)) {
    if (!gatewaysOf(one).includes(gateway) || !isExported(one, asker)) continue;
    const own = (one.spec.hosts ?? []).map((name) => fullName(name, one.metadata.namespace ?? '', mesh));
    const found = Math.max(-1, ...own.filter((name) => fits(name, host)).map(closeness));
    if (found < 0 || found < near || (found === near && best && ageOf(best) <= ageOf(one))) continue;
    [best, near] = [one, found];
  }
  return best;
}

export function isExported(
  { metadata, spec }: { metadata: VirtualService['metadata']; spec: { readonly exportTo?: readonly string[] } },
  namespace: string,
): boolean {
  const { exportTo } = spec;
  if (!exportTo?.length) return true;
  return exportTo.some((to) => to === '*' || to === namespace || (to === '.' && metadata.namespace === namespace));
}
