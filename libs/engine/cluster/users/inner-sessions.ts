import type { Pod } from '../../api/core_v1.js';
import { Pods } from '../../kinds/index.js';
import type { Reader } from '../../machinery/client.js';
import { hex, hmac } from '../../machinery/crypto/sha256.js';
import type {
  PodHttpAnswer,
  PodHttpRequest,
  PortForwardResponse,
  SessionResponse,
} from '../../machinery/requests/http.js';
import type {
  OpenedPort,
  PodReference,
  SessionInput,
  SessionReference,
  Sessions,
  Typist,
} from '../../machinery/requests/sessions.js';
import type { Millis } from '../../machinery/time/time.js';

/** Where a program of the cluster exchanges bytes with a session that the API server has opened for it. */
export const SESSIONS_PATH = '/terrarium.dev/sessions';

export interface InnerSessionsParts {
  readonly sessions: Sessions | undefined;
  /** What tickets are sealed with: nobody else can make one. */
  readonly secret: string;
  /** A user has typed lines on the terminal of a session. */
  recordTyped(by: Typist, lines: readonly string[]): void;
  /** A connection to a port of a pod. */
  openPort(target: PodReference, port: number): OpenedPort;
}

/** The permission to open ports of a pod. */
interface Forwarding {
  readonly forward: PodReference;
}

/** One exchange: what a session is given, and from where on its output is asked for. */
interface Exchange {
  readonly ticket?: unknown;
  /** To be opened in the pod that the ticket is for. */
  readonly port?: unknown;
  readonly stdoutFrom?: unknown;
  readonly stderrFrom?: unknown;
  readonly input?: SessionInput;
}

/**
 * exec, attach and port-forward for programs of the cluster, such as kubectl in a node's shell. They have no upgraded
 * connection: the API server, which has looked at what the user may do, gives a sealed ticket, and whoever holds it
 * exchanges bytes by requests. Bytes are strings of characters 0 to 255 in JSON.
 */
export class InnerSessions {
  constructor(private readonly parts: InnerSessionsParts) {}

  /** The API server's answer to an upgrade: `{ticket}`, or `{failure}` in the kubelet's words. */
  answerUpgrade(response: SessionResponse | PortForwardResponse): PodHttpAnswer {
    if (response.type === 'portforward') return answer({ ticket: this.seal({ forward: response.target }) });
    const { session, failure } = response.opened;
    return answer(session ? { ticket: this.seal(session) } : { failure: failure?.message ?? 'no session' });
  }

  /** `{ticket, stdoutFrom, stderrFrom, input}`, or `{ticket, port}`. */
  exchange({ body }: PodHttpRequest, now: Millis): PodHttpAnswer {
    const { sessions } = this.parts;
    const request = readJson<Exchange>(body);
    const sealed = typeof request?.ticket === 'string' ? this.unseal(request.ticket) : undefined;
    if (!sessions || !request || !sealed) return { status: 403, body: 'no such session' };
    if ('forward' in sealed) return this.forward(sealed.forward, countOf(request.port));
    const session = sealed;
    const position = { stdoutFrom: countOf(request.stdoutFrom), stderrFrom: countOf(request.stderrFrom) };
    const { bytes, lines } = sessions.input(session, request.input ?? {}, now);
    if (session.typist) this.parts.recordTyped(session.typist, lines);
    const { stdout, stderr, exit, wakeAt, stdoutFrom = 0, stderrFrom = 0 } = sessions.read(session, position, now);
    const next = { stdout: stdoutFrom + stdout.length, stderr: stderrFrom + stderr.length };
    if (stdout !== '' || stderr !== '') sessions.input(session, { received: next }, now);
    const positions = { stdoutFrom: next.stdout, stderrFrom: next.stderr };
    return answer({ stdout, stderr, taken: bytes, ...positions, ...(exit && { exit }), ...(wakeAt && { wakeAt }) });
  }

  /** `{ticket}` of the connection, `{http: true}`, or `{failure}`. */
  private forward(target: PodReference, port: number): PodHttpAnswer {
    const opened = this.parts.openPort(target, port);
    if ('http' in opened) return answer({ http: true });
    return answer(opened.session ? { ticket: this.seal(opened.session) } : { failure: opened.failure.message });
  }

  private seal(session: SessionReference | Forwarding): string {
    const text = JSON.stringify(session);
    return `${hex(hmac(this.parts.secret, text))}.${text}`;
  }

  private unseal(sealed: string): SessionReference | Forwarding | undefined {
    const at = sealed.indexOf('.');
    const text = sealed.slice(at + 1);
    return hex(hmac(this.parts.secret, text)) === sealed.slice(0, at)
      ? readJson<SessionReference | Forwarding>(text)
      : undefined;
  }
}

/** The pod that a reference names, while it lives. */
export function findPod(read: Reader, { namespace, pod: name, uid }: PodReference): Pod | undefined {
  const pod = read.get(Pods, { namespace, name });
  return pod?.metadata.uid === uid ? pod : undefined;
}

const answer = (body: object): PodHttpAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const countOf = (value: unknown): number => (typeof value === 'number' && value >= 0 ? Math.floor(value) : 0);

function readJson<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}
