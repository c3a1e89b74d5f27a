import type { NameAnswer } from '../../kernel/process/syscalls.js';
import type { Reader } from '../../machinery/client.js';
import type { Millis } from '../../machinery/time/time.js';

/** What a name server is asked. */
export interface NameQuestion {
  readonly name: string;
  /** 'A', 'SRV'. */
  readonly type: string;
  readonly now: Millis;
  /** The address of who asks. */
  readonly from: string;
  /** The cluster, for servers that answer from its objects. */
  readonly read: Reader;
  /** The name servers of the server's own resolv.conf. */
  readonly nameservers: readonly string[];
  /** Asks another server, as the pod of this one reaches it. */
  ask(server: string, name: string, type: string): NameAnswer;
}
