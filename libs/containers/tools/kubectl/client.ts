import { awaitChild, spawnKept, takeOutput } from './kept-output.js';
import { takeStdin } from './stdin.js';
import { bytesOf, textOf } from '../../../engine/kernel/bytes.js';
import { sleepUntil, waitToRead, type Wait } from '../../../engine/kernel/process/program.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { findCommand as findProgram } from '../framework/command.js';
import type { FilterContext } from '../framework/filter.js';
import type { Fetch } from '../network/fetch.js';
import { defineSteps } from '../framework/steps.js';
import type { Tool } from '../framework/tool.js';
import type { Command, RunTask } from './commands/command.js';
import type { ServerResource } from './discovery/resources.js';
import { DISCOVERY, readDiscovery } from './discovery/resources.js';
import { type Flags, parseFlags } from './flags/flags.js';
import { type ClientConfig, readConfig } from './session/config.js';
import { KubectlFailure, PlainFailure } from './session/failure.js';
import { AnswerNeeded, type ApiCall, DiscoveryNeeded, Session, StdinNeeded } from './session/session.js';
import { advanceStream, closeStream, newStream, type Stream } from './session/stream.js';
import { beginListening, type Listening, serveListening } from './session/listen.js';
import { type Answer, type ChildRequest, type Task, withData } from './session/task.js';
import { receive, receiveFromWeb, send, sendToWeb, UNREACHED } from './session/transport.js';

type KubectlState = {
  tasks: Task[];
  /** When the first of the tasks began; null: it waits for its time, `dueAt`. */
  startedAt: number | null;
  dueAt: number;
  /** To the requests of the first task. */
  answers: Answer[];
  fetch: Fetch | null;
  /** What is fetched is a file of the web. */
  isWeb: boolean;
  /** Whatever its server's certificate is. */
  trustsAll: boolean;
  /** The answer under way is one of discovery. */
  isDiscovery: boolean;
  discovered: number;
  resources: ServerResource[];
  stdin: string;
  isStdinOver: boolean;
  readsStdin: boolean;
  code: number;
  /** A session that the command is now. */
  stream: Stream | null;
  child: Child | null;
  /** Ports that it serves until it is ended. */
  listening: Listening | null;
};

type Child = ChildRequest & {
  pid: number;
  /** When it is killed; null: never. */
  until: number | null;
};

/** Tasks that one command may leave for later. */
const MAX_TASKS = 2_000;
const ROOTS = ['/api', '/apis'];
/** ms that the program takes until it asks for something: in it, controllers see what a command before it has done. */
const STARTUP = 60;

/** A command and its line, as a client has found them. */
export interface FoundCommand {
  readonly command: Command;
  /** `kubectl create deployment`. */
  readonly path: string;
  /** The rest of the command line. */
  readonly words: readonly string[];
}

/** A program that speaks to the API server as a kubeconfig file or a pod's service account says. */
export interface Client {
  /** The User-Agent of its requests. */
  readonly agent: string;
  /** Flags that every command knows. */
  readonly flags: readonly string[];
  /** What commands leave for later, by name. */
  readonly tasks: Readonly<Record<string, RunTask>>;
  /** The command that a command line begins with. Throws KubectlFailure. */
  find(line: readonly string[]): FoundCommand;
  /** The flags by which the kubeconfig file and what it says are chosen, by kubectl's names. */
  settings(flags: Flags, found: FoundCommand): Flags;
  /** A request that does not reach the API server is an answer to its task, which may ask again. */
  readonly goesOnUnreached?: boolean;
  /** Prints why it has failed, and returns the exit code; what is no failure of the command is thrown on. */
  fail(tool: FilterContext, error: unknown): number;
}

/** A program whose commands are tasks over the API. */
export const defineClient = (client: Client): Tool =>
  defineSteps<KubectlState>({
    start: () => ({
      ...{
        tasks: [{ name: 'main', data: null, delay: STARTUP }],
        startedAt: null,
        dueAt: 0,
        answers: [],
        fetch: null,
        ...{ isWeb: false, trustsAll: false },
      },
      ...{
        isDiscovery: false,
        discovered: 0,
        resources: [],
        stdin: '',
        isStdinOver: false,
        readsStdin: false,
        code: 0,
      },
      ...{ stream: null, child: null, listening: null },
    }),
    step(tool, state) {
      try {
        return advance(tool, state, client);
      } catch (error) {
        if (state.stream) closeStream(tool, state.stream);
        return client.fail(tool, error);
      }
    },
  });

