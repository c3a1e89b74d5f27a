import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex, Writable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type {
  ApiRequest,
  ApiResponse,
  ApiError,
  AppliedChange,
  Cluster,
  ProxiedResponse,
  SessionAnswer,
  SessionRequest,
  StreamResponse,
  User,
  WatchResponse,
} from '@terrarium/engine';
import { isRefusedConnection } from '@terrarium/engine';
import { Clocks } from '../engine/kinds/index.js';
import { requestHeaders } from '../host/gate/request-headers.js';
import {
  acceptFrames,
  acceptLog,
  acceptPortForward,
  acceptSession,
  authorizeByProtocol,
} from '../host/exec/websocket/websocket.js';
import { KubeSessions } from './kube-sessions.js';
import { readProxied, respondWith } from '../host/exec/proxied/serve-proxied.js';
import { statusResponse } from '../host/gate/status-responses.js';
import { refuseOnSocket, respondOnSocket } from '../host/gate/respond-on-socket.js';
import { enterNode } from './node-entrance.js';
import { selfSignedCertificate } from './beds/self-signed-certificate.js';

const ADMIN: User = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
/**
 * The administrator's token. A request without one is the administrator's too, over plain HTTP only. Any other is for
 * the cluster to know.
 */
export const ADMIN_TOKEN = 't';
/** Real ms without a request after which time jumps to the next timer, while somebody watches. */
const IDLE_BEFORE_JUMP = 15;
/**
 * Time does not jump to what is further off, such as the end of events' lives: a client that waits for it waits in
 * vain.
 */
const LONGEST_JUMP = 20 * 60_000;

/** Changes kept for watches that begin in the past. */
const MAX_HISTORY = 20_000;

const isAdmin = ({ socket, headers: { authorization } }: http.IncomingMessage): boolean =>
  authorization === undefined ? !(socket instanceof TLSSocket) : authorization === `Bearer ${ADMIN_TOKEN}`;
const certificateOf = (socket: unknown): Uint8Array | undefined =>
  socket instanceof TLSSocket ? socket.getPeerX509Certificate()?.raw : undefined;

interface Stream {
  readonly response: Writable;
  feed(changes: readonly AppliedChange[]): void;
}

/** One in-memory cluster behind HTTP and HTTPS, in virtual time: what transcripts and client tests talk to. */
export class KubeServer {
  private readonly streams = new Set<Stream>();
  /** What watches from an earlier revision are given first. */
  private readonly history: AppliedChange[] = [];
  private readonly server = http.createServer((req, res) => void this.serve(req, res).catch(() => res.destroy()));
  private readonly certificate = selfSignedCertificate('127.0.0.1', Date.now());
  private readonly secure = https.createServer(
    {
      cert: this.certificate.certificate,
      key: this.certificate.privateKey,
      requestCert: true,
      rejectUnauthorized: false,
    },
    (req, res) => void this.serve(req, res).catch(() => res.destroy()),
  );
  private timer: NodeJS.Timeout | undefined;
  private readonly sessions = new KubeSessions({
    run: (request) => this.runSession(request),
    read: (session, position) => this.cluster.readSession(session, position, this.now),
    now: () => this.now,
    advanceTo: (time) => this.wait(Math.max(0, time - this.now)),
  });

  private constructor(
    readonly cluster: Cluster,
    private now: number,
  ) {}

