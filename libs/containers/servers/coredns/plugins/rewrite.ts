import { compilePattern } from '../../../../engine/machinery/text/regex.js';
import type { Directive } from '../corefile.js';
import { argumentFault, fault } from './words.js';

type Match = 'exact' | 'prefix' | 'suffix' | 'substring' | 'regex';
const MATCHES: readonly string[] = ['exact', 'prefix', 'suffix', 'substring', 'regex'];

export interface Rewrite {
  readonly field: 'name' | 'type';
  readonly match: Match;
  readonly from: string;
  readonly to: string;
  readonly goesOn: boolean;
  /** The names of the answer are those that were asked for. */
  readonly restores: boolean;
}

/** `rewrite [continue|stop] name [exact|prefix|suffix|substring|regex] FROM TO [answer ...]`, `rewrite type A AAAA`. */
export function readRewrite({ args, line }: Directive, file: string): Rewrite {
  const words = [...args];
  const goesOn = words[0] === 'continue';
  if (words[0] === 'continue' || words[0] === 'stop') words.shift();
  const field = words.shift();
  if (field !== 'name' && field !== 'type') throw fault('rewrite', `invalid rule type "${field ?? ''}"`, file, line);
  const match = MATCHES.includes(words[0] ?? '') && words.length > 2 ? (words.shift() as Match) : 'exact';
  const [from, to, ...answer] = words;
  if (from === undefined || to === undefined) throw argumentFault('rewrite', args.at(-1) ?? 'rewrite', file, line);
  if (match === 'regex' && compilePattern(from) === undefined)
    throw fault('rewrite', `invalid regex pattern in a name rule: ${from}`, file, line);
  const isAbsolute = field === 'name' && (match === 'exact' || match === 'suffix');
  const absolute = (name: string): string => (!isAbsolute || name.endsWith('.') ? name : `${name}.`);
  return {
    ...{ field, match, goesOn, from: absolute(from), to: absolute(to) },
    restores: match === 'exact' || answer.length > 0,
  };
}

interface Asked {
  readonly name: string;
  readonly type: string;
}

/** The question as the rules change it, and whether names of its answer change back. */
export function rewriteQuestion(rules: readonly Rewrite[], asked: Asked): Asked & { readonly restores: boolean } {
  let { name, type } = asked;
  let restores = false;
  for (const rule of rules) {
    const before = rule.field === 'name' ? name : type;
    const after = apply(rule, before);
    if (after === undefined) continue;
    if (rule.field === 'name') name = after.endsWith('.') ? after : `${after}.`;
    else type = after.toUpperCase();
    restores ||= rule.restores;
    if (!rule.goesOn) break;
  }
  return { name, type, restores };
}

function apply({ match, from, to }: Rewrite, text: string): string | undefined {
  switch (match) {
    case 'exact':
      return text === from ? to : undefined;
    case 'prefix':
      return text.startsWith(from) ? to + text.slice(from.length) : undefined;
    case 'suffix':
      return text.endsWith(from) ? text.slice(0, -from.length) + to : undefined;
    case 'substring':
      return text.includes(from) ? text.replace(from, () => to) : undefined;
    case 'regex':
      return applyPattern(from, to, text);
  }
}

/** `{1}` is the first group. Groups are those of a match of the whole name. */
function applyPattern(from: string, to: string, text: string): string | undefined {
  const groups = compilePattern(from)?.groups(text);
  return groups && to.replace(/\{(\d)\}/g, (_whole, index: string) => groups[Number(index)] ?? '');
}
