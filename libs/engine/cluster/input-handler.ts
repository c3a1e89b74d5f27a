import { handle, type Server } from '../apiserver/index.js';
import type { Store } from '../apiserver/registry/store.js';
import {
  ComponentNeeded,
  OutsideCallsNeeded,
  type ApiRequest,
  type ApiResponse,
  type AskingRequest,
  type Dial,
  type OutsideResponse,
} from '../machinery/requests/http.js';
import type {
  SessionAnswer,
  SessionOutput,
  SessionPosition,
  SessionReference,
  SessionRequest,
} from '../machinery/requests/sessions.js';
import type { Millis } from '../machinery/time/time.js';
import { HistoryNeeded } from '../machinery/past-change.js';
import { UnfinishedWork } from '../machinery/unfinished.js';
import type { OutsideCalls } from './outside-calls.js';
import { recordTyped } from './typed-lines.js';
import { findPod } from './users/inner-sessions.js';
import { openPort } from './users/open-port.js';

export interface InputHandlerParts {
  readonly server: Server;
  readonly writer: Pick<Store, 'stream'>;
  readonly outsideCalls: OutsideCalls;
  readonly dialPod: Dial;
}

/**
 * What comes to a cluster from outside, at its present time: requests, and what sessions bring and read. An input that
 * cannot be answered yet leaves nothing behind.
 */
export class InputHandler {
  constructor(private readonly parts: InputHandlerParts) {}

  /** A request of a host that has nothing else to do. */
  handleToEnd(request: ApiRequest): ApiResponse {
    const { server } = this.parts;
    const { state } = server;
    for (;;) {
      const mark = state.mark();
      try {
        return handle(server, request, state.now);
      } catch (error) {
        if (!(error instanceof UnfinishedWork)) throw error;
        state.rollback(mark);
      }
    }
  }

  /**
   * Undoes what the request has done when it meets a webhook whose answer is not there yet, or waits for a component:
   * the host runs it again.
   */
  handleAsking(request: AskingRequest): ApiResponse | OutsideResponse {
    const { server, writer, outsideCalls } = this.parts;
    const { state } = server;
    const { stream } = request.outside;
    const mark = state.mark();
    writer.stream = stream && stream - state.revision;
    try {
      return outsideCalls.run(request.outside, () => handle(server, request, state.now));
    } catch (error) {
      const waits = error instanceof ComponentNeeded;
      const unfinished = error instanceof UnfinishedWork;
      const readsHistory = error instanceof HistoryNeeded;
      if (!waits && !unfinished && !readsHistory && !(error instanceof OutsideCallsNeeded)) throw error;
      state.rollback(mark);
      if (readsHistory) return { type: 'outside', calls: [], history: error.query };
      if (unfinished) return { type: 'outside', calls: [], unfinished };
      if (waits) return { type: 'outside', calls: [], waits };
      return { type: 'outside', calls: stream ? error.calls : [] };
    } finally {
      writer.stream = 0;
    }
  }

  /** One input of a session; it changes the state as a request does. */
  handleSession(request: SessionRequest): SessionAnswer {
    const { state } = this.parts.server;
    const mark = state.mark();
    try {
      return this.answerSession(request);
    } catch (error) {
      if (!(error instanceof UnfinishedWork)) throw error;
      state.rollback(mark);
      return { type: 'unfinished' };
    }
  }

  private answerSession(request: SessionRequest): SessionAnswer {
    const { state, sessions } = this.parts.server;
    switch (request.type) {
      case 'input': {
        const { session, input } = request;
        const taken = sessions?.input(session, input, state.now);
        if (taken && session.typist) recordTyped(this.parts.server, session.typist, taken.lines);
        return { type: 'taken', bytes: taken?.bytes ?? input.stdin?.length ?? 0 };
      }
      case 'openPort':
        return { type: 'port', opened: openPort(this.parts.server, request.target, request.port) };
      case 'dial': {
        const pod = findPod(state, request.target);
        const answer = pod && this.parts.dialPod(pod, request.request, state.now);
        return { type: 'dialed', answer: answer ?? { error: 'EOF' } };
      }
    }
  }

  /** What a session has printed after a position. Changes nothing. */
  readSession(session: SessionReference, position: SessionPosition, now: Millis): SessionOutput {
    const { sessions } = this.parts.server;
    try {
      return sessions?.read(session, position, now) ?? { stdout: '', stderr: '', exit: { code: 0 } };
    } catch (error) {
      if (error instanceof UnfinishedWork) return { stdout: '', stderr: '', ...position, wakeAt: now };
      throw error;
    }
  }
}
