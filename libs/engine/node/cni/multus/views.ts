import type { Pod } from '../../../api/core_v1.js';
import type { NetworkInterface, Route } from '../../../kernel/process/syscalls.js';
import type { Reader } from '../../../machinery/client.js';
import { networkPrefix } from '../fabric/fabric.js';
import { attachmentsOf, ipOf, type Attachment } from './attachment.js';

/** Plug-ins whose interfaces stand on a device of the node, as `ip` tells of them. */
const ON_A_DEVICE: readonly string[] = ['macvlan', 'ipvlan', 'vlan'];

/** A pod's interfaces, those of Multus' networks after the first ones. */
export function withAttachedInterfaces(
  read: Reader,
  pod: Pod,
  own: readonly NetworkInterface[],
): readonly NetworkInterface[] {
  const attachments = attachmentsOf(read, pod);
  if (attachments.length === 0) return own;
  return [...own, ...attachments.map((one, i) => interfaceOf(one, own.length + 1 + i))];
}

function interfaceOf({ addresses, mac, mode, mtu, name, plugin }: Attachment, index: number): NetworkInterface {
  const kind = ON_A_DEVICE.includes(plugin) || plugin === 'dummy' ? { kind: plugin } : {};
  return {
    ...{ name, index, addresses, mac, mtu, isUp: true, ...kind },
    ...(ON_A_DEVICE.includes(plugin) ? { parent: 'if2' } : {}),
    ...(plugin === 'macvlan' ? { detail: `macvlan mode ${mode ?? 'bridge'} bcqueuelen 1000 usedbcqueuelen 1000` } : {}),
    ...(plugin === 'ipvlan' ? { detail: 'ipvlan  mode l2 bridge' } : {}),
  };
}

/** A pod's routes; the latest default route comes first, and where a network was asked for one, it is the only one. */
export function withAttachedRoutes(read: Reader, pod: Pod, own: readonly Route[]): readonly Route[] {
  const attachments = attachmentsOf(read, pod);
  return attachments.length === 0 ? own : mergeRoutes(own, attachments);
}

export function mergeRoutes(own: readonly Route[], attachments: readonly Attachment[]): readonly Route[] {
  const isReplaced = attachments.some(({ defaultGateway }) => defaultGateway !== undefined);
  const isDefault = ({ destination }: Route): boolean => destination === 'default';
  const added = attachments.flatMap(routesOf);
  const [defaults, others] = [added.filter(isDefault).reverse(), added.filter((one) => !isDefault(one))];
  const first = isReplaced ? defaults : [...defaults, ...own.filter(isDefault)];
  return [...first, ...own.filter((one) => !isDefault(one)), ...others];
}

/** Those of one interface: to its networks, and as its IPAM says. */
function routesOf({ addresses, defaultGateway, name, plugin, routes, hostAddress }: Attachment): Route[] {
  const v4 = addresses.filter((one) => !one.includes(':'));
  const connected = v4.flatMap((address): Route[] => {
    const [source, bits] = [ipOf(address), Number(address.split('/')[1])];
    const destination = networkPrefix(source, bits);
    if (plugin !== 'ptp') return bits === 32 ? [] : [{ destination, device: name, source }];
    return [
      { destination, gateway: hostAddress ?? '', device: name, source },
      { destination: hostAddress ?? '', device: name, scope: 'link', source },
    ];
  });
  const given = routes
    .filter(({ destination }) => !destination.includes(':'))
    .map(({ destination, gateway }): Route => ({
      destination: destination === '0.0.0.0/0' ? 'default' : destination,
      ...(gateway === undefined ? { scope: 'link' } : { gateway }),
      device: name,
    }));
  if (defaultGateway === undefined) return [...given, ...connected];
  const kept = given.filter(({ destination }) => destination !== 'default');
  return [{ destination: 'default', gateway: defaultGateway, device: name }, ...kept, ...connected];
}
