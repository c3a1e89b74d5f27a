import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { loadFiles } from '../../discovery/manifest.js';
import { pathOf, type ServerResource, shownResource, qualifiedPlural } from '../../discovery/resources.js';
import { listOf, readTargets, scopeOf } from '../../discovery/targets.js';
import { FILES, PRINT, SELECT } from '../../flags/groups.js';
import { findValues, printValue } from '../../output/jsonpath.js';
import { ApiFailure, explain, KubectlFailure } from '../../session/failure.js';
import type { ApiObject, Session } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import type { Command, CommandGroup } from '../command.js';
import { durationMs } from '../duration.js';

const LOOK_EVERY = 500;
const WEEK = 168 * 3_600_000;

type Goal =
  | { readonly type: 'delete' | 'create' }
  | { readonly type: 'condition'; readonly name: string; readonly value: string }
  | { readonly type: 'jsonpath'; readonly path: string; readonly value: string | null };

type Waited = {
  readonly resource: ServerResource;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly until: number;
};

const wait: Command = {
  flags: [...SELECT, ...FILES, ...PRINT, 'for:', 'timeout:'],
  run(session) {
    const { flags, args } = session;
    const goal = goalOf(flags.value('for'));
    const timeout = durationMs(flags.value('timeout') || '30s');
    const until = session.now + (timeout < 0 ? WEEK : timeout);
    const found: Omit<Waited, 'until'>[] = [];
    for (const { resource, namespace, name } of loadFiles(session))
      found.push(known(session, resource, namespace, name, goal));
    const selects = flags.value('selector') !== '' || flags.isOn('all') || flags.value('field-selector') !== '';
    for (const { resource, names } of readTargets(session, args)) {
      if (names.length === 0 && !selects)
        throw new KubectlFailure('resource(s) were provided, but no name was specified');
      for (const name of names) found.push(known(session, resource, session.namespace, name, goal));
      if (names.length > 0) continue;
      for (const { metadata = {} } of listOf(session, resource, scopeOf(session)))
        found.push({
          resource,
          namespace: metadata.namespace ?? '',
          name: metadata.name ?? '',
          uid: metadata.uid ?? '',
        });
    }
    if (found.length === 0) {
      if (goal.type === 'delete') return [];
      throw new KubectlFailure('no matching resources found');
    }
    return found.map((one) => task('wait look', { ...one, until } as unknown as Plain));
  },
};

/** An object must be there, unless its end or its beginning is waited for. */
function known(
  session: Session,
  resource: ServerResource,
  namespace: string,
  name: string,
  { type }: Goal,
): Omit<Waited, 'until'> {
  const found = session.call({ path: pathOf(resource, namespace, name) });
  if (found.status === 404 && (type === 'delete' || type === 'create')) return { resource, namespace, name, uid: '' };
  if (found.status >= 400) throw new ApiFailure(found.status, JSON.parse(found.body) as object);
  return { resource, namespace, name, uid: (JSON.parse(found.body) as ApiObject).metadata?.uid ?? '' };
}

/** `delete`, `create`, `condition=Ready[=false]`, `jsonpath={.a}[=b]`. Throws KubectlFailure. */
function goalOf(text: string): Goal {
  const lower = text.toLowerCase();
  if (lower === 'delete' || lower === 'create') return { type: lower };
  if (lower.startsWith('condition=')) {
    const [name = '', value = 'true'] = text.slice('condition='.length).split('=');
    return { type: 'condition', name, value };
  }
  if (lower.startsWith('jsonpath=')) return jsonPathGoal(text.slice('jsonpath='.length));
  throw new KubectlFailure(text === '' ? 'unrecognized condition: []' : `unrecognized condition: "${text}"`);
}

function jsonPathGoal(text: string): Goal {
  const end = text.startsWith('{') ? text.lastIndexOf('}=') : text.indexOf('=') - 1;
  const close = text.startsWith('{') ? end + 1 : end + 1;
  const hasValue = text.startsWith('{') ? end > 0 : text.includes('=');
  const path = hasValue ? text.slice(0, close) : text;
  const value = hasValue ? text.slice(close + 1).replace(/^(['"])(.*)\1$/s, '$2') : null;
  if (hasValue && value === '') throw new KubectlFailure('jsonpath wait has to have a value after equal sign');
  return { type: 'jsonpath', path, value };
}

function look(session: Session, data: Plain): Task[] {
  const waited = data as unknown as Waited;
  const { resource, namespace, name, uid, until } = waited;
  const goal = goalOf(session.flags.value('for'));
  const shown = `${shownResource(resource)}/${name}`;
  const answer = session.find(pathOf(resource, namespace, name));
  const object = answer && uid !== '' && answer.metadata?.uid !== uid ? undefined : answer;
  if (goal.type === 'delete') {
    if (object === undefined) {
      if (uid !== '') session.out(`${shown} condition met\n`);
      return [];
    }
  } else if (object === undefined && goal.type !== 'create') {
    const message = `${qualifiedPlural(resource)} "${name}" not found`;
    session.err(`${explain(new ApiFailure(404, { reason: 'NotFound', message }))}\n`);
    session.code = 1;
    return [];
  } else if (object !== undefined && isMet(object, goal)) {
    session.out(`${shown} condition met\n`);
    return [];
  }
  if (session.now < until) return [task('wait look', data, Math.min(LOOK_EVERY, Math.max(1, until - session.now)))];
  session.err(`error: timed out waiting for the condition on ${resource.plural}/${name}\n`);
  session.code = 1;
  return [];
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
}

function isMet(object: ApiObject, goal: Goal): boolean {
  if (goal.type === 'create') return true;
  if (goal.type === 'jsonpath') {
    const values = findValues(goal.path, object);
    if (goal.value === null) return values.length > 0;
    return values.length === 1 && printValue(values[0]) === goal.value;
  }
  if (goal.type !== 'condition') return false;
  const status = (object['status'] ?? {}) as { conditions?: readonly Condition[]; observedGeneration?: number };
  const found = status.conditions?.find(({ type }) => type.toLowerCase() === goal.name.toLowerCase());
  if (!found || found.status.toLowerCase() !== goal.value.toLowerCase()) return false;
  const observed = found.observedGeneration ?? status.observedGeneration;
  return observed === undefined || observed >= (object.metadata?.generation ?? 0);
}

export const group: CommandGroup = { commands: { wait }, tasks: { 'wait look': look } };
