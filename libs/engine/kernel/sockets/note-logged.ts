import type { NameAnswer } from '../process/syscalls.js';
import type { LoggedQuestion } from './logged-question.js';
import type { ServerLine } from '../network.js';
import type { State } from '../state.js';

/** Questions and requests that one machine remembers. */
const MAX_QUESTIONS = 100;

/** The server writes a line of its log when it has answered. */
export function noteLogged(
  state: State,
  answer: NameAnswer,
  asker: Readonly<Record<'remote' | 'port' | '>id', string>>,
): void {
  const { logged, delay } = answer;
  if (logged?.server === undefined) return;
  const text = logged.text.replace(/\{(remote|port|>id)\}/g, (_, name: keyof typeof asker) => asker[name]);
  remember(state, [{ at: state.now + delay, server: logged.server, text }]);
}

/** A server has written lines of its log about a request. */
export const noteServed = (state: State, lines: readonly ServerLine[]): void =>
  remember(
    state,
    lines.map((line) => ({ at: state.now, ...line })),
  );

function remember(state: State, lines: readonly LoggedQuestion[]): void {
  if (lines.length > 0) state.questions = [...state.questions, ...lines].slice(-MAX_QUESTIONS);
}
