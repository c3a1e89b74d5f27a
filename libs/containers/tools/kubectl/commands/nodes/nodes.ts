import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { pathOf } from '../../discovery/resources.js';
import { findObjects, listOf, resourceNamed, type Found } from '../../discovery/targets.js';
import { SELECT, WRITE } from '../../flags/groups.js';
import { ApiFailure, KubectlFailure } from '../../session/failure.js';
import type { Session } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import { dryRunOf, dryRunSuffix, writeQuery, type Command, type CommandGroup } from '../command.js';
import { durationMs } from '../duration.js';
import { sortDrained } from './drain-filter.js';

const LOOK_EVERY = 1_000;
const RETRY_AFTER = 5_000;
const WEEK = 168 * 3_600_000;

const nodesOf = (session: Session): Found[] => findObjects(session, ['nodes', ...session.args.map(bare)]);
const bare = (word: string): string => word.replace(/^(nodes?|no)\//, '');

const cordoning = (isCordoned: boolean): Command => ({
  flags: [...SELECT, ...WRITE],
  run(session) {
    if (session.args.length === 0 && session.flags.value('selector') === '')
      throw new KubectlFailure(
        `USAGE: ${isCordoned ? 'cordon' : 'uncordon'} NODE [flags]\nSee '${session.path} -h' for help and examples`,
      );
    for (const node of nodesOf(session)) cordon(session, node, isCordoned);
  },
});

function cordon(session: Session, { path, name, object }: Found, isCordoned: boolean): void {
  const is = (object['spec'] as { unschedulable?: boolean } | undefined)?.unschedulable === true;
  const verb = isCordoned ? 'cordoned' : 'uncordoned';
  if (is === isCordoned) return session.out(`node/${name} already ${verb}${dryRunSuffix(session)}\n`);
  if (dryRunOf(session) !== 'client')
    session.patch(
      path + writeQuery(session, isCordoned ? 'kubectl-cordon' : 'kubectl-uncordon'),
      { spec: { unschedulable: isCordoned ? true : null } },
      'strategic',
    );
  session.out(`node/${name} ${verb}${dryRunSuffix(session)}\n`);
}

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

const taint: Command = {
  flags: [...SELECT, ...WRITE, 'o,output:', 'overwrite'],
  run(session) {
    const isEdit = (word: string): boolean => word.includes(':') || word.endsWith('-') || word.includes('=');
    const edits = session.args.filter(isEdit);
    const names = session.args.filter((word) => !isEdit(word));
    if (edits.length === 0) throw new KubectlFailure('at least one taint update is required');
    for (const node of findObjects(session, names)) taintOne(session, node, edits);
  },
};

function readTaint(text: string): Taint {
  const [left = '', effect = ''] = text.split(':');
  const [key = '', value] = left.split('=');
  if (!['NoSchedule', 'PreferNoSchedule', 'NoExecute'].includes(effect))
    throw new KubectlFailure(
      effect === '' ? `invalid taint spec: ${text}` : `invalid taint effect: ${effect}, unsupported taint effect`,
    );
  return { effect, key, ...(value === undefined ? {} : { value }) };
}

function taintOne(session: Session, { path, name, object, resource }: Found, edits: readonly string[]): void {
  if (resource.kind !== 'Node')
    throw new KubectlFailure(`invalid resource type ${resource.kind}, only node types are supported`);
  const current = ((object['spec'] as { taints?: readonly Taint[] } | undefined)?.taints ?? []) as readonly Taint[];
  const removed = edits.filter((edit) => edit.endsWith('-')).map((edit) => edit.slice(0, -1));
  const added = edits.filter((edit) => !edit.endsWith('-')).map(readTaint);
  let next = [...current];
  for (const edit of removed) {
    const [key = '', effect = ''] = edit.replace(/=[^:]*/, '').split(':');
    const kept = next.filter((one) => one.key !== key || (effect !== '' && one.effect !== effect));
    if (kept.length === next.length) throw new KubectlFailure(`taint "${edit}" not found`);
    next = kept;
  }
  for (const one of added) {
    const same = next.find(({ key, effect }) => key === one.key && effect === one.effect);
    if (same && !session.flags.isOn('overwrite'))
      throw new KubectlFailure(
        `node ${name} already has ${one.key} taint(s) with same effect(s) and --overwrite is false`,
      );
    next = [...next.filter((other) => other !== same), one];
  }
  if (dryRunOf(session) !== 'client')
    session.patch(path + writeQuery(session, 'kubectl-taint'), { spec: { taints: next.length > 0 ? next : null } });
  const verb = added.length === 0 ? 'untainted' : removed.length > 0 ? 'modified' : 'tainted';
  session.out(`node/${name} ${verb}${dryRunSuffix(session)}\n`);
}

const drain: Command = {
  flags: [
    ...[...SELECT, ...WRITE, 'force', 'grace-period:', 'ignore-daemonsets', 'timeout:', 'delete-emptydir-data'],
    ...['pod-selector:', 'disable-eviction', 'skip-wait-for-delete-timeout:', 'chunk-size:', 'ignore-errors'],
  ],
  run(session) {
    if (session.args.length === 0 && session.flags.value('selector') === '')
      throw new KubectlFailure(`USAGE: drain NODE [flags]\nSee 'kubectl drain -h' for help and examples`);
    const timeout = durationMs(session.flags.value('timeout') || '0');
    const until = session.now + (timeout > 0 ? timeout : WEEK);
    const nodes = nodesOf(session);
    for (const node of nodes) cordon(session, node, true);
    return nodes.map(({ name }) => task('drain node', { name, until }));
  },
};

type Draining = { readonly name: string; readonly until: number };

function drainNode(session: Session, data: Plain): Task[] {
  const { name, until } = data as unknown as Draining;
  const pods = listOf(
    session,
    resourceNamed(session, 'pods'),
    '',
    `?fieldSelector=${encodeURIComponent(`spec.nodeName=${name}`)}&labelSelector=${encodeURIComponent(session.flags.value('pod-selector'))}`,
  );
  const { evicted, warning, failure } = sortDrained(session, pods);
  if (failure !== '') {
    session.err(
      `error: unable to drain node "${name}" due to error: ${failure}, continuing command...\nThere are pending nodes to be drained:\n ${name}\n${failure}\n`,
    );
    session.code = 1;
    return [];
  }
  if (warning !== '') session.err(`Warning: ${warning}\n`);
  const suffix = dryRunSuffix(session);
  const tasks = evicted.map((pod) => {
    const { namespace = '', name: podName = '', uid = '' } = pod.metadata ?? {};
    session.out(`evicting pod ${namespace}/${podName}${suffix}\n`);
    return task('drain pod', { namespace, name: podName, uid, until, isAsked: false });
  });
  return [...(dryRunOf(session) === 'client' ? [] : tasks), task('drain end', { name })];
}

type Evicting = Draining & { readonly namespace: string; readonly uid: string; readonly isAsked: boolean };

/** Evicts a pod, waits while a budget forbids it, and then for its end. */
function drainPod(session: Session, data: Plain): Task[] {
  const pod = data as unknown as Evicting;
  const { namespace, name, uid, until } = pod;
  const path = pathOf(resourceNamed(session, 'pods'), namespace, name);
  if (session.now >= until)
    throw new KubectlFailure(
      `error when evicting pods/"${name}" -n "${namespace}": global timeout reached: ${session.flags.value('timeout')}`,
    );
  if (!pod.isAsked) {
    const grace = session.flags.value('grace-period');
    const options = grace === '' || grace === '-1' ? {} : { deleteOptions: { gracePeriodSeconds: Number(grace) } };
    try {
      if (session.flags.isOn('disable-eviction')) session.send('DELETE', path, undefined, '');
      else
        session.post(`${path}/eviction`, {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name, namespace },
          ...options,
        });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (error.status === 404) return [];
      if (error.status !== 429) throw error.with(`error when evicting pods/"${name}" -n "${namespace}": `);
      session.err(`error when evicting pods/"${name}" -n "${namespace}" (will retry after 5s): ${error.message}\n`);
      return [task('drain pod', data, RETRY_AFTER)];
    }
    return [task('drain pod', { ...pod, isAsked: true } as unknown as Plain)];
  }
  const found = session.find(path);
  if (found && found.metadata?.uid === uid) return [task('drain pod', data, LOOK_EVERY)];
  session.out(`pod/${name} evicted\n`);
  return [];
}

function drainEnd(session: Session, data: Plain): void {
  session.out(`node/${(data as { name: string }).name} drained${dryRunSuffix(session)}\n`);
}

export const group: CommandGroup = {
  commands: { cordon: cordoning(true), uncordon: cordoning(false), taint, drain },
  tasks: { 'drain node': drainNode, 'drain pod': drainPod, 'drain end': drainEnd },
};