  static async start(cluster: Cluster, now: number): Promise<KubeServer> {
    const server = new KubeServer(cluster, now);
    server.settle();
    for (const s of [server.server, server.secure])
      s.on('upgrade', (req, socket, head) => server.upgrade(req, socket, head));
    for (const s of [server.server, server.secure])
      await new Promise<void>((resolve) => s.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Clients built on client-go send tokens to this one only. */
  get secureUrl(): string {
    return `https://127.0.0.1:${(this.secure.address() as AddressInfo).port}`;
  }

  /** PEM of what the secure server shows. */
  get authority(): string {
    return this.certificate.certificate;
  }

  /** Virtual time passes, with everything that falls due on the way. */
  wait(ms: number): void {
    this.now += ms;
    this.settle();
  }

  async stop(): Promise<void> {
    clearTimeout(this.timer);
    for (const s of this.streams) s.response.destroy();
    for (const s of [this.server, this.secure]) {
      s.closeAllConnections();
      await new Promise((resolve) => s.close(resolve));
    }
  }

  private settle(): void {
    const mark = this.cluster.mark();
    if (!this.cluster.state.get(Clocks, { namespace: '', name: 'clock' })?.spec.paused) this.cluster.advance(this.now);
    while (this.cluster.isAdvancing) this.cluster.advanceAt(this.now, Number.POSITIVE_INFINITY);
    this.publish(this.cluster.since(mark));
    this.cluster.commit();
    this.now = Math.max(this.now, this.cluster.state.now);
  }

  /** What comes over a connection into a pod. */
  private runSession(request: SessionRequest): SessionAnswer {
    clearTimeout(this.timer);
    const mark = this.cluster.mark();
    let answer: SessionAnswer;
    do answer = this.cluster.handleSession(request, this.now);
    while (answer.type === 'unfinished');
    this.publish(this.cluster.since(mark));
    this.cluster.commit();
    this.settle();
    return answer;
  }

  private publish(changes: readonly AppliedChange[]): void {
    for (const c of changes) this.history.push(c);
    if (this.history.length > MAX_HISTORY) this.history.splice(0, this.history.length - MAX_HISTORY / 2);
    if (changes.length > 0) for (const s of this.streams) s.feed(changes);
    this.sessions.publish();
    this.schedule();
  }

  /** While a client waits at a watch and nothing happens, time goes on to the next timer. */
  private schedule(): void {
    clearTimeout(this.timer);
    if (this.streams.size === 0) return;
    this.timer = setTimeout(() => {
      const next = this.cluster.nextWake;
      if (next === undefined || next - this.now > LONGEST_JUMP) return;
      this.now = Math.max(this.now, next);
      this.settle();
      this.publish([]);
    }, IDLE_BEFORE_JUMP);
  }

  private async serve(req: http.IncomingMessage, res: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk as Buffer);
    this.run(req, chunks, (response) => this.answer(response, res));
  }

  /** A request that wants its connection for itself. */
  private upgrade(req: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    authorizeByProtocol(req);
    this.run(req, [], (response) => {
      const handshake = { raw: req, socket, head, headers: {} };
      if (response.type === 'body') return respondOnSocket(socket, response);
      if (response.type === 'session') return void acceptSession(handshake, this.sessions.commandOf(response));
      if (response.type === 'portforward')
        return void acceptPortForward(handshake, response.ports, this.sessions.portsOf(response));
      if (response.type === 'proxied') return void this.joinProxied(response, req, socket, head);
      const accept = response.type === 'stream' ? acceptLog : acceptFrames;
      accept(handshake, (target) => this.begin(response, target));
    });
  }

  private run(req: http.IncomingMessage, chunks: readonly Buffer[], answer: (response: ApiResponse) => void): void {
    clearTimeout(this.timer);
    const [asked = '/', query = ''] = (req.url ?? '/').split('?');
    const entered = enterNode(asked);
    if ('pod' in entered) {
      const headers = { 'content-type': 'application/json' };
      return answer({ type: 'body', status: 200, headers, body: JSON.stringify(entered.pod) });
    }
    const { path } = entered;
    const request: ApiRequest = {
      method: req.method ?? 'GET',
      path,
      query,
      headers: requestHeaders(req),
      body: chunks.length ? new Uint8Array(Buffer.concat(chunks)) : undefined,
      user: isAdmin(req) ? ADMIN : undefined,
      clientCertificate: certificateOf(req.socket),
    };
    const mark = this.cluster.mark();
    const response = this.cluster.handle(request, this.now);
    const changes = this.cluster.since(mark);
    this.cluster.commit();
    this.publish(changes);
    answer(response);
    this.settle();
  }

  private answer(response: ApiResponse, res: http.ServerResponse): void {
    if (response.type === 'body' && isRefusedConnection(response)) return refuseOnSocket(res.socket!, response);
    if (response.type === 'proxied') return void this.answerProxied(response, res);
    res.writeHead(response.status, response.headers as http.OutgoingHttpHeaders);
    if (response.type !== 'watch' && response.type !== 'stream')
      return void res.end(response.type === 'body' ? response.body : '');
    res.flushHeaders();
    this.begin(response, res);
  }

  private async answerProxied(response: ProxiedResponse, res: http.ServerResponse): Promise<void> {
    const session = this.sessions.sessionOf(response.pending.session);
    res.on('close', () => session.close());
    try {
      const found = await readProxied(response, session, res.req.method ?? 'GET');
      if (found.type === 'upgraded') throw response.refuse('unexpected upgrade');
      res.writeHead(found.response.status, found.response.headers as http.OutgoingHttpHeaders);
      res.flushHeaders();
      if (found.type === 'body') return void res.end(found.response.body);
      found.body.pipe(res);
    } catch (error) {
      this.answer(statusResponse(error as ApiError), res);
    }
  }

  private async joinProxied(
    response: ProxiedResponse,
    req: http.IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<void> {
    const session = this.sessions.sessionOf(response.pending.session);
    socket.on('close', () => session.close()).on('error', () => socket.destroy());
    try {
      const found = await readProxied(response, session, req.method ?? 'GET');
      if (found.type !== 'upgraded') return await respondWith(socket, found);
      socket.unshift(head);
      found.join(socket);
    } catch (error) {
      respondOnSocket(socket, statusResponse(error as ApiError));
    }
  }

  private begin(response: WatchResponse | StreamResponse, res: Writable): void {
    const stream = response.type === 'watch' ? this.watch(response, res) : this.follow(response, res);
    this.streams.add(stream);
    res.on('close', () => this.streams.delete(stream));
    stream.feed([]);
  }

  private watch(plan: WatchResponse, response: Writable): Stream {
    for (const frame of plan.initial) response.write(frame);
    const oldest = this.history[0]?.revision ?? 0;
    if (this.history.length >= MAX_HISTORY / 2 && plan.fromRevision < oldest - 1)
      response.end(plan.expired(plan.fromRevision, oldest));
    const timeout = setTimeout(() => response.end(), plan.timeoutSeconds * 1000);
    response.on('close', () => clearTimeout(timeout));
    const feed = (changes: readonly AppliedChange[]): void => {
      for (const c of changes) {
        const frame = c.resource === plan.resource && c.revision > plan.fromRevision ? plan.encode(c) : undefined;
        if (frame !== undefined) response.write(frame);
      }
    };
    if (this.history.at(-1)?.revision !== plan.fromRevision) feed(this.history);
    return { response, feed };
  }

  private follow(plan: StreamResponse, response: Writable): Stream {
    return {
      response,
      feed: () => {
        const { chunk, done } = plan.next(this.now);
        if (chunk) response.write(chunk);
        if (done) response.end();
      },
    };
  }
}
