import { recordCause, recording } from './record.js';
import { findObjects, type Found } from '../../discovery/targets.js';
import { shownResource } from '../../discovery/resources.js';
import { FILES, PRINT, SELECT, WRITE } from '../../flags/groups.js';
import { printObject, readFormat } from '../../output/printer.js';
import { formatLabels } from '../../output/table.js';
import { KubectlFailure } from '../../session/failure.js';
import type { Session } from '../../session/session.js';
import { dryRunOf, dryRunSuffix, writeQuery, type Command, type CommandGroup } from '../command.js';

/** What differs between labels and annotations. */
interface Words {
  readonly noun: 'label' | 'annotation';
  readonly field: 'labels' | 'annotations';
  readonly verb: string;
  readonly manager: string;
}
const LABEL: Words = { noun: 'label', field: 'labels', verb: 'labeled', manager: 'kubectl-label' };
const ANNOTATION: Words = { noun: 'annotation', field: 'annotations', verb: 'annotated', manager: 'kubectl-annotate' };

interface Edits {
  readonly set: Readonly<Record<string, string>>;
  readonly removed: readonly string[];
}

const editing = (words: Words): Command => ({
  flags: [...SELECT, ...FILES, ...PRINT, ...WRITE, 'overwrite', 'resource-version:', 'list'],
  run(session) {
    const [args, edits] = split(session, words);
    const count = Object.keys(edits.set).length + edits.removed.length;
    if (count === 0 && !session.flags.isOn('list'))
      throw new KubectlFailure(`at least one ${words.noun} update is required`);
    for (const found of findObjects(session, args)) edit(session, found, edits, words);
  },
});

/** `a=b` sets, `a-` removes; what stands before them names objects. */
function split({ args }: Session, { noun }: Words): [rest: string[], edits: Edits] {
  const isEdit = (word: string): boolean => word.includes('=') || (word.endsWith('-') && word.length > 1);
  const first = args.findIndex(isEdit);
  const words = first < 0 ? [] : args.slice(first);
  const set: Record<string, string> = {};
  const removed: string[] = [];
  for (const word of words) {
    const at = word.indexOf('=');
    if (at > 0) {
      const value = word.slice(at + 1);
      if (noun === 'label' && value.includes('=')) throw new KubectlFailure(`invalid label spec: ${word}`);
      set[word.slice(0, at)] = value;
    } else if (word.endsWith('-')) removed.push(word.slice(0, -1));
    else
      throw new KubectlFailure(
        noun === 'label'
          ? `unknown label spec: ${word}`
          : `all resources must be specified before annotation changes: ${word}`,
      );
  }
  const both = removed.find((key) => Object.hasOwn(set, key));
  if (both !== undefined) throw new KubectlFailure(`can not both modify and remove a ${noun} in the same command`);
  return [first < 0 ? [...args] : args.slice(0, first), { set, removed }];
}

function edit(session: Session, found: Found, { set, removed }: Edits, words: Words): void {
  const { resource, path, name, object } = found;
  const shown = `${shownResource(resource)}/${name}`;
  const current = object.metadata?.[words.field] ?? {};
  if (session.flags.isOn('list')) {
    session.out(`Listing ${words.noun}s for ${resource.kind}.${resource.version}/${name}:\n`);
    for (const line of Object.keys(current).length > 0 ? formatLabels(current).split(',') : [])
      session.out(`${line}\n`);
  }
  if (Object.keys(set).length + removed.length === 0) return;
  if (!session.flags.isOn('overwrite')) refuseOverwriting(current, set, words);
  for (const key of removed)
    if (!Object.hasOwn(current, key) && words.noun === 'label') session.out(`label "${key}" not found.\n`);
  const isChanged =
    Object.entries(set).some(([key, value]) => current[key] !== value) ||
    removed.some((key) => Object.hasOwn(current, key));
  const changes = { ...set, ...Object.fromEntries(removed.map((key) => [key, null])) };
  const sends = (isChanged || words.noun === 'annotation') && dryRunOf(session) !== 'client';
  const body = recordCause(session, { metadata: { [words.field]: changes } });
  const after = sends ? session.patch(path + writeQuery(session, words.manager), body) : object;
  if (session.flags.has('output')) return session.out(printObject(session, readFormat(session), after, resource));
  session.out(`${shown} ${verbOf(words, set, isChanged)}${dryRunSuffix(session)}\n`);
}

function verbOf({ noun, verb }: Words, set: Readonly<Record<string, string>>, isChanged: boolean): string {
  if (noun === 'annotation') return verb;
  if (!isChanged) return 'not labeled';
  return Object.keys(set).length === 0 ? 'unlabeled' : verb;
}

function refuseOverwriting(
  current: Readonly<Record<string, string>>,
  set: Readonly<Record<string, string>>,
  { noun }: Words,
): void {
  const taken = Object.entries(set).filter(([key, value]) => Object.hasOwn(current, key) && current[key] !== value);
  if (taken.length === 0) return;
  if (noun === 'label') {
    const lines = taken.map(([key]) => `'${key}' already has a value (${current[key]}), and --overwrite is false`);
    throw new KubectlFailure(lines.length === 1 ? lines[0]! : `[${lines.join(', ')}]`);
  }
  const names = taken.map(([key]) => `'${key}' already has a value (${current[key]})`).join('; ');
  throw new KubectlFailure(`--overwrite is false but found the following declared annotation(s): ${names}`);
}

export const group: CommandGroup = {
  commands: { label: recording(editing(LABEL)), annotate: recording(editing(ANNOTATION)) },
};
