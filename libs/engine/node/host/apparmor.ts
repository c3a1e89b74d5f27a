import { CAPABILITIES } from '../../kernel/proc/pid.js';
import { LOADED_FOLDER } from '../../kernel/proc/security.js';
import type { Confinement, PathRule } from '../../kernel/process/confinement/confinement.js';

export { LOADED_FOLDER, RUNTIME_PROFILE } from '../../kernel/proc/security.js';

const MAX_RULES = 500;
const MAX_ALTERNATIVES = 64;
const VARIABLES: Readonly<Record<string, string>> = {
  '@{PROC}': '/proc',
  '@{HOME}': '/{root,home/*}',
  '@{HOMEDIRS}': '/home',
  '@{pid}': '*',
  '@{sys}': '/sys',
  '@{run}': '/{run,var/run}',
};
/** Rules about what is not files, which are accepted. */
const OTHER_RULES =
  /^(?:capability|mount|remount|umount|pivot_root|signal|ptrace|unix|dbus|rlimit|set|change_profile|change_hat|userns|include|abi)\b/;
const HEAD = /^\s*(?:profile\s+)?("[^"]+"|[^\s{"]+)(?:\s+(?:"[^"]+"|\/\S+))?(?:\s+flags\s*=\s*\(([^)]*)\))?\s*\{$/;

export interface LoadedProfile extends Confinement {
  /** Its own part of the file. */
  readonly text: string;
}

export const fileOfProfile = (name: string): string =>
  `${LOADED_FOLDER}/${name.replace(/^\//, '').replaceAll('/', '.')}`;

/**
 * The profiles of a file, or why it is none. Models apparmor_parser as far as rules about files and the network go.
 * What is included is not looked at, a hat is left out.
 */
export function parseAppArmor(text: string, file: string): readonly LoadedProfile[] | string {
  const found: LoadedProfile[] = [];
  let open: { head: RegExpExecArray; lines: string[]; depth: number } | undefined;
  const lines = text.split('\n');
  for (const [i, whole] of lines.entries()) {
    const line = withoutComment(whole).trim();
    if (line === '') continue;
    const fail = (what: string): string =>
      `AppArmor parser error for ${file} in profile ${file} at line ${i + 1}: syntax error, ${what}`;
    if (!open) {
      if (/^(?:include|abi|alias|@\{)/.test(line)) continue;
      const head = HEAD.exec(line);
      if (!head) return fail('unexpected TOK_ID, expecting TOK_OPEN');
      open = { head, lines: [], depth: 1 };
    } else if (line === '}') {
      open.depth--;
      if (open.depth > 0) continue;
      found.push(profileOf(open.head, open.lines));
      open = undefined;
    } else if (line.endsWith('{')) open.depth++;
    else if (open.depth === 1) {
      if (!line.endsWith(',') && !/^include\b/.test(line))
        return fail('unexpected TOK_CLOSE, expecting TOK_END_OF_RULE');
      if (!isRule(line)) return fail('unexpected TOK_ID, expecting TOK_MODE');
      if (open.lines.length >= MAX_RULES) return fail('too many rules');
      open.lines.push(line);
    }
  }
  if (open)
    return `AppArmor parser error for ${file} in profile ${file} at line ${lines.length}: syntax error, unexpected $end, expecting TOK_CLOSE`;
  return found;
}

/** `#include` is no comment. */
const withoutComment = (line: string): string => line.replace(/^\s*#\s*include\b/, 'include').replace(/(^|\s)#.*$/, '');

interface Rule {
  readonly denies: boolean;
  readonly body: string;
}

function readRule(line: string): Rule {
  let body = line.replace(/,$/, '').trim();
  let denies = false;
  for (let word; (word = /^(?:audit|quiet|allow|deny|owner|other)\s+/.exec(body)?.[0]); body = body.slice(word.length))
    if (word.trim() === 'deny') denies = true;
  return { denies, body };
}

const pathOf = (body: string): { readonly path: string; readonly modes: string } | undefined => {
  const own = body
    .replace(/^file\s+/, '')
    .split('->', 1)[0]!
    .trimEnd();
  const first = /^("[^"]+"|[/@{]\S*)\s+([a-zA-Z]+)$/.exec(own);
  if (first) return { path: first[1]!.replaceAll('"', ''), modes: first[2]! };
  const last = /^([a-zA-Z]+)\s+("[^"]+"|[/@{]\S*)$/.exec(own);
  return last ? { path: last[2]!.replaceAll('"', ''), modes: last[1]! } : undefined;
};

function isRule(line: string): boolean {
  const { body } = readRule(line);
  return body === 'file' || /^network\b/.test(body) || OTHER_RULES.test(body) || pathOf(body) !== undefined;
}

/** Those that rules allow and none denies; undefined: all. */
function capabilitiesOf(rules: readonly Rule[]): readonly string[] | undefined {
  const named = (denies: boolean): readonly string[][] =>
    rules
      .filter((rule) => rule.denies === denies && /^capability\b/.test(rule.body))
      .map(({ body }) => body.toUpperCase().split(/\s+/).slice(1));
  const [allowed, denied] = [named(false), named(true)];
  if (denied.some((names) => names.length === 0)) return [];
  if (allowed.some((names) => names.length === 0))
    return denied.length === 0 ? undefined : CAPABILITIES.filter((name) => !denied.flat().includes(name));
  return allowed.flat().filter((name) => !denied.flat().includes(name));
}

function profileOf(head: RegExpExecArray, lines: readonly string[]): LoadedProfile {
  const [whole, name = '', flags = ''] = head;
  const rules = lines.map(readRule);
  const capabilities = capabilitiesOf(rules);
  const isComplaining = /\bcomplain\b/.test(flags);
  return {
    name: name.replaceAll('"', ''),
    mode: isComplaining ? 'complain' : 'enforce',
    rules: rules.flatMap(pathRules),
    allowsFiles: rules.some(({ body, denies }) => body === 'file' && !denies),
    ...(rules.some(({ body, denies }) => denies && /^network(?:\s+inet6?)?$/.test(body))
      ? { deniesNetwork: true }
      : {}),
    ...(capabilities ? { capabilities } : {}),
    text: [whole.trim(), ...lines.map((line) => `  ${line}`), '}', ''].join('\n'),
  };
}

function pathRules({ body, denies }: Rule): PathRule[] {
  const found = body === 'file' && denies ? { path: '/**', modes: 'rw' } : pathOf(body);
  if (!found) return [];
  const { path, modes } = found;
  const access = `${modes.includes('r') ? 'r' : ''}${/[wa]/.test(modes) ? 'w' : ''}`;
  if (access === '') return [];
  let expanded = path;
  for (const [name, value] of Object.entries(VARIABLES)) expanded = expanded.replaceAll(name, value);
  return alternatives(expanded.replaceAll('//', '/')).map((one) => ({
    path: one,
    access,
    ...(denies ? { denies: true } : {}),
  }));
}

/** '/{a,b}/c' is '/a/c' and '/b/c'. */
function alternatives(pattern: string): string[] {
  const done: string[] = [];
  const waiting = [pattern];
  while (waiting.length > 0 && done.length < MAX_ALTERNATIVES) {
    const next = waiting.pop()!;
    const inner = /\{([^{}]*)\}/.exec(next);
    if (!inner) done.unshift(next);
    else if (waiting.length < MAX_ALTERNATIVES) {
      const [whole, list = ''] = inner;
      for (const one of list.split(','))
        waiting.push(next.slice(0, inner.index) + one + next.slice(inner.index + whole.length));
    }
  }
  return done;
}
