import type { Bytes } from '../bytes.js';
import { wake } from '../scheduler/queue.js';
import type { State } from '../state.js';
import type { Session, SessionStream } from './session.js';

/** Bytes of one stream that may wait for a client's acknowledgement. */
const CAPACITY = 1024 * 1024;
/**
 * So many at first, and after an input: what waits is written down with the input, and its client may not want more. As
 * in TCP's slow start, the window grows with each acknowledgement of a full one.
 */
export const FIRST_WINDOW = 64 * 1024;

export const sessionChannel = (id: string): string => `session${id}`;

export function makeSession(state: State, type: Session['type'], container: string): Session {
  const stream = () => ({ from: 0, data: '', writers: 0 });
  const id = String(state.counters.session++);
  const session: Session = { id, type, container, stdout: stream(), stderr: stream(), isHungUp: false };
  state.sessions.set(id, session);
  return session;
}

/** How many bytes it took: 0 while the client has not acknowledged what is there. A client that is gone takes all. */
export function printToSession(session: Session, stream: 'stdout' | 'stderr', bytes: Bytes): number {
  if (session.isHungUp) return bytes.length;
  const out = session[stream];
  const taken = bytes.slice(0, Math.max(0, windowOf(out) - out.data.length));
  out.data += taken;
  return taken.length;
}

const windowOf = ({ window = FIRST_WINDOW }: SessionStream): number => window;

/** The client has sent something: what it asks for may be another answer. */
export function closeWindows({ stdout, stderr }: Session): void {
  delete stdout.window;
  delete stderr.window;
}

export const canPrint = (session: Session, stream: 'stdout' | 'stderr'): boolean =>
  session.isHungUp || session[stream].data.length < windowOf(session[stream]);

/** An attached client that is too slow loses the oldest output: it must not stop the container. */
export function showToAttached(state: State, container: string, stream: 'stdout' | 'stderr', bytes: Bytes): void {
  for (const session of state.sessions.values()) {
    if (session.type !== 'attach' || session.container !== container || session.isHungUp) continue;
    const out = session[stream];
    const all = out.data + bytes;
    const dropped = Math.max(0, all.length - CAPACITY);
    out.data = all.slice(dropped);
    out.from += dropped;
  }
}

export function acknowledge(state: State, session: Session, stdoutTo: number, stderrTo: number): void {
  for (const [out, to] of [[session.stdout, stdoutTo] as const, [session.stderr, stderrTo] as const]) {
    const count = Math.min(Math.max(0, to - out.from), out.data.length);
    if (count >= windowOf(out)) out.window = Math.min(CAPACITY, 2 * windowOf(out));
    out.data = out.data.slice(count);
    out.from += count;
  }
  wake(state, sessionChannel(session.id));
}

/** Nothing more will be printed, and the exit code is known. */
export const isOver = (session: Session): boolean =>
  session.exit !== undefined && session.stdout.writers === 0 && session.stderr.writers === 0;

/** A session that is over is kept for its client to read, unless the client is gone. */
export function forgetIfOver(state: State, session: Session): void {
  if (session.type === 'exec' && session.isHungUp && isOver(session)) state.sessions.delete(session.id);
}
