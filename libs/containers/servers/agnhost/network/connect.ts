import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { sleepUntil, type Wait } from '../../../../engine/kernel/process/program.js';
import { continueDial, dial, type Dial, type DialOutcome } from '../../dial.js';
import { errnoText } from '../../go.js';
import { goLookupError, lookUp } from '../../lookup.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { defineJob, readFlags, type Command, type Job } from '../command/command.js';
import type { FlagTable } from '../command/flags.js';

const FLAGS: FlagTable = {
  timeout: ['duration', '0s'],
  protocol: ['string', 'tcp'],
  'udp-data': ['string', 'hostname'],
  'sctp-data': ['string', 'hostname'],
};
/** Without --timeout the kernel gives up. */
const NEVER = 1_000_000_000;

type State = { resolvedAt: number | null; address: string; dial: Dial | null };

/** Tries a connection, and names the kind of its failure. Models test/images/agnhost/connect. Left out: SCTP. */
export const connect: Command = {
  flags: FLAGS,
  operands: 1,
  program: defineJob<State>(() => ({ resolvedAt: null, address: '', dial: null }), step),
};

function step(job: Job<State>): number | Wait {
  const { sys, own } = job;
  const flags = readFlags(FLAGS, job.argv);
  const target = flags.operands[0] ?? '';
  const fail = (message: Bytes): number => {
    job.err(`${message}\n`);
    return 1;
  };
  const protocol = flags.text('protocol') || 'tcp';
  if (protocol !== 'tcp' && protocol !== 'udp') {
    if (protocol !== 'sctp') return fail(`Unsupported protocol\n${protocol}`);
    return fail('OTHER: protocol not supported');
  }
  const [, host, port] = /^\[?(.*?)\]?:([^:]*)$/.exec(target) ?? [];
  if (host === undefined || port === undefined) return fail(`UNKNOWN: address ${target}: missing port in address`);
  if (own.resolvedAt === null) {
    const found = lookUp(sys, host);
    const [address] = found.addresses;
    if (address === undefined) return fail(`DNS: ${goLookupError(host, found)}`);
    own.address = address;
    own.resolvedAt = sys.now + found.delay;
  }
  if (sys.now < own.resolvedAt) return sleepUntil(own.resolvedAt);
  const data = protocol === 'udp' ? `${flags.text('udp-data')}\n` : '';
  own.dial ??= dial(sys, own.address, Number(port), protocol, data, flags.duration('timeout') || NEVER);
  const outcome = continueDial(sys, own.dial, () => protocol === 'udp');
  if (protocol === 'tcp' && own.dial.isConnected) return 0;
  if ('wait' in outcome) return { type: 'wait', ...outcome.wait, child: undefined };
  return 'error' in outcome ? fail(explain(own.dial, outcome)) : 0;
}

function explain({ protocol, address, port }: Dial, outcome: Extract<DialOutcome, { error: unknown }>): Bytes {
  const isUdp = protocol === 'udp';
  const detail = (reason: string): string => (isUdp ? `: read udp ${address}:${port}: ${reason}` : '');
  switch (outcome.error) {
    case 'TIMEOUT':
    case 'ETIMEDOUT':
      return `TIMEOUT${detail('i/o timeout')}`;
    case 'ECONNREFUSED':
      return `REFUSED${detail('connection refused')}`;
    default: {
      const reason = errnoText(new SystemError(outcome.error));
      return isUdp ? `UNKNOWN${detail(reason)}` : `OTHER: dial tcp ${address}:${port}: connect: ${reason}`;
    }
  }
}
