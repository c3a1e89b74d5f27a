import {
  type PodHttpAnswer,
  type PodHttpRequest,
  type PodReference,
  type SessionAnswer,
  type SessionRequest,
} from '@terrarium/engine';
import { ClusterSession, inTurn, unexpectedAnswer, type ClusterSessionParts } from '../cluster-session.js';
import { ContainerSession } from '../container-session.js';
import type { ConnectedPort, PortDialer } from './port-dialer.js';
import { PORT_LIMITS } from '../session-limits.js';

/** The ports of one pod of a cluster. Each connection and each request takes a turn as a request of its tenant does. */
export class ClusterPorts implements PortDialer {
  constructor(
    private readonly parts: ClusterSessionParts,
    private readonly id: string,
    private readonly target: PodReference,
  ) {}

  get podName(): string {
    return this.target.pod;
  }

  async connect(port: number): Promise<ConnectedPort> {
    const answer = await this.run({ type: 'openPort', target: this.target, port });
    if (answer.type !== 'port') throw unexpectedAnswer();
    const { opened } = answer;
    if (opened.failure) return { type: 'failure', message: opened.failure.message };
    if (!opened.session) return { type: 'http' };
    const link = new ClusterSession(this.parts, this.id, opened.session);
    return { type: 'session', session: new ContainerSession(link, PORT_LIMITS) };
  }

  async send(request: PodHttpRequest): Promise<PodHttpAnswer | { readonly error: string }> {
    const answer = await this.run({ type: 'dial', target: this.target, request });
    if (answer.type !== 'dialed') throw unexpectedAnswer();
    return answer.answer;
  }

  private run(request: SessionRequest): Promise<SessionAnswer> {
    const { clusters, requests } = this.parts;
    return clusters.use(this.id, (cluster) =>
      inTurn(this.parts, cluster.row.tenantId, 0, () => requests.runSession(cluster, request)),
    );
  }
}
