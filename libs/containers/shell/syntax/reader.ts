import type { Bytes } from '../kernel.js';
import type { Flavour } from '../state/state.js';
import { findForeign, hasOpenDocument, translateDialect } from './dialect.js';
import { findProblem, isIncomplete, type Problem } from './problem.js';
import { parseUnit } from './unit.js';

/** Lines that are tried one by one when a text as a whole is no script. */
const MAX_TRIES = 500;

export interface Reading {
  /** What can be run, as bash's parser understands it. */
  readonly text: Bytes;
  /** How much of the text that is. */
  readonly length: number;
  /** What is wrong with what follows. */
  readonly problem?: Problem;
}

/** The problem of a text as a whole. */
export function checkText(flavour: Flavour, text: Bytes): Problem | undefined {
  const translated = translateDialect(flavour, text);
  return findProblem(translated, parseUnit(translated).errors) ?? findForeign(flavour, translated);
}

/**
 * Reads commands as shells do, line by line: all of the text when it is right; when it is not, the commands up to the
 * line that is wrong, and after those the problem.
 */
export function readCommands(flavour: Flavour, text: Bytes): Reading {
  const problem = checkText(flavour, text);
  if (!problem) return { text: translateDialect(flavour, text), length: text.length };
  let end = 0;
  for (let tries = 0; tries < MAX_TRIES && end < text.length; tries++) {
    const newline = text.indexOf('\n', end);
    end = newline < 0 ? text.length : newline + 1;
    const chunk = text.slice(0, end);
    const found = checkText(flavour, chunk);
    if (!found && !(end < text.length && continues(chunk)))
      return { text: translateDialect(flavour, chunk), length: end };
    if (found && !isIncomplete(found)) return { text: '', length: text.length, problem: found };
  }
  return { text: '', length: text.length, problem };
}

/** Whether the next line belongs to a command that would be whole without it. */
export const continues = (text: Bytes): boolean => /(?:^|[^\\])(?:\\\\)*\\\n$/.test(text) || hasOpenDocument(text);
