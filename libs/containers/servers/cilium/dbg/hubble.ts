import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import type { FlowRecord } from '../../../../engine/machinery/questions/flow.js';
import type { CiliumView } from '../../../../engine/node/cni/cilium/view.js';
import { defineTool } from '../../../tools/framework/tool.js';
import { directionOf, flowsOf, isDropped, sourcePort, type End, type SeenFlow } from './monitor.js';
import { readState } from './state.js';

/** Options that take a word, and what they ask of a flow. */
type Test = (one: SeenFlow, value: string) => boolean;

const isPod = ({ name }: End, value: string): boolean =>
  value.includes('/') ? name === value || (value.endsWith('/') && name.startsWith(value)) : name === `default/${value}`;
const isIn = ({ name }: End, value: string): boolean => name.startsWith(`${value}/`);

const TESTS: Readonly<Record<string, Test>> = {
  '--verdict': ({ flow }, value) => verdictOf(flow) === value.toUpperCase(),
  '--pod': ({ from, to }, value) => isPod(from, value) || isPod(to, value),
  '--from-pod': ({ from }, value) => isPod(from, value),
  '--to-pod': ({ to }, value) => isPod(to, value),
  '--namespace': ({ from, to }, value) => isIn(from, value) || isIn(to, value),
  '-n': ({ from, to }, value) => isIn(from, value) || isIn(to, value),
  '--from-namespace': ({ from }, value) => isIn(from, value),
  '--to-namespace': ({ to }, value) => isIn(to, value),
  '--port': ({ flow }, value) => String(flow.port) === value,
  '--to-port': ({ flow }, value) => String(flow.port) === value,
  '--protocol': ({ flow }, value) => flow.protocol === value.toUpperCase(),
  '--ip': ({ from, to }, value) => from.ip === value || to.ip === value,
  '--from-ip': ({ from }, value) => from.ip === value,
  '--to-ip': ({ to }, value) => to.ip === value,
};
/** What they are for is how much is shown, or how long is waited. */
const COUNTS: readonly string[] = ['--last', '--first', '--since', '--until', '-o', '--output', '--server'];
const FLAGS: readonly string[] = ['-f', '--follow', '--all', '--print-node-name', '--no-color', '--numeric'];
const LAST = 20;

const verdictOf = (flow: FlowRecord): string => (isDropped(flow) ? 'DROPPED' : 'FORWARDED');

/**
 * The flows of the node, as Hubble has them of its agent. Models cilium/hubble's cmd/observe. Left out: to follow new
 * ones, and flows of HTTP and of names: these are shown by their connections.
 */
export const hubble = defineTool((tool) => {
  const [command, ...words] = tool.args.map(textOf);
  if (command === 'status') {
    const view = readState(tool, 'healthz');
    const count = flowsOf(view).length;
    tool.out(bytesOf(`Healthcheck (via unix:///var/run/cilium/hubble.sock): Ok\nCurrent/Max Flows: ${count}/4,095\n`));
    return 0;
  }
  if (command === 'version') {
    tool.out(bytesOf('hubble 1.18.3 compiled with go1.24.9 on linux/amd64\n'));
    return 0;
  }
  if (command !== 'observe') {
    tool.err(bytesOf(`Error: \`hubble ${command ?? ''}\` is not simulated here\n`));
    return 1;
  }
  const view = readState(tool, 'flows');
  let shown = flowsOf(view);
  let last = LAST;
  let isJson = false;
  for (let i = 0; i < words.length; i++) {
    const [name = '', inline] = (words[i] ?? '').split('=', 2);
    if (FLAGS.includes(name)) continue;
    const test = TESTS[name];
    if (!test && !COUNTS.includes(name)) {
      tool.err(bytesOf(`Error: unknown flag: ${name}\n`));
      return 1;
    }
    const value = inline ?? words[++i] ?? '';
    if (test) shown = shown.filter((one) => test(one, value));
    if (name === '--last') last = Number(value) || 0;
    if (name === '-o' || name === '--output') isJson = value === 'json' || value === 'jsonpb';
  }
  for (const one of shown.slice(-last)) tool.out(bytesOf(isJson ? jsonOf(view, one) : lineOf(one)));
  return 0;
});

/** 'Jan  2 15:04:05.000' */
function timeOf(text: string): string {
  const at = new Date(text);
  const month = at.toUTCString().slice(8, 11);
  return `${month} ${String(at.getUTCDate()).padStart(2)} ${at.toISOString().slice(11, 23)}`;
}

const nameOf = ({ name, ip, identity }: End, port: number): string =>
  identity < 256
    ? `${ip}:${port} (${name === 'world' || name === 'host' || name === 'remote-node' ? name : 'unmanaged'})`
    : `${name}:${port} (ID:${identity})`;

/** One that is dropped has a line for the verdict, and one for the packet. */
function lineOf({ flow, from, to }: SeenFlow): string {
  const ends = (arrow: string): string =>
    `${timeOf(flow.startedAt)}: ${nameOf(from, sourcePort(flow))} ${arrow} ${nameOf(to, flow.port)}`;
  const what = flow.protocol === 'TCP' ? 'TCP Flags: SYN' : flow.protocol;
  if (!isDropped(flow)) return `${ends('->')} to-endpoint FORWARDED (${what})\n`;
  return (
    `${ends('<>')} policy-verdict:none ${directionOf(flow)} DENIED (${what})\n` +
    `${ends('<>')} Policy denied DROPPED (${what})\n`
  );
}

function jsonOf(view: CiliumView, { flow, from, to }: SeenFlow): string {
  const end = ({ identity, name }: End): object => {
    const [namespace = '', pod] = name.split('/');
    return { identity, ...(pod === undefined ? { labels: [`reserved:${name}`] } : { namespace, pod_name: pod }) };
  };
  const record = {
    time: flow.startedAt,
    verdict: verdictOf(flow),
    ...(isDropped(flow) ? { drop_reason_desc: 'POLICY_DENIED' } : {}),
    IP: { source: from.ip, destination: to.ip, ipVersion: 'IPv4' },
    l4: { [flow.protocol]: { source_port: sourcePort(flow), destination_port: flow.port } },
    ...{ source: end(from), destination: end(to), Type: 'L3_L4', node_name: view.node },
  };
  return `${JSON.stringify({ flow: record, node_name: view.node, time: flow.startedAt })}\n`;
}
