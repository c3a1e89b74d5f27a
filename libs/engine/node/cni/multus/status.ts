import { ipOf, type Attachment } from './attachment.js';

/** A pod's interface by the network that is there for all pods. */
export interface FirstInterface {
  /** '10.244.1.5/24' */
  readonly addresses: readonly string[];
  readonly mac: string;
  readonly mtu: number;
  /** The plug-in that has made it. */
  readonly plugin: string;
  readonly gateway?: string;
}

/** Go's encoder writes these as escapes. */
const escape = (text: string): string => text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');

/** A route without a gateway of its own, as Go prints it. */
const NO_GATEWAY = '<nil>';

/**
 * The annotation network-status. Models network-attachment-definition-client's pkg/utils CreateNetworkStatuses and
 * SetNetworkStatus.
 */
export function formatStatus(
  first: FirstInterface & { readonly network: string },
  attachments: readonly Attachment[],
): string {
  const all = [firstStatus(first), ...attachments.map(statusOf)];
  return `[${all.map((one) => escape(JSON.stringify(one, undefined, 4))).join(',')}]`;
}

/** Calico's plug-in tells of the node's end of a pair alone, which is no interface of the pod. */
function firstStatus({
  addresses,
  gateway,
  mac,
  network,
  plugin,
}: FirstInterface & { readonly network: string }): Record<string, unknown> {
  const own = plugin === 'calico' ? {} : { interface: 'eth0' };
  const gateways = plugin === 'ptp' ? [NO_GATEWAY] : plugin === 'calico' ? [] : [gateway ?? NO_GATEWAY];
  return {
    ...{ name: network, ...own, ips: addresses.map(ipOf) },
    ...(plugin === 'calico' ? {} : { mac }),
    ...{ default: true, dns: {} },
    ...(gateways.length === 0 ? {} : { gateway: gateways }),
  };
}

function statusOf({ addresses, mac, name, network, routes }: Attachment): Record<string, unknown> {
  const gateways = routes
    .filter(({ destination }) => destination === '0.0.0.0/0')
    .map(({ gateway = NO_GATEWAY }) => gateway);
  return {
    ...{ name: network, interface: name },
    ...(addresses.length === 0 ? {} : { ips: addresses.map(ipOf) }),
    ...{ mac, dns: {} },
    ...(gateways.length === 0 ? {} : { gateway: gateways }),
  };
}
