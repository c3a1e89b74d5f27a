import type { Pod } from '../../api/core_v1.js';
import type { Redirects } from '../../kernel/network.js';
import { contains, parseAddress, parsePrefix } from '../../machinery/net/netip.js';

/** The command of the init container that writes the rules. */
const COMMAND = 'istio-iptables';

/** What its command line says. Models istio's tools/istio-iptables/pkg/config. */
interface Settings {
  readonly outboundPort: number;
  readonly inboundPort: number;
  readonly users: readonly number[];
  /** '*', or ranges; '' for none. */
  readonly includedRanges: string;
  readonly excludedRanges: string;
  readonly includedInbound: string;
  readonly excludedInbound: string;
  readonly excludedOutbound: string;
}

const FLAGS: Readonly<Record<string, string>> = {
  ...{ '--envoy-port': '-p', '--inbound-capture-port': '-z', '--proxy-uid': '-u', '--istio-service-cidr': '-i' },
  ...{ '--istio-service-exclude-cidr': '-x', '--istio-inbound-ports': '-b', '--istio-local-exclude-ports': '-d' },
  ...{ '--istio-local-outbound-ports-exclude': '-o' },
};

/**
 * The rules that a pod's init container has written into its network namespace: they lead connections to the proxy
 * beside it. Undefined: it has none. They follow from its command line, as all rules follow from the state.
 */
export function redirectsOf({ spec }: Pod): Redirects | undefined {
  const init = spec.initContainers?.find(({ args, command }) => (args ?? command)?.[0] === COMMAND);
  if (!init || spec.hostNetwork) return undefined;
  const settings = readSettings(init.args ?? init.command ?? []);
  return {
    outbound: (address, port, user) =>
      settings.users.includes(user) || !isCapturedOutbound(settings, address, port) ? undefined : settings.outboundPort,
    inbound: (port) => (isCapturedInbound(settings, port) ? settings.inboundPort : undefined),
  };
}

/** The settings of a command line: '-p 15001', '--envoy-port=15001'. */
export function readSettings(argv: readonly string[]): Settings {
  const values: Record<string, string> = {};
  for (let i = 1; i < argv.length; i++) {
    const [name = '', value] = argv[i]!.split('=', 2);
    const flag = FLAGS[name] ?? name;
    if (value !== undefined) values[flag] = value;
    else if (/^-[pzuixbdo]$/.test(flag)) values[flag] = argv[++i] ?? '';
  }
  return {
    outboundPort: Number(values['-p'] ?? 15_001),
    inboundPort: Number(values['-z'] ?? 15_006),
    users: (values['-u'] ?? '1337').split(',').map(Number),
    includedRanges: values['-i'] ?? '*',
    excludedRanges: values['-x'] ?? '',
    includedInbound: values['-b'] ?? '*',
    excludedInbound: values['-d'] ?? '',
    excludedOutbound: values['-o'] ?? '',
  };
}

const hasPort = (list: string, port: number): boolean => list.split(',').includes(String(port));
function hasAddress(list: string, text: string): boolean {
  const address = parseAddress(text);
  return list.split(',').some((one) => {
    const range = parsePrefix(one.trim());
    return range !== undefined && address !== undefined && contains(range, address);
  });
}

const isCapturedOutbound = (settings: Settings, address: string, port: number): boolean =>
  !hasPort(settings.excludedOutbound, port) &&
  !hasAddress(settings.excludedRanges, address) &&
  (settings.includedRanges === '*' || hasAddress(settings.includedRanges, address));

/** Port 22 is left alone where all others are captured. */
const isCapturedInbound = ({ includedInbound, excludedInbound }: Settings, port: number): boolean =>
  includedInbound === '*' ? port !== 22 && !hasPort(excludedInbound, port) : hasPort(includedInbound, port);
