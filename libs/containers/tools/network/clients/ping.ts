import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { FilterContext } from '../../framework/filter.js';
import { lookupError, lookUp } from '../../../servers/lookup.js';
import { parseOptions } from '../../framework/options.js';
import { defineSteps } from '../../framework/steps.js';
import { ToolFailure, UsageFailure } from '../../framework/tool.js';

type PingState = {
  host: Bytes;
  address: string;
  /** -1: until it is interrupted. */
  count: number;
  size: number;
  interval: number;
  /** ms for an answer to the last one. */
  patience: number;
  isQuiet: boolean;
  sent: number;
  received: number;
  startedAt: number;
  nextAt: number;
  isReachable: boolean;
  /** What ends it, also before the last packet. */
  until: number;
};

const ROUND_TRIP_MS = 0.05;

export const ping = defineSteps<PingState>({
  start(tool) {
    const table = ['c:', 'i:', 'w:', 'W:', 's:', 'q', 'n', '4', '6', 't:', 'I:', 'v', 'A', 'D', 'O', 'M:', 'f'];
    const options = parseOptions(tool, table);
    const [host] = options.operands;
    if (host === undefined) {
      throw new UsageFailure(tool.flavour === 'gnu' ? 'usage error: Destination address required' : '');
    }
    const family = options.has('6') || tool.name.endsWith('6') ? '6' : options.has('4') ? '4' : undefined;
    const found = lookUp(tool.sys, host, family);
    const [address] = found.addresses;
    if (address === undefined) {
      if (tool.flavour === 'busybox') throw new ToolFailure(`bad address '${host}'`);
      throw new ToolFailure(`${host}: ${lookupError(tool.sys, found)}`, 2);
    }
    const count = options.value('c') ?? '-1';
    if (!/^-?\d+$/.test(count)) throw new ToolFailure(`invalid argument: '${count}'`);
    tool.sys.handleSignal('INT', 'catch');
    const size = Number(options.value('s') ?? 56);
    tool.out(
      tool.flavour === 'gnu'
        ? address.includes(':')
          ? `PING ${host} (${address}) ${size} data bytes\n`
          : `PING ${host} (${address}) ${size}(${size + 28}) bytes of data.\n`
        : `PING ${host} (${address}): ${size} data bytes\n`,
    );
    const deadline = Number(options.value('w') ?? 0) * 1_000;
    return {
      ...{ host, address, count: Number(count), size, interval: Number(options.value('i') ?? 1) * 1_000 },
      ...{ patience: Number(options.value('W') ?? 10) * 1_000, isQuiet: options.has('q'), sent: 0, received: 0 },
      ...{ startedAt: tool.sys.now, nextAt: tool.sys.now, isReachable: tool.sys.echo(address) },
      until: deadline > 0 ? tool.sys.now + deadline : 0,
    };
  },
  step(tool, state) {
    const { sys } = tool;
    if (sys.takeSignal() !== undefined || (state.until > 0 && sys.now >= state.until)) return finish(tool, state);
    if (sys.now < state.nextAt) return { type: 'wait', until: waitEnd(state) };
    if (state.count >= 0 && state.sent >= state.count) return finish(tool, state);
    sendOne(tool, state);
    if (state.count >= 0 && state.sent >= state.count) {
      if (state.isReachable) return finish(tool, state);
      state.nextAt = sys.now + state.patience;
    } else state.nextAt = sys.now + state.interval;
    return { type: 'wait', until: waitEnd(state) };
  },
});

const waitEnd = ({ nextAt, until }: PingState): number => (until > 0 ? Math.min(nextAt, until) : nextAt);

function roundTrip(tool: FilterContext): string {
  return (ROUND_TRIP_MS + tool.sys.random() * ROUND_TRIP_MS).toFixed(3);
}

function sendOne(tool: FilterContext, state: PingState): void {
  state.sent++;
  if (!state.isReachable) return;
  state.received++;
  if (state.isQuiet) return;
  const time = roundTrip(tool);
  const from = state.host === state.address ? state.address : `${state.host} (${state.address})`;
  tool.out(
    tool.flavour === 'gnu'
      ? `${state.size + 8} bytes from ${from}: icmp_seq=${state.sent} ttl=63 time=${time} ms\n`
      : `${state.size + 8} bytes from ${state.address}: seq=${state.sent - 1} ttl=63 time=${time} ms\n`,
  );
}

function finish(tool: FilterContext, state: PingState): number {
  const loss = state.sent === 0 ? 0 : Math.floor(((state.sent - state.received) * 100) / state.sent);
  const span = tool.sys.now - state.startedAt;
  const heads = `\n--- ${state.host} ping statistics ---\n`;
  if (tool.flavour === 'gnu') {
    tool.out(
      `${heads}${state.sent} packets transmitted, ${state.received} received, ${loss}% packet loss, time ${span}ms\n`,
    );
    if (state.received > 0) tool.out('rtt min/avg/max/mdev = 0.051/0.074/0.098/0.013 ms\n');
    tool.out(state.received > 0 ? '' : '\n');
  } else {
    tool.out(`${heads}${state.sent} packets transmitted, ${state.received} packets received, ${loss}% packet loss\n`);
    if (state.received > 0) tool.out('round-trip min/avg/max = 0.051/0.074/0.098 ms\n');
  }
  return state.received > 0 ? 0 : 1;
}
