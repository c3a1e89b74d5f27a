import type { JournalEntry } from './systemd/journal.js';

/** Syslog's levels, by their numbers. */
const LEVELS = ['emerg', 'alert', 'crit', 'err', 'warning', 'notice', 'info', 'debug'];
const [ERR, WARNING, NOTICE, INFO] = [3, 4, 5, 6];

/**
 * The level of an entry. What a service writes to its standard error is information, whatever it says: klog's letter is
 * text to journald. systemd's own words have the levels of its src/core.
 */
export function priorityOf({ program, text }: Pick<JournalEntry, 'program' | 'text'>): number {
  if (program !== 'systemd') return INFO;
  if (text.includes('Unable to locate executable')) return ERR;
  if (text.includes('Failed with result')) return WARNING;
  return text.includes('Main process exited') ? NOTICE : INFO;
}

/** 'err', '3', 'warning..err': whether a level is asked for. Undefined: there is no such level. */
export function parsePriorities(text: string): ((level: number) => boolean) | undefined {
  const [from, to, ...rest] = text.split('..').map(levelOf);
  if (from === undefined || rest.length > 0 || (text.includes('..') && to === undefined)) return undefined;
  const [low, high] = to === undefined ? [0, from] : [Math.min(from, to), Math.max(from, to)];
  return (level) => level >= low && level <= high;
}

function levelOf(word: string): number | undefined {
  const at = LEVELS.indexOf(word);
  if (at >= 0) return at;
  return word.length === 1 && word >= '0' && word <= '7' ? Number(word) : undefined;
}
