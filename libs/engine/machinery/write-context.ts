import type { Auth } from './requests/auth.js';
import type { FlowReader } from './questions/flow.js';
import type { Random } from './random.js';
import type { Reader } from './reader.js';
import type { Millis } from './time/time.js';
import type { Tracer } from './questions/trace.js';
import type { User } from './requests/user.js';
import type { Answerer, TimelineReader } from './questions/why.js';

/** What a kind's hooks may use beside the object: nothing else may decide what they do. */
export interface WriteContext {
  readonly now: Millis;
  readonly random: Random;
  /** The state before the write. */
  readonly read: Reader;
  /** Who writes. */
  readonly user: User;
  readonly auth: Auth;
  /** Absent: the cluster has no network. */
  readonly trace?: Tracer | undefined;
  /** The same. */
  readonly flows?: FlowReader | undefined;
  /** Absent: nobody here knows the whole cluster. */
  readonly why?: Answerer | undefined;
  /** The same. */
  readonly timeline?: TimelineReader | undefined;
}
