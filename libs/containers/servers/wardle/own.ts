import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Plain } from '../../../engine/kernel/process/program.js';
import type { Dial } from '../dial.js';

/** What the server keeps while it runs. */
export type Own = {
  argv: Bytes[];
  /** The URL of its etcd. */
  etcd: string;
  dial: Dial | null;
  /** When it gives etcd up. */
  until: number;
  /** A ServerHello. */
  hello: Plain;
  isListening: boolean;
  /** Its last changes (AppliedChange), and the revision after which they are all here: for watches. */
  changes: Plain[];
  since: number;
};
