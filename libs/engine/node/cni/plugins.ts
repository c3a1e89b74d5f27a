/** What the plug-ins of /opt/cni/bin are there for. */

/** Those that make an interface and ask an IPAM plug-in for its address. */
export const MAIN: readonly string[] = ['ptp', 'bridge', 'ipvlan', 'macvlan', 'host-device', 'vlan', 'dummy'];
/** Those that change an interface that is there. */
export const CHAINED: readonly string[] = ['portmap', 'bandwidth', 'firewall', 'tuning', 'sbr', 'vrf'];
/** Those that call others, or bring addresses of their own. */
export const NETWORKS: readonly string[] = ['flannel', 'calico', 'cilium-cni', 'multus', 'multus-shim'];
export const IPAM: readonly string[] = ['host-local', 'static', 'dhcp', 'calico-ipam'];

/** What a plug-in has to be told, in its own words where it has not been. */
export function findMistake(type: string, config: Readonly<Record<string, unknown>>): string | undefined {
  const text = (name: string): string => (typeof config[name] === 'string' ? config[name] : '');
  switch (type) {
    case 'host-device':
      return ['device', 'hwaddr', 'kernelpath', 'pciBusID'].some((name) => text(name) !== '')
        ? undefined
        : 'specify either "device", "hwaddr", "kernelpath" or "pciBusID"';
    case 'vlan': {
      if (text('master') === '')
        return '"master" field is required. It specifies the host interface name to create the VLAN for';
      const id = config['vlanId'];
      return typeof id === 'number' && id >= 0 && id <= 4094
        ? undefined
        : `invalid VLAN ID ${typeof id === 'number' ? id : 0} (must be between 0 and 4095 inclusive)`;
    }
    case 'macvlan':
    case 'ipvlan':
      return modeMistake(type, text('mode'));
    default:
      return undefined;
  }
}

const MODES: Readonly<Record<string, readonly string[]>> = {
  macvlan: ['', 'bridge', 'private', 'vepa', 'passthru'],
  ipvlan: ['', 'l2', 'l3', 'l3s'],
};

const modeMistake = (type: string, mode: string): string | undefined =>
  MODES[type]?.includes(mode) === false ? `unknown ${type} mode: ${JSON.stringify(mode)}` : undefined;
