import { takeStdin } from '../../../tools/kubectl/stdin.js';
import { bytesOf, textOf } from '../../../../engine/kernel/bytes.js';
import { waitToRead, type Wait } from '../../../../engine/kernel/process/program.js';
import type { FilterContext } from '../../../tools/framework/filter.js';
import { parseFlags } from '../../../tools/kubectl/flags/flags.js';
import { readConfig } from '../../../tools/kubectl/session/config.js';
import { ApiFailure, KubectlFailure } from '../../../tools/kubectl/session/failure.js';
import { AnswerNeeded, Session, StdinNeeded } from '../../../tools/kubectl/session/session.js';
import type { Answer } from '../../../tools/kubectl/session/task.js';
import { receive, send } from '../../../tools/kubectl/session/transport.js';
import type { Fetch } from '../../../tools/network/fetch.js';
import { defineSteps } from '../../../tools/framework/steps.js';

type State = {
  answers: Answer[];
  fetch: Fetch | null;
  startedAt: number | null;
  stdin: string;
  isStdinOver: boolean;
  readsStdin: boolean;
  /** Done: it waits for its end. */
  stays: boolean;
};

const AGENT = 'kubectl/v1.36.0 (linux/amd64) kubernetes';

/** What comes of a command: its exit code, or that it stays. */
export type Outcome = number | 'stay' | void;

/** A command that asks the API server: it runs from its beginning again whenever an answer has come. */
export const defineApiClient = (
  name: string,
  table: readonly string[],
  run: (session: Session) => Outcome,
): ReturnType<typeof defineSteps<State>> =>
  defineSteps<State>({
    start: () => ({
      ...{ answers: [], fetch: null, startedAt: null, stdin: '', isStdinOver: false, readsStdin: false },
      stays: false,
    }),
    step(tool, state) {
      try {
        return advance(tool, state, name, table, run);
      } catch (error) {
        if (error instanceof ApiFailure || error instanceof KubectlFailure) {
          tool.err(bytesOf(`${error.message}\n`));
          return 1;
        }
        if (error instanceof TypeError || error instanceof SyntaxError) {
          tool.err(bytesOf(`the server's answer is none of the API: ${error.message}\n`));
          return 1;
        }
        throw error;
      }
    },
  });

function advance(
  tool: FilterContext,
  state: State,
  name: string,
  table: readonly string[],
  run: (session: Session) => Outcome,
): number | Wait {
  const { sys } = tool;
  if (state.stays) return sys.takeSignal() === undefined ? { type: 'wait' } : 0;
  const parsed = parseFlags(
    tool.args.map((word) => textOf(word)),
    table,
    name,
    false,
  );
  const config = readConfig(sys, parsed.flags);
  if (state.readsStdin && !takeStdin(tool, state)) return waitToRead(0);
  if (state.fetch) {
    const outcome = receive(sys, state.fetch, config);
    if ('wait' in outcome) return outcome.wait;
    state.fetch = null;
    state.answers.push(outcome.answer);
  }
  state.startedAt ??= sys.now;
  const session = new Session({
    ...{
      sys,
      parsed,
      path: name,
      config,
      answers: state.answers,
      startedAt: state.startedAt,
      codeBefore: 0,
      resources: [],
    },
    stdin: state.isStdinOver ? state.stdin : undefined,
  });
  try {
    const code = run(session);
    print(tool, session);
    if (code !== 'stay') return code ?? 0;
    sys.handleSignal('TERM', 'catch');
    state.stays = true;
    return { type: 'yield' };
  } catch (error) {
    if (error instanceof StdinNeeded) state.readsStdin = true;
    else if (error instanceof AnswerNeeded) state.fetch = send(sys, config, AGENT, error.call);
    else {
      print(tool, session);
      throw error;
    }
    return { type: 'yield' };
  }
}

function print(tool: FilterContext, session: Session): void {
  for (const { descriptor, text } of session.output) (descriptor === 1 ? tool.out : tool.err)(bytesOf(text));
}
