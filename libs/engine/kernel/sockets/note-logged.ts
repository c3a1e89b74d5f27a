import type { NameAnswer } from '../process/syscalls.js';
import type { State } from '../state.js';

/** Questions that one machine remembers. */
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
  const question = { at: state.now + delay, server: logged.server, text };
  state.questions = [...state.questions, question].slice(-MAX_QUESTIONS);
}
