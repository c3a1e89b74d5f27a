import { findFences, replaceFences, type Fence } from './fences.js';

/** A mark behind code: what a page does when the code is clicked. */
const MARK = /\{\{([^{}]*)\}\}/g;
const KNOWN_MARK = /^(exec|copy|exec interrupt|)$/;
const TAIL = /^(?:\{\{[^{}]*\}\})?$/;
const EXEC = /^\{\{exec\b/;
const INLINE = /(?<!`)(`+)([^`\n]+)\1\{\{exec(?: interrupt)?\}\}/g;
const IMAGE = /!\[[^\]]*\]\(([^)\s]+)(?:\s[^)]*)?\)/g;
const ELSEWHERE = /^(https?:|data:)/;

/** The blocks of a text that end as they are, or with a mark. */
export const findMarkedFences = (text: string): Fence[] => findFences(text, (tail) => TAIL.test(tail));

/** The commands of a text that a click runs, in their order. */
export function commandsOf(text: string): string[] {
  const fences = findMarkedFences(text).filter(({ indent }) => indent === '');
  const found = fences
    .filter(({ tail }) => EXEC.test(tail))
    .map(({ from, body }) => ({ at: from, command: body.trim() }));
  const rest = replaceFences(text, fences, ({ from, to }) => ' '.repeat(to - from));
  for (const match of rest.matchAll(INLINE)) found.push({ at: match.index, command: match[2]!.trim() });
  return found.sort((a, b) => a.at - b.at).map(({ command }) => command);
}

/** Marks that mean something that no lab has: `TRAFFIC_HOST1_80` and others. */
export const unknownMarks = (text: string): string[] =>
  [...text.matchAll(MARK)].map((match) => match[1]!.trim()).filter((mark) => !KNOWN_MARK.test(mark));

/** Pictures that lie beside the text: a lab has texts alone. */
export const localImages = (text: string): string[] =>
  [...text.matchAll(IMAGE)].map((match) => match[1]!).filter((path) => !ELSEWHERE.test(path));
