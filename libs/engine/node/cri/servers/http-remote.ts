import { bytesOf, textOf, type Bytes } from '../../../kernel/bytes.js';
import type { Remote, RemoteAnswer, ServerLine } from '../../../kernel/network.js';
import type { LaterAnswer, PodHttpAnswer, PodHttpRequest } from '../../../machinery/requests/pod-http.js';
import type { Millis } from '../../../machinery/time/time.js';
import { provenCertificate } from '../../cni/client-proof.js';
import { BAD_REQUEST, formatAnswer, parseRequest } from '../../cni/http-bytes.js';
import { formatAlert, formatHello, parseHello, type ClientHello, type ServerHello } from '../../cni/tls.js';

const REFUSED = { send: BAD_REQUEST, close: true };
const WAITING = { send: '', close: false };
const PLAIN_TO_TLS = 'HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n';

/**
 * An HTTP server that is a function of each request. Undefined from `serve`: the answer is not known yet. `since`: when
 * the request was sent.
 */
export interface HttpServer {
  readonly port: number;
  /** What it shows in a TLS handshake; undefined: it speaks plain HTTP. */
  readonly tls?: ServerHello;
  /** Why it ends the handshake of a client with this certificate (DER), or without one: the number of an alert. */
  refuses?(certificate: Uint8Array | undefined, now: Millis): number | undefined;
  /** The line of its log about a request, with its answer. */
  logOf?(answer: PodHttpAnswer): ServerLine | undefined;
  serve(request: PodHttpRequest, now: Millis, since: Millis): PodHttpAnswer | LaterAnswer | undefined;
}

/** A peer that answers HTTP requests, one connection of it. */
export class HttpRemote implements Remote {
  private isGreeted = false;
  private clientCertificate: Uint8Array | undefined;

  constructor(private readonly server: HttpServer) {}

  answer(received: Bytes, now: Millis, since = now): RemoteAnswer {
    const { tls } = this.server;
    if (!tls) return this.serveAll(received, 'http', now, since);
    const hello = parseHello<ClientHello>(received);
    if (hello) {
      this.isGreeted = true;
      this.clientCertificate = provenCertificate(hello.hello, now);
      const alert = this.server.refuses?.(this.clientCertificate, now);
      if (alert !== undefined) return { send: formatHello(tls) + formatAlert(alert), close: true };
      const { send, ...rest } = this.serveAll(hello.rest, 'https', now, since);
      return { send: formatHello(tls) + send, ...rest };
    }
    if (this.isGreeted) return this.serveAll(received, 'https', now, since);
    return hello === undefined ? WAITING : { send: PLAIN_TO_TLS, close: true };
  }

  private serveAll(received: Bytes, scheme: 'http' | 'https', now: Millis, since: Millis): RemoteAnswer {
    const request = received === '' ? undefined : parseRequest(received);
    if (request === undefined) return WAITING;
    if (request === 'bad') return REFUSED;
    const { method, path, headers, keepsAlive, length } = request;
    const { port } = this.server;
    const { clientCertificate } = this;
    const asked = { scheme, port, method, path, headers, body: textOf(request.body) };
    const answer = this.server.serve({ ...asked, ...(clientCertificate ? { clientCertificate } : {}) }, now, since);
    if (!answer) return WAITING;
    if ('askAgainAt' in answer) return { ...WAITING, ...answer };
    const send = formatAnswer({ ...answer, body: bytesOf(answer.body ?? '') }, method, !keepsAlive);
    const line = this.server.logOf?.(answer);
    if (!keepsAlive) return { send, close: true, ...(line ? { logged: [line] } : {}) };
    const { logged = [], ...rest } = this.serveAll(received.slice(length), scheme, now, now);
    const lines = line ? [line, ...logged] : logged;
    return { send: send + rest.send, close: rest.close, ...(lines.length > 0 ? { logged: lines } : {}) };
  }
}
