import type { Plain } from '../../../../../engine/kernel/process/program.js';
import { loadFiles } from '../../discovery/manifest.js';
import { pathOf, type ServerResource, shownResource } from '../../discovery/resources.js';
import { listOf, NOTHING_GIVEN, queryOf, readTargets, scopeOf } from '../../discovery/targets.js';
import { FILES, SELECT, WRITE } from '../../flags/groups.js';
import { ApiFailure, explain, KubectlFailure } from '../../session/failure.js';
import type { Session } from '../../session/session.js';
import { task, type Task } from '../../session/task.js';
import { dryRunOf, dryRunSuffix, type Command, type CommandGroup } from '../command.js';
import { durationMs } from '../duration.js';

const LOOK_EVERY = 500;
const REPLACE = 'kubectl replace';

type Doomed = { readonly resource: ServerResource; readonly namespace: string; readonly name: string };

const del: Command = {
  flags: [
    ...[...SELECT, ...FILES, ...WRITE, 'o,output:', 'force', 'now', 'wait', 'timeout:', 'grace-period:', 'raw:'],
    ...['cascade::background', 'ignore-not-found', 'i,interactive'],
  ],
  run(session) {
    const { flags } = session;
    if (flags.isOn('interactive')) throw new KubectlFailure('--interactive is not simulated');
    const force = flags.isOn('force');
    if (force && flags.value('grace-period') !== '' && Number(flags.value('grace-period')) > 0)
      throw new KubectlFailure('--force and --grace-period greater than 0 cannot be specified together');
    if (force && (flags.value('grace-period') || '0') === '0')
      session.err(
        'Warning: Immediate deletion does not wait for confirmation that the running resource has been terminated. The resource may continue to run on the cluster indefinitely.\n',
      );
    const doomed = doomedOf(session);
    const isAny = flags.isOn('all') || flags.value('selector') !== '' || flags.value('field-selector') !== '';
    if (doomed.length === 0 && isAny) session.out('No resources found\n');
    return doomed.map((one) => task('delete object', one as unknown as Plain));
  },
};

function doomedOf(session: Session): Doomed[] {
  const files = loadFiles(session);
  if (files.length > 0) return files.map(({ resource, namespace, name }) => ({ resource, namespace, name }));
  const { flags, args } = session;
  const selects = flags.value('selector') !== '' || flags.value('field-selector') !== '' || flags.isOn('all');
  const targets = readTargets(session, args);
  if (targets.length === 0) throw new KubectlFailure(NOTHING_GIVEN);
  if (selects && targets.some(({ names }) => names.length > 0))
    throw new KubectlFailure('name cannot be provided when a selector is specified');
  if (!selects && targets.some(({ names }) => names.length === 0))
    throw new KubectlFailure('resource(s) were provided, but no name was specified');
  return targets.flatMap(({ resource, names }) => {
    if (names.length > 0) return names.map((name) => ({ resource, namespace: ownNamespace(session, resource), name }));
    return listOf(session, resource, scopeOf(session), queryOf(session)).map(({ metadata = {} }) => ({
      ...{ resource, namespace: metadata.namespace ?? '', name: metadata.name ?? '' },
    }));
  });
}

const ownNamespace = (session: Session, { isNamespaced }: ServerResource): string =>
  isNamespaced ? session.namespace : '';

/** Deletes one object, and then waits for its end. */
function deleteObject(session: Session, data: Plain): Task[] {
  const one = data as unknown as Doomed;
  const { resource, namespace, name } = one;
  const { flags } = session;
  const path = pathOf(resource, namespace, name);
  const mode = dryRunOf(session);
  try {
    const found =
      mode === 'client' ? session.get(path) : session.send('DELETE', path, optionsOf(session), 'application/json');
    tell(session, one);
    const waits = flags.value('wait') !== 'false' && mode === 'none';
    const uid = found.metadata?.uid ?? (found['details'] as { uid?: string } | undefined)?.uid ?? '';
    if (!waits || uid === '') return [];
    return [task('delete wait', { ...one, uid, until: deadline(session) } as unknown as Plain, 0)];
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    if (error.status === 404 && (flags.isOn('ignore-not-found') || flags.isOn('all') || session.path === REPLACE))
      return [];
    session.err(`${explain(error)}\n`);
    session.code = 1;
    return [];
  }
}

function deadline(session: Session): number {
  const timeout = session.flags.value('timeout');
  const ms = timeout === '' ? 0 : durationMs(timeout);
  return session.now + (ms > 0 ? ms : WEEK);
}
const WEEK = 168 * 3_600_000;

/** `kubectl replace --force` deletes as any other does. */
const isForced = ({ flags, path }: Session): boolean => flags.isOn('force') && path !== REPLACE;

function optionsOf(session: Session): object {
  const { flags } = session;
  const grace = flags.isOn('now')
    ? '1'
    : isForced(session)
      ? flags.value('grace-period') || '0'
      : flags.value('grace-period');
  const policies: Readonly<Record<string, string>> = {
    background: 'Background',
    foreground: 'Foreground',
    orphan: 'Orphan',
    true: 'Background',
    false: 'Orphan',
  };
  const cascade = flags.value('cascade') || 'background';
  if (!Object.hasOwn(policies, cascade))
    throw new KubectlFailure(`invalid cascade value (${cascade}). Must be "background", "foreground", or "orphan"`);
  return {
    ...{ kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: policies[cascade] },
    ...(grace !== '' && grace !== '-1' ? { gracePeriodSeconds: Number(grace) } : {}),
    ...(dryRunOf(session) === 'server' ? { dryRun: ['All'] } : {}),
  };
}

function tell(session: Session, { resource, namespace, name }: Doomed): void {
  if (session.flags.value('output') === 'name') return session.out(`${shownResource(resource)}/${name}\n`);
  const isNow = isForced(session) && (session.flags.value('grace-period') || '0') === '0';
  const where = namespace === '' ? '' : ` from ${namespace} namespace`;
  session.out(
    `${shownResource(resource)} "${name}" ${isNow ? 'force deleted' : 'deleted'}${where}${dryRunSuffix(session)}\n`,
  );
}

/** Waits until an object is gone, or another one has its name. */
function waitForEnd(session: Session, data: Plain): Task[] {
  const { resource, namespace, name, uid, until } = data as unknown as Doomed & { uid: string; until: number };
  const found = session.find(pathOf(resource, namespace, name));
  if (found === undefined || found.metadata?.uid !== uid) return [];
  if (session.now >= until)
    throw new KubectlFailure(`timed out waiting for the condition on ${resource.plural}/${name}`);
  return [task('delete wait', data, LOOK_EVERY)];
}

export const group: CommandGroup = {
  commands: { delete: del },
  tasks: { 'delete object': deleteObject, 'delete wait': waitForEnd },
};
