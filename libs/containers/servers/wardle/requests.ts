import type { Plain } from '../../../engine/kernel/process/program.js';
import type { AppliedChange } from '../../../engine/machinery/requests/http.js';
import { bytesOf } from '../../../engine/kernel/bytes.js';
import type { Dial } from '../dial.js';
import type { AnswerParts, HttpReply, HttpRequest } from '../http.js';
import type { Connection, Running } from '../serve.js';
import { needsStore, NOTHING, serveApi, trusted } from './api.js';
import { askAll, askToStore, readAll, tell } from './etcd.js';
import type { Own } from './own.js';
import { beginWatch, continueWatch, spread, type WatchTask } from './watches.js';

/** What a request to objects is at: it reads all from etcd, then stores its changes one by one. */
type StoreTask = {
  phase: 'load' | 'store';
  dial: Dial | null;
  seed: string;
  tries: number;
  answer: AnswerParts | null;
  changes: AppliedChange[];
  stored: number;
};
export type Task = StoreTask | WatchTask;

/** As often as the real one's GuaranteedUpdate is likely to need. */
const MAX_TRIES = 5;

/** An error of etcd's client, as the API server passes it on. */
const failed = (why: string): AnswerParts => {
  const message = `rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: ${why}"`;
  return status(500, message);
};

const status = (code: number, message: string, reason = ''): AnswerParts => ({
  status: code,
  headers: { 'content-type': 'application/json' },
  body: bytesOf(
    `${JSON.stringify({
      ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message },
      ...(reason === '' ? {} : { reason }),
      code,
    })}\n`,
  ),
});

/** What is not about objects is answered at once. */
export function answer(sent: HttpRequest, server: Running<Own>, connection: Connection): HttpReply {
  const request = trusted(sent, connection);
  const { sys } = server;
  sys.charge(200);
  const seed = `${sys.hostname}/${sys.random()}`;
  if (!needsStore(request)) {
    const outcome = serveApi(request, NOTHING, seed, sys.clock);
    return outcome.type === 'answer' ? outcome.answer : { status: 501 };
  }
  const task: StoreTask = { phase: 'load', dial: null, seed, tries: 0, answer: null, changes: [], stored: 0 };
  return goOn(task, request, server, connection);
}

export function resume(task: Plain, request: HttpRequest, server: Running<Own>, connection: Connection): HttpReply {
  const own = task as unknown as Task;
  return own.phase === 'watch'
    ? continueWatch(own, server, connection)
    : goOn(own, trusted(request, connection), server, connection);
}

function goOn(task: StoreTask, request: HttpRequest, server: Running<Own>, connection: Connection): HttpReply {
  const { own, sys } = server;
  for (;;) {
    const question = task.phase === 'load' ? askAll() : askToStore(task.changes[task.stored]!);
    const told = tell(sys, own.etcd, question, task);
    if ('wait' in told) return { task: task as unknown as Plain, wait: told.wait };
    if ('error' in told) return failed(told.error);
    if (task.phase === 'load') {
      const contents = readAll(told.answer);
      sys.charge(contents.objects.length * 20);
      const outcome = serveApi(request, contents, task.seed, sys.clock);
      if (outcome.type === 'watch') return beginWatch(outcome.watch, contents.revision, request, server, connection);
      if (outcome.changes.length === 0) return outcome.answer;
      Object.assign(task, { phase: 'store', answer: outcome.answer, changes: [...outcome.changes], stored: 0 });
    } else if (told.answer.succeeded !== true) {
      // Somebody else has written the object: all over again.
      if (++task.tries >= MAX_TRIES) return status(409, 'the object has been modified; please try again', 'Conflict');
      Object.assign(task, { phase: 'load', answer: null, changes: [], stored: 0 });
    } else if (++task.stored === task.changes.length) {
      spread(task.changes, server);
      return task.answer ?? { status: 500 };
    }
  }
}
