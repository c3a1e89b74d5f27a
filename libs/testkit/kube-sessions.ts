import type {
  PortForwardResponse,
  SessionAnswer,
  SessionOutput,
  SessionPosition,
  SessionReference,
  SessionRequest,
  SessionResponse,
} from '@terrarium/engine';
import type { Command } from '../host/exec/commands/command-streams.js';
import { ContainerSession } from '../host/exec/container-session.js';
import type { PortDialer } from '../host/exec/ports/port-dialer.js';
import type { SessionLink } from '../host/exec/session-link.js';

/** Real ms without anything new after which time goes on to when a session wakes. */
const IDLE_BEFORE_JUMP_MS = 20;
/** A client that waits for what is further off waits in vain. */
const LONGEST_JUMP_MS = 60_000;

interface SessionCluster {
  run(request: SessionRequest): SessionAnswer;
  read(session: SessionReference, position: SessionPosition): SessionOutput;
  /** Virtual ms since the epoch. */
  now(): number;
  /** Virtual ms since the epoch. */
  advanceTo(time: number): void;
}

/** Sessions of a cluster without a host, in virtual time: it goes on when a session waits for it. */
export class KubeSessions {
  private readonly listeners = new Set<() => void>();

  constructor(private readonly cluster: SessionCluster) {}

  /** The cluster has changed. */
  publish(): void {
    for (const changed of [...this.listeners]) changed();
  }

  commandOf({ opened, streams, command }: SessionResponse): Command {
    const session = opened.session && new ContainerSession(this.linkOf(opened.session));
    return { ...streams, session, failure: opened.failure, command };
  }

  portsOf({ target }: PortForwardResponse): PortDialer {
    const { cluster } = this;
    return {
      podName: target.pod,
      connect: async (port) => {
        const answer = cluster.run({ type: 'openPort', target, port });
        if (answer.type !== 'port') throw new Error(answer.type);
        const { opened } = answer;
        if (opened.failure) return { type: 'failure', message: opened.failure.message };
        if (!opened.session) return { type: 'http' };
        return { type: 'session', session: new ContainerSession(this.linkOf(opened.session)) };
      },
      send: async (request) => {
        const answer = cluster.run({ type: 'dial', target, request });
        if (answer.type !== 'dialed') throw new Error(answer.type);
        return answer.answer;
      },
    };
  }

  sessionOf(session: SessionReference): ContainerSession {
    return new ContainerSession(this.linkOf(session));
  }

  private linkOf(session: SessionReference): SessionLink {
    let wake: { readonly at: number; readonly from: number } | undefined;
    return {
      input: async (input) => {
        const answer = this.cluster.run({ type: 'input', session, input });
        if (answer.type !== 'taken') throw new Error(answer.type);
        return answer.bytes;
      },
      read: async (position) => {
        if (wake && performance.now() >= wake.from) this.cluster.advanceTo(wake.at);
        const output = this.cluster.read(session, position);
        const { wakeAt = Infinity } = output;
        wake =
          wakeAt - this.cluster.now() > LONGEST_JUMP_MS
            ? undefined
            : { at: wakeAt, from: performance.now() + IDLE_BEFORE_JUMP_MS };
        return { output, wakeInMs: wake && IDLE_BEFORE_JUMP_MS + 1 };
      },
      listen: async ({ changed }) => {
        this.listeners.add(changed);
        return () => void this.listeners.delete(changed);
      },
    };
  }
}
