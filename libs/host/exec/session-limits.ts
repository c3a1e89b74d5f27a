/** Bounds of the connection of one session. What runs in the container is bounded by its machine. */
export interface SessionLimits {
  /** Bytes of one input. */
  readonly inputBytes: number;
  /** Input that waits to be taken, and input that was taken and that the process has not read. */
  readonly waitingBytes: number;
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
  inputBytes: 256 * KIB,
  waitingBytes: 512 * KIB,
  outputBytes: 256 * KIB,
  unacknowledgedBytes: 64 * KIB,
  idleMs: 10 * MINUTE_MS,
  sessionMs: 4 * 60 * MINUTE_MS,
};

/** Of a connection to a port: its socket holds no more, and what it does not take is lost. */
export const PORT_LIMITS: SessionLimits = { ...SESSION_LIMITS, inputBytes: 128 * KIB, waitingBytes: 256 * KIB };
