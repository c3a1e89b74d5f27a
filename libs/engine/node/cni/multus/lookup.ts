import type { Pod } from '../../../api/core_v1.js';
import { PodRuntimes, Pods } from '../../../kinds/index.js';
import { isPodTerminal } from '../../../kinds/core/pod/status/phase.js';
import type { Route } from '../../../kernel/process/syscalls.js';
import type { Reader } from '../../../machinery/client.js';
import { keyOf, type KubeObject } from '../../../machinery/meta/object.js';
import { isWithin } from '../fabric/fabric.js';
import { ipOf, type Attachment } from './attachment.js';
import { atAddress } from '../../../kinds/terrarium/podruntime/attached-keys.js';

interface Stored extends KubeObject {
  readonly uid?: string;
  readonly attachments?: readonly Attachment[];
}

/** The route that a packet of a pod goes by: the longest prefix, of equal ones the first. */
export function chooseRoute(routes: readonly Route[], address: string): Route | undefined {
  let [best, length] = [undefined as Route | undefined, -1];
  for (const one of routes) {
    const { destination } = one;
    const cidr =
      destination === 'default' ? '0.0.0.0/0' : destination.includes('/') ? destination : `${destination}/32`;
    const bits = Number(cidr.split('/')[1]);
    if (bits > length && isWithin(address, cidr)) [best, length] = [one, bits];
  }
  return best;
}

/** The pod that answers for an address on the layer 2 of an interface, as that interface hears it. */
export function findNeighbour(read: Reader, from: Attachment, address: string): Pod | undefined {
  const found = read.byIndex(PodRuntimes, 'attached', atAddress(from.segment, address)) as readonly Stored[];
  for (const stored of found) {
    const pod = read.get(Pods, keyOf(stored));
    if (!pod || pod.metadata.uid !== stored.uid || isPodTerminal(pod)) continue;
    const there = stored.attachments?.find((one) => isAt(one, from.segment, address));
    if (there && hears(from, there)) return pod;
  }
  return undefined;
}

const isAt = ({ segment, addresses }: Attachment, wanted: string, address: string): boolean =>
  segment === wanted && addresses.some((one) => ipOf(one) === address);

/** macvlan keeps interfaces of one device apart unless it bridges them; and who is asked must find a way back. */
function hears(from: Attachment, to: Attachment): boolean {
  const isOfOneDevice = from.node === to.node;
  const isApart = [from, to].some(({ mode }) => mode !== undefined && mode !== 'bridge');
  if (isOfOneDevice && isApart) return false;
  return to.plugin === 'ptp' || to.addresses.some((one) => from.addresses.some((own) => isWithin(ipOf(own), one)));
}