function advance(tool: FilterContext, state: KubectlState, client: Client): number | Wait {
  const { sys } = tool;
  const found = client.find(tool.args.map((word) => textOf(word)));
  const { command, path, words } = found;
  const parsed = parseFlags(words, [...command.flags, ...client.flags], path, command.inOrder ?? false);
  const config = readConfig(sys, client.settings(parsed.flags, found), path.startsWith('kubectl config '));
  if (state.readsStdin && !takeStdin(tool, state)) return waitToRead(0);
  if (state.fetch) {
    const outcome = state.isWeb
      ? receiveFromWeb(sys, state.fetch, state.trustsAll)
      : receiveFromServer(sys, state.fetch, config, client);
    if ('wait' in outcome) return outcome.wait;
    state.fetch = null;
    takeAnswer(state, outcome.answer);
  }
  if (state.child) {
    const ended = sys.wait(state.child.pid);
    if (!ended) return awaitChild(sys, state.child);
    const { failed, after, keepsOutput } = state.child;
    const kept = keepsOutput === undefined ? {} : takeOutput(sys);
    state.child = null;
    const hasFailed = ended.code !== 0 || ended.signal !== undefined;
    if (hasFailed && failed !== undefined) throw new KubectlFailure(failed);
    state.tasks = [failed === undefined ? withData(after, { code: ended.code, ...kept }) : after, ...state.tasks];
  }
  if (state.listening) return serveListening(tool, state.listening, config);
  if (state.stream) return goOnStreaming(tool, state, state.stream, config);
  const next = state.tasks[0];
  if (next === undefined) return state.code;
  if (state.startedAt === null) {
    state.dueAt ||= sys.now + next.delay;
    if (sys.now < state.dueAt) return sleepUntil(state.dueAt);
    state.startedAt = sys.now;
    state.dueAt = 0;
  }
  const session = new Session({
    ...{ sys, parsed, path, config, answers: state.answers, startedAt: state.startedAt },
    codeBefore: state.code,
    stdin: state.isStdinOver ? state.stdin : undefined,
    resources: state.discovered < ROOTS.length ? undefined : state.resources,
  });
  try {
    const more = runTask(session, command, next, client.tasks);
    state.tasks = [...more, ...state.tasks.slice(1)].slice(0, MAX_TASKS);
    state.answers = [];
    state.startedAt = null;
    finish(tool, state, session);
    if (session.forgetsResources) {
      state.discovered = 0;
      state.resources = [];
    }
    if (session.stream) state.stream = newStream(session.stream);
    if (session.child) state.child = spawnChild(tool, session.child);
    if (session.listening) state.listening = beginListening(tool, session.listening);
    return { type: 'yield' };
  } catch (error) {
    return goOn(tool, state, session, error, (call) => {
      state.isWeb = call.web !== undefined;
      state.trustsAll = call.trustsAll === true;
      const fetch = state.isWeb ? sendToWeb(sys, client.agent, call) : send(sys, config, client.agent, call);
      if (fetch) state.fetch = fetch;
      else state.answers.push(UNREACHED);
    });
  }
}

/** Throws PlainFailure where the client does not go on. */
function receiveFromServer(
  sys: Syscalls,
  fetch: Fetch,
  config: ClientConfig,
  client: Client,
): ReturnType<typeof receive> {
  try {
    return receive(sys, fetch, config);
  } catch (error) {
    if (!client.goesOnUnreached || !(error instanceof PlainFailure)) throw error;
    return { answer: { ...UNREACHED, failure: error.message } };
  }
}

function spawnChild({ sys }: FilterContext, request: ChildRequest): Child {
  const argv = request.argv.map(bytesOf);
  try {
    const path = findProgram(sys, argv[0]!, sys.env['PATH']);
    const until = request.keepsOutput === undefined ? null : sys.now + request.keepsOutput;
    const pid = request.keepsOutput === undefined ? sys.spawn({ path, argv }) : spawnKept(sys, path, argv);
    return { ...{ pid, until }, ...request };
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    throw new KubectlFailure(request.missing);
  }
}

/** A program's exit code is told as it is. Models k8s.io/kubectl's checkErr over an ExitError. */
function goOnStreaming(tool: FilterContext, state: KubectlState, stream: Stream, config: ClientConfig): number | Wait {
  const code = advanceStream(tool, stream, config);
  if (typeof code !== 'number') return code;
  closeStream(tool, stream);
  const { tellsExit, after } = stream.request;
  state.stream = null;
  if (after) {
    state.tasks = [withData(after, { code, output: stream.collected }), ...state.tasks];
    return { type: 'yield' };
  }
  if (code === 0 || !tellsExit) return { type: 'yield' };
  tool.err(`command terminated with exit code ${code}\n`);
  state.code = code;
  return { type: 'yield' };
}

function runTask(
  session: Session,
  command: Command,
  { name, data }: Task,
  tasks: Readonly<Record<string, RunTask>>,
): readonly Task[] {
  if (name === 'main') return command.run(session) ?? [];
  const run = Object.hasOwn(tasks, name) ? tasks[name] : undefined;
  if (!run) throw new KubectlFailure(`no task ${name}`);
  return run(session, data) ?? [];
}

/** What a task has thrown: a question whose answer it waits for, or its end. */
function goOn(
  tool: FilterContext,
  state: KubectlState,
  session: Session,
  error: unknown,
  ask: (call: ApiCall) => void,
): Wait {
  if (error instanceof StdinNeeded) {
    state.readsStdin = true;
    return { type: 'yield' };
  }
  if (error instanceof DiscoveryNeeded) {
    state.isDiscovery = true;
    ask({ method: 'GET', path: ROOTS[state.discovered]!, accept: DISCOVERY, contentType: '', body: '' });
    return { type: 'yield' };
  }
  if (error instanceof AnswerNeeded) {
    ask(error.call);
    return { type: 'yield' };
  }
  // What a command printed before it failed stands.
  finish(tool, state, session);
  throw error;
}

function finish(tool: FilterContext, state: KubectlState, session: Session): void {
  for (const { descriptor, text } of session.output) (descriptor === 1 ? tool.out : tool.err)(bytesOf(text));
  state.code = Math.max(state.code, session.code);
}

function takeAnswer(state: KubectlState, answer: Answer): void {
  if (!state.isDiscovery) return void state.answers.push(answer);
  state.isDiscovery = false;
  if (answer.status === 401) throw new KubectlFailure('You must be logged in to the server (Unauthorized)');
  if (answer.status >= 400) throw new PlainFailure(`Error from server: ${answer.body.trim()}`);
  state.resources.push(...readDiscovery(answer.body));
  state.discovered++;
}
