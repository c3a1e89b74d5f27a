import type { Pod } from '../../../api/core_v1.js';
import { isInScope, type NamesEffect } from '../../../faults/index.js';
import type { NameAnswer } from '../../../kernel/process/syscalls.js';
import { activeEffects } from '../../../kinds/terrarium/fault/active.js';
import type { Reader } from '../../../machinery/client.js';
import { hash32 } from '../../../machinery/random.js';
import type { Millis } from '../../../machinery/time/time.js';

interface Question {
  readonly name: string;
  readonly type: string;
  readonly now: Millis;
}

/** What comes back to a pod that asks for a name, where faults concern that. */
export function withNameFaults(read: Reader, from: Pod, question: Question, ask: () => NameAnswer): NameAnswer {
  const active = activeEffects(read, 'names').filter((one) => isInScope(one.pods, from) && isNamed(one, question.name));
  if (active.length === 0) return ask();
  const broken = active.find(({ fault }) => fault !== 'slow');
  const answer = broken ? brokenAnswer(broken, question, ask) : ask();
  const delay = active.reduce((sum, { delayMs = 0 }) => sum + delayMs, 0);
  return delay > 0 ? { ...answer, delay: answer.delay + delay } : answer;
}

function brokenAnswer({ fault, seed }: NamesEffect, { name }: Question, ask: () => NameAnswer): NameAnswer {
  if (fault === 'lost') return { code: 'SERVFAIL', records: [], failure: 'lost', delay: 0 };
  if (fault === 'servfail') return { code: 'SERVFAIL', records: [], delay: 1 };
  if (fault === 'nxdomain') return { code: 'NXDOMAIN', records: [], delay: 1 };
  const answer = ask();
  const records = answer.records.map((record) =>
    record.type === 'A' ? { ...record, data: randomAddress(`${seed}/${name}`) } : record,
  );
  return { ...answer, records };
}

/** An address that nobody here has. */
const randomAddress = (text: string): string => {
  const number = hash32(text);
  return `203.0.${113 - (number % 2)}.${1 + ((number >>> 8) % 254)}`;
};

/** '*' stands for any characters, '?' for one. A final dot counts for nothing. */
function isNamed({ patterns }: NamesEffect, asked: string): boolean {
  const name = asked.replace(/\.$/, '').toLowerCase();
  return !patterns || patterns.some((pattern) => matches(pattern.toLowerCase().split('*'), name));
}

function matches([first = '', ...rest]: readonly string[], name: string): boolean {
  if (!isAt(first, name, 0)) return false;
  if (rest.length === 0) return name.length === first.length;
  const last = rest.at(-1)!;
  let at = first.length;
  for (const part of rest.slice(0, -1)) {
    while (at + part.length <= name.length && !isAt(part, name, at)) at++;
    if (at + part.length > name.length) return false;
    at += part.length;
  }
  return name.length - last.length >= at && isAt(last, name, name.length - last.length);
}

/** Whether a part of a pattern without '*' stands at a place of a name. */
const isAt = (part: string, name: string, at: number): boolean =>
  at + part.length <= name.length && [...part].every((char, i) => char === '?' || char === name[at + i]);
