import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import type { CiliumView } from '../../../../engine/node/cni/cilium/view.js';
import { defineTool, type ToolContext } from '../../../tools/framework/tool.js';
import { logLine } from '../lines.js';
import { endpointsOf, listAddresses, listBalancers, listEndpoints, listIdentities, listServices } from './lists.js';
import { monitorLines } from './monitor.js';
import { columns } from './columns.js';
import { readState } from './state.js';
import { formatStatus } from './status.js';

const USAGE = 'CLI for interacting with the local Cilium Agent\n\nUsage:\n  cilium-dbg [command]\n';

interface Asked {
  readonly view: CiliumView;
  readonly tool: ToolContext;
  readonly version: string;
  /** What stands after the command. */
  readonly words: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly json: boolean;
}

type Command = (asked: Asked) => string;

const asJson = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
const minorOf = (version: string): number => Number(version.split('.')[1] ?? '0');

/** By its words. What is not here says that it is not simulated. */
const COMMANDS: Readonly<Record<string, readonly [resource: string, run: Command]>> = {
  status: [
    'status',
    ({ view, version, flags, json }) =>
      json ? asJson(view) : flags.has('--brief') ? 'OK\n' : formatStatus(view, version, flags.has('--verbose')),
  ],
  'service list': [
    'service',
    ({ view, version, json }) => (json ? asJson(view.services) : listServices(view, minorOf(version) >= 17)),
  ],
  'endpoint list': ['endpoint', ({ view, json }) => (json ? asJson(endpointsOf(view)) : listEndpoints(view))],
  'endpoint get': [
    'endpoint',
    ({ view, words }) => asJson(endpointsOf(view).filter(({ id }) => String(id) === words[0])),
  ],
  'identity list': ['identity', ({ view, json }) => (json ? asJson(view.identities) : listIdentities(view))],
  'identity get': [
    'identity',
    ({ view, words }) => asJson(view.identities.filter(({ id }) => String(id) === words[0])),
  ],
  'node list': [
    'cluster/nodes',
    ({ view }) =>
      columns([
        ['Name', 'IPv4 Address', 'Endpoint CIDR', 'IPv6 Address', 'Endpoint CIDR', 'Source'],
        ...view.nodes.map((one) => [
          ...[`${view.settings.clusterName}/${one.name}`, one.address, one.range, '', ''],
          one.name === view.node ? 'local' : 'custom-resource',
        ]),
      ]),
  ],
  'bpf lb list': ['service', ({ view }) => listBalancers(view)],
  'bpf ipcache list': ['ip', ({ view }) => listAddresses(view)],
  'bpf endpoint list': [
    'endpoint',
    ({ view }) =>
      columns([
        ['IP ADDRESS', 'LOCAL ENDPOINT INFO'],
        ...view.endpoints.map(({ ipv4, id, identity }) => [`${ipv4}:0`, `id=${id} sec_id=${identity} flags=0x0000`]),
      ]),
  ],
  'bpf tunnel list': [
    'tunnel',
    ({ view }) =>
      columns([
        ['TUNNEL', 'VALUE'],
        ...view.nodes.filter(({ name }) => name !== view.node).map(({ range, address }) => [range, `${address}:0`]),
      ]),
  ],
  config: [
    'config',
    ({ view }) =>
      columns(
        Object.entries(view.config).map(([key, value]) => [key, `: ${value.replaceAll('\n', ' ')}`]),
        0,
      ),
  ],
  monitor: ['monitor', ({ view, words, flags }) => monitorLines(view, [...words, ...flags])],
};

/** Other names of the same. */
const ALIASES: Readonly<Record<string, string>> = {
  svc: 'service',
  ls: 'list',
  ep: 'endpoint',
  id: 'identity',
  nodes: 'node',
};
const MAX_WORDS = 3;

/**
 * The agent's command line. What it shows is what the node's agent knows, and no command changes it. Models
 * cilium-dbg/cmd.
 */
export const ciliumDbg = defineTool((tool) => {
  const all = tool.args.map(textOf);
  const version = textOf(tool.sys.env['CILIUM_VERSION'] ?? '1.18.4');
  const words = all.filter((word) => !word.startsWith('-')).map((word) => ALIASES[word] ?? word);
  if (words.length === 0) {
    tool.out(bytesOf(USAGE));
    return 0;
  }
  if (words[0] === 'version') {
    tool.out(
      bytesOf(
        `Client: ${version} go version go1.24.9 linux/amd64\nDaemon: ${version} go version go1.24.9 linux/amd64\n`,
      ),
    );
    return 0;
  }
  if (words[0] === 'build-config') return buildConfig(tool, version);
  for (let count = Math.min(MAX_WORDS, words.length); count > 0; count--) {
    const found = COMMANDS[words.slice(0, count).join(' ')];
    if (!found) continue;
    const [resource, run] = found;
    const view = readState(tool, resource);
    const flags = new Set(all.filter((word) => word.startsWith('-')));
    const json = all.some(
      (word, i) =>
        word === 'json' || (word === '-o' && all[i + 1] === 'json') || word === '-ojson' || word === '--output=json',
    );
    tool.out(bytesOf(run({ view, tool, version, flags, json, words: words.slice(count) })));
    return 0;
  }
  tool.err(bytesOf(`Error: \`cilium-dbg ${words.join(' ')}\` is not simulated here\n`));
  return 1;
});

/** Brings the configuration together; what there is of it the agent reads from its ConfigMap. */
function buildConfig(tool: ToolContext, version: string): number {
  const { now } = tool.sys;
  const say = (message: string, fields: Record<string, string> = {}): void =>
    tool.err(bytesOf(`${logLine(now, `:v${version}`, 'option-resolver', message, fields)}\n`));
  tool.out(bytesOf('Running\n'));
  say('Establishing connection to apiserver', { host: 'https://10.96.0.1:443' });
  say('Connected to apiserver');
  say('Reading configuration from config-map:kube-system/cilium-config');
  say('Reading configuration from cilium-node-config:kube-system/');
  say('Start hook executed', { duration: '32.1ms' });
  return 0;
}
