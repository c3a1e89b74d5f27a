import type { Millis } from '../../machinery/time/time.js';
import type { Bytes } from '../bytes.js';

/** A packet as it passes an interface of a machine: what tcpdump prints it from. */
export type Packet = {
  readonly at: Millis;
  /** 'eth0' or 'lo'. */
  readonly device: string;
  readonly isOut: boolean;
  readonly protocol: 'tcp' | 'udp' | 'icmp';
  readonly source: string;
  readonly sourcePort: number;
  readonly destination: string;
  readonly destinationPort: number;
  /** Of TCP, as tcpdump has them: 'S', 'S.', 'P.', 'F.', 'R.', '.'. */
  readonly flags?: string;
  readonly length: number;
  /** The first bytes of what it carries. */
  readonly head: Bytes;
  /** What a protocol above says, in tcpdump's words. */
  readonly text?: string;
};
