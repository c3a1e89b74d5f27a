import type { FlowRecord } from '../../../../engine/machinery/questions/flow.js';
import type { CiliumView } from '../../../../engine/node/cni/cilium/view.js';

/** One end of a flow as the agent knows it. */
export interface End {
  readonly identity: number;
  /** 'default/web', or the name of a reserved identity. */
  readonly name: string;
  readonly ip: string;
}

export const RESERVED_NAMES: Readonly<Record<number, string>> = {
  ...{ 1: 'host', 2: 'world', 4: 'health', 6: 'remote-node', 7: 'kube-apiserver' },
};

/** 'pod/shop/web', 'node/worker-1' or an address. */
export function endOf(view: CiliumView, text: string, address = ''): End {
  if (text.startsWith('pod/')) {
    const pod = text.slice('pod/'.length);
    const found = Object.entries(view.addresses).find(([, one]) => one.pod === pod);
    return { identity: found?.[1].identity ?? 3, name: pod, ip: found?.[0] ?? address };
  }
  if (text.startsWith('node/')) {
    const name = text.slice('node/'.length);
    const isOwn = name === view.node;
    const ip = view.nodes.find((one) => one.name === name)?.address ?? address;
    return { identity: isOwn ? 1 : 6, name: isOwn ? 'host' : 'remote-node', ip };
  }
  return { identity: 2, name: 'world', ip: text };
}

/** A port that a connection came from is not known any more: one that its flow leads to. */
export function sourcePort({ id }: FlowRecord): number {
  let sum = 7;
  for (let i = 0; i < id.length; i++) sum = (sum * 31 + id.charCodeAt(i)) % 28_232;
  return 32_768 + sum;
}

export const isDropped = ({ verdict }: FlowRecord): boolean => verdict === 'Dropped';

/** A flow and its ends. */
export interface SeenFlow {
  readonly flow: FlowRecord;
  readonly from: End;
  readonly to: End;
}

/** Those that the node sees, since one of their ends is there: the oldest first. */
export function flowsOf(view: CiliumView): readonly SeenFlow[] {
  const isHere = (end: string): boolean =>
    end === `node/${view.node}` || view.endpoints.some(({ pod }) => end === `pod/${pod}`);
  return view.flows
    .map((flow) => ({ flow, target: targetOf(flow) }))
    .filter(({ flow, target }) => isHere(flow.from) || isHere(target))
    .map(({ flow, target }) => ({ flow, from: endOf(view, flow.from), to: endOf(view, target, flow.address) }))
    .reverse();
}

/** What was dropped did not come to an end: the policy says to whom it was. */
function targetOf({ verdict, to, decided }: FlowRecord): string {
  const found = verdict === 'Dropped' ? / to pod (\S{1,400})$/.exec(decided)?.[1] : undefined;
  return found === undefined ? to : `pod/${found}`;
}

/** 'INGRESS' or 'EGRESS': where it was denied. */
export const directionOf = ({ decided }: FlowRecord): string => (/ of ingress/.test(decided) ? 'INGRESS' : 'EGRESS');

/**
 * What `cilium-dbg monitor` prints: the flows of the last minutes, where the real one waits for new ones. Models
 * pkg/monitor.
 */
export function monitorLines(view: CiliumView, flags: readonly string[]): string {
  const wantsDrops = flags.some((word) => word === 'drop' || word.endsWith('type=drop'));
  const head = 'Press Ctrl-C to quit\nlevel=info msg="Initializing dissection cache..." subsys=monitor\n';
  const lines = flowsOf(view)
    .filter(({ flow }) => !wantsDrops || isDropped(flow))
    .map(({ flow, from, to }) => {
      const ends = `${from.ip}:${sourcePort(flow)} -> ${to.ip}:${flow.port} ${flow.protocol.toLowerCase()}`;
      return isDropped(flow)
        ? `xx drop (Policy denied) flow 0x0 to endpoint 0, ifindex 0, file bpf_lxc.c:1364, , identity ${from.identity}->${to.identity}: ${ends} SYN\n`
        : `-> endpoint 0 flow 0x0 , identity ${from.identity}->${to.identity} state new ifindex 0 orig-ip ${from.ip}: ${ends} SYN\n`;
    });
  return head + lines.join('');
}
