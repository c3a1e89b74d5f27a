/** Bounds of the connection of one session. What runs in the container is bounded by its machine. */
export interface SessionLimits {
  /** Standard input, keys that were taken back included. */
  readonly totalInputBytes: number;
  /** What all runs together have read and written: every run begins at the first byte of the input. */
  readonly workBytes: number;
  /** One run, and all runs together. */
  readonly runMs: number;
  readonly totalRunMs: number;
  /** Lines of a paste that run one by one, so that each one's output stands under it; the others run together. */
  readonly singleLines: number;
  /** Bytes of one input. */
  readonly inputBytes: number;
  /** Input that waits to be taken, and input that was taken and that the process has not read. */
  readonly waitingBytes: number;
  /** Output of a command that runs anew, that waits for the client to read. */
  readonly unreadBytes: number;
  /** Output that waits for the client to read. */
  readonly outputBytes: number;
  /** Output that the client has and the machine still keeps. */
  readonly unacknowledgedBytes: number;
  /** As a kubelet, closes a connection on which nothing is sent. */
  readonly idleMs: number;
  /** As a kubelet's --streaming-connection-idle-timeout, for the whole connection. */
  readonly sessionMs: number;
}

const KIB = 1024;
const MINUTE_MS = 60_000;

export const SESSION_LIMITS: SessionLimits = {
  totalInputBytes: 256 * KIB,
  workBytes: 16 * 1024 * KIB,
  runMs: 2_000,
  totalRunMs: 10_000,
  singleLines: 32,
  inputBytes: 512 * KIB,
  waitingBytes: 512 * KIB,
  unreadBytes: 4 * 1024 * KIB,
  outputBytes: 256 * KIB,
  unacknowledgedBytes: 64 * KIB,
  idleMs: 10 * MINUTE_MS,
  sessionMs: 4 * 60 * MINUTE_MS,
};

/** Of a connection to a port: its socket holds no more, and what it does not take is lost. */
export const PORT_LIMITS: SessionLimits = { ...SESSION_LIMITS, inputBytes: 128 * KIB, waitingBytes: 256 * KIB };
