import type { Children } from '../../../children.js';
import type { CopyIn } from './copy.js';
import type { Session } from './session.js';

/** The server's own state: what a restart forgets. All that lasts is in files. */
export type Own = {
  argv: string[];
  data: string;
  port: number;
  addresses: string;
  /** Of -c and postgresql.conf. */
  settings: Record<string, string>;
  startedAt: number;
  isReady: boolean;
  /** Why it cannot start; '' when it can. */
  problem: string;
  endsAt: number | null;
  /** Its background processes. */
  children: Children;
  nextPid: number;
};

export type Prepared = { sql: string; parameters: number };
/** A bound statement; its result once it has run. */
export type Portal = {
  sql: string;
  values: (string | null)[];
  result: {
    columns: { name: string; type: string }[] | null;
    rows: (string | null)[][];
    tag: string;
    at: number;
  } | null;
};

/** A connection's state. */
export type Client = {
  copy: CopyIn | null;
  phase: 'startup' | 'first' | 'final' | 'password' | 'ready';
  pid: number;
  session: Session;
  /** Of SCRAM: the client's first message, and the server's. */
  bare: string;
  serverFirst: string;
  prepared: Record<string, Prepared>;
  portals: Record<string, Portal>;
  /** After an error, until Sync. */
  isSkipping: boolean;
  state: string;
  query: string;
};

/** Charged for each thousand operations of SQLite: 10 µs. */
export const STEPS = 100;

/** As ReadyForQuery tells it: idle, in a transaction, in a failed one. */
export const statusOf = ({ session: { block } }: Client): 'I' | 'T' | 'E' =>
  block === null ? 'I' : block.hasFailed ? 'E' : 'T';
