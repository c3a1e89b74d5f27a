import { finished } from 'node:stream';
import { ApiError } from '@terrarium/engine';
import type { ContainerSession } from '../container-session.js';
import { HttpOnBytes } from './http-on-bytes.js';
import type { ForwardedConnection, PortDialer } from './port-dialer.js';

/** Joins a client's connections with what listens in a pod: bytes both ways, and each way ends by itself. */
export class PortForwarder {
  private readonly https = new Map<number, HttpOnBytes>();
  private readonly sessions = new Set<ContainerSession>();
  private isClosed = false;

  constructor(private readonly dialer: PortDialer) {}

  async forward(connection: ForwardedConnection): Promise<void> {
    const { port, data, done } = connection;
    // Nothing is read, and so nothing sent, before the other side is there.
    data.pause();
    try {
      const connected = await this.dialer.connect(port);
      if (connected.type === 'failure') {
        data.resume().end();
        return done(connected.message);
      }
      if (connected.type === 'http') this.serveHttp(connection);
      else this.join(connected.session, connection);
    } catch (error) {
      data.resume().end();
      done(this.errorOf(port, error instanceof ApiError ? error.message : 'internal error'));
    }
  }

  /** The client has left. */
  close(): void {
    this.isClosed = true;
    for (const session of this.sessions) session.close();
    this.sessions.clear();
  }

  private serveHttp({ port, data, done }: ForwardedConnection): void {
    let http = this.https.get(port);
    if (!http) this.https.set(port, (http = new HttpOnBytes(port, (request) => this.dialer.send(request))));
    finished(data, () => done());
    data.resume();
    http.serveOn(data);
  }

  private join(session: ContainerSession, { data, done }: ForwardedConnection): void {
    if (this.isClosed) return session.close();
    this.sessions.add(session);
    data.pipe(session.stdin);
    session.stderr.resume();
    session.stdout.pipe(data);
    finished(data, { readable: false }, () => {
      this.sessions.delete(session);
      session.close();
      done();
    });
  }

  /** Models kubelet/pkg/cri/streaming/portforward/httpstream.go portForward. */
  private errorOf(port: number, message: string): string {
    return `error forwarding port ${port} to pod ${this.dialer.podName}, uid : ${message}`;
  }
}
