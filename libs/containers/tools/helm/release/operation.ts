import type { Plain } from '../../../../engine/kernel/process/program.js';
import type { ApiObject, Session } from '../../kubectl/session/session.js';
import { type Task, task } from '../../kubectl/session/task.js';
import { HelmFailure, messageOf } from '../failure.js';
import { clockOf } from '../commands/flags.js';
import { timeJson } from '../go-time.js';
import { sortForUninstall, splitManifests, readManifest } from '../engine/manifests.js';
import { fieldsOfHook, runHooks, type HookState } from './hooks.js';
import {
  buildObjects,
  createObject,
  deleteObject,
  isKept,
  isSameObject,
  objectPath,
  type ReleaseObject,
  updateObject,
  withOwner,
} from './objects.js';
import { printRelease } from './print.js';
import { isReady } from './ready.js';
import type { Release } from './release.js';
import { createRecord, deleteRecord, historyOf, pruneHistory, updateRecord } from './storage.js';

/** A change of a release that is under way: plain data between two tasks. */
export type Operation = {
  type: 'install' | 'upgrade' | 'rollback' | 'uninstall' | 'test';
  release: Release;
  /** Whose objects are there; null without one. */
  previous: Release | null;
  steps: string[];
  /** Of the object that a step is at. */
  at: number;
  hook: HookState | null;
  /** When a step that waits gives up, in virtual ms; 0: it has not begun to. */
  deadline: number;
  timeout: number;
  /** Objects that this change has made, as `Kind/namespace/name`. */
  created: string[];
  /** Why the change has failed, until what follows a failure is done; '' while it has not. */
  failure: string;
  settings: {
    noHooks: boolean;
    wait: boolean;
    waitForJobs: boolean;
    atomic: boolean;
    cleanup: boolean;
    force: boolean;
    createNamespace: boolean;
    hideNotes: boolean;
    keepHistory: boolean;
    historyMax: number;
    description: string;
    cascade: string;
    /** What is printed when it has succeeded. */
    output: string;
    /** Before the words of a failure: `INSTALLATION FAILED`. */
    prefix: string;
    /** A line before the release. */
    title: string;
  };
};

export type Settings = Operation['settings'];

export const NO_SETTINGS: Settings = {
  ...{ noHooks: false, wait: false, waitForJobs: false, atomic: false, cleanup: false, force: false },
  ...{ createNamespace: false, hideNotes: false, keepHistory: false, historyMax: 10, description: '' },
  ...{ cascade: 'Background', output: 'table', prefix: '', title: '' },
};

export function newOperation(
  type: Operation['type'],
  release: Release,
  previous: Release | null,
  steps: readonly string[],
  timeout: number,
  settings: Partial<Settings>,
): Operation {
  const all = { ...NO_SETTINGS, ...settings };
  return {
    ...{ type, release, previous, at: 0, hook: null, deadline: 0, timeout, created: [], failure: '' },
    steps: steps.filter((step) => (all.noHooks ? !step.startsWith('hooks ') : true)),
    settings: all,
  };
}

export const operationTask = (operation: Operation, delay = 0): Task =>
  task('helm operation', operation as unknown as Plain, delay);

/** How often a step that waits looks. */
export const LOOK_EVERY = 2_000;

/** One step of a change: what is left to do is a task again. */
export function runOperation(session: Session, data: Plain): Task[] {
  const operation = structuredCopy(data as unknown as Operation);
  const [step = '', ...rest] = operation.steps;
  if (step === '') return [];
  try {
    const delay = runStep(session, operation, step);
    if (delay !== undefined) return [operationTask(operation, delay)];
    const next = { ...operation, steps: operation.steps[0] === step ? rest : operation.steps, at: 0, deadline: 0 };
    return next.steps.length === 0 ? [] : [operationTask({ ...next, hook: null })];
  } catch (error) {
    const message = messageOf(error);
    if (message === undefined) throw error;
    return failOperation(session, operation, message);
  }
}

const structuredCopy = (operation: Operation): Operation => JSON.parse(JSON.stringify(operation)) as Operation;

/** ms until the step goes on; undefined: it is done. */
function runStep(session: Session, operation: Operation, step: string): number | undefined {
  const { release, settings } = operation;
  if (step.startsWith('hooks ')) return runHooks(session, operation, step.slice('hooks '.length));
  switch (step) {
    case 'namespace':
      return void makeNamespace(session, operation);
    case 'store':
      pruneHistory(session, release.name, settings.historyMax);
      return void createRecord(session, release);
    case 'create':
    case 'update':
    case 'remove':
    case 'delete':
      return nextObject(session, operation, step);
    case 'wait':
    case 'wait for deletion':
      return waitFor(session, operation, step === 'wait');
    case 'finish':
      return void finish(session, operation);
    case 'logs':
      return void printLogs(session, release);
    case 'mark uninstalling':
      return void updateRecord(session, release);
    case 'purge':
      return void purge(session, operation);
    case 'report failure':
      throw new HelmFailure(operation.failure);
    default:
      throw new HelmFailure(`no step ${step}`);
  }
}

function makeNamespace(session: Session, { release }: Operation): void {
  const { namespace } = release;
  if (session.find(`/api/v1/namespaces/${encodeURIComponent(namespace)}`) !== undefined) return;
  const metadata = { name: namespace, labels: { name: namespace } };
  session.post('/api/v1/namespaces?fieldManager=helm', { apiVersion: 'v1', kind: 'Namespace', metadata });
}

const keyOf = ({ kind, namespace, name }: ReleaseObject): string => `${kind}/${namespace}/${name}`;
const objectsOf = (session: Session, release: Release, what = 'new release manifest'): ReleaseObject[] =>
  buildObjects(session, release.manifest, release.namespace, `unable to build kubernetes objects from ${what}`);

/** The objects of a release that are deleted with it, in that order. */
function doomedOf(session: Session, release: Release): ReleaseObject[] {
  const manifests = sortForUninstall(splitManifests(release.manifest).map((text) => readManifest('', text)));
  const text = manifests.map(({ content }) => `---\n${content}\n`).join('');
  return buildObjects(session, text, release.namespace, 'unable to build kubernetes objects for delete').filter(
    ({ object }) => !isKept(object),
  );
}

function nextObject(session: Session, operation: Operation, step: string): number | undefined {
  const { release, previous, settings, at } = operation;
  const old = previous && step !== 'create' ? objectsOf(session, previous, 'current release manifest') : [];
  const target = step === 'delete' ? doomedOf(session, release) : objectsOf(session, release);
  const list = step === 'remove' ? old.filter((one) => !target.some((other) => isSameObject(one, other))) : target;
  const one = list[at];
  if (one === undefined) return undefined;
  operation.at++;
  if (step === 'delete') deleteObject(session, one, settings.cascade);
  else if (step === 'remove') removeObject(session, one);
  else {
    const object = withOwner(one.object, release.name, release.namespace);
    const before = old.find((other) => isSameObject(one, other));
    if (step === 'create') createOne(session, one, object);
    const isNew = step === 'create' || updateObject(session, before, one, object, settings.force);
    if (isNew) operation.created.push(keyOf(one));
  }
  return operation.at < list.length ? 0 : undefined;
}

/** Models perform: the failures of several objects are told together. */
function createOne(session: Session, one: ReleaseObject, object: ApiObject): void {
  try {
    createObject(session, one, object);
  } catch (error) {
    throw error instanceof HelmFailure ? new HelmFailure(`1 error occurred:\n\t* ${error.message}\n\n`) : error;
  }
}

/** What the chart has no more; what cannot be deleted stays. */
function removeObject(session: Session, one: ReleaseObject): void {
  const current = session.find(objectPath(one));
  if (current !== undefined && !isKept(current)) deleteObject(session, one);
}

function waitFor(session: Session, operation: Operation, forReady: boolean): number | undefined {
  const { release, settings } = operation;
  operation.deadline ||= session.now + operation.timeout;
  const list = forReady ? objectsOf(session, release) : doomedOf(session, release);
  const isDone = list.every((one) =>
    forReady ? isReady(session, one, settings.waitForJobs) : session.find(objectPath(one)) === undefined,
  );
  if (isDone) return undefined;
  if (session.now >= operation.deadline) throw new HelmFailure('context deadline exceeded');
  return LOOK_EVERY;
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  install: 'Install complete',
  upgrade: 'Upgrade complete',
};

function finish(session: Session, operation: Operation): void {
  const { type, release, previous, settings } = operation;
  if (type === 'upgrade' && previous) updateRecord(session, withStatus(previous, 'superseded'));
  if (type === 'rollback')
    for (const one of historyOf(session, release.name))
      if (one.info.status === 'deployed' && one.version !== release.version)
        updateRecord(session, withStatus(one, 'superseded'));
  const described = settings.description || (DESCRIPTIONS[type] ?? release.info.description);
  const done = { ...withStatus(release, 'deployed', described), hooks: release.hooks };
  if (type !== 'test') updateRecord(session, done);
  else updateRecord(session, release);
  session.out(settings.title);
  if (settings.output !== '') printRelease(session, type === 'test' ? release : done, settings);
}

/** Models GetPodLogs. */
function printLogs(session: Session, { hooks, namespace }: Release): void {
  session.out('\n');
  for (const { name } of hooks.filter(({ events }) => events.includes('test'))) {
    const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/log`;
    const { status, body } = session.call({ path });
    if (status >= 400) throw new HelmFailure(`unable to get pod logs for ${name}: ${readMessage(body)}`);
    session.out(`POD LOGS: ${name}\n${body}\n`);
  }
}

function readMessage(body: string): string {
  try {
    return (JSON.parse(body) as { message?: string }).message ?? body;
  } catch {
    return body;
  }
}

export function withStatus(release: Release, status: string, description = release.info.description): Release {
  return { ...release, info: { ...release.info, status, description } };
}

function purge(session: Session, { release, settings }: Operation): void {
  if (settings.keepHistory)
    updateRecord(session, withStatus(release, 'uninstalled', settings.description || 'Uninstallation complete'));
  else for (const one of historyOf(session, release.name)) deleteRecord(session, one);
  if (settings.output === '') return;
  const kept = splitManifests(release.manifest)
    .map((text) => readManifest('', text))
    .filter(({ annotations }) => annotations['helm.sh/resource-policy'] === 'keep');
  if (kept.length > 0)
    session.out(
      `These resources were kept due to the resource policy:\n${kept.map(({ kind, name }) => `[${kind}] ${name}\n`).join('')}\n`,
    );
  session.out(settings.title);
}

/** Records that a change has failed, and does what is to follow. Models failRelease. */
function failOperation(session: Session, operation: Operation, message: string): Task[] {
  const { type, release, previous, settings, timeout, failure, steps } = operation;
  const end = (text: string): Task[] => {
    throw new HelmFailure(settings.prefix === '' ? text : `${settings.prefix}: ${text}`);
  };
  if (failure !== '') return end(failure === message ? message : `${message}. original error: ${failure}`);
  if (type === 'uninstall' || steps[0] === 'store' || steps[0] === 'namespace') return end(message);
  if (type === 'test') {
    updateRecord(session, release);
    printRelease(session, release, settings);
    return end(message);
  }
  const what = { install: `Release "${release.name}" failed`, upgrade: `Upgrade "${release.name}" failed` }[
    type as 'install' | 'upgrade'
  ] as string | undefined;
  const failed = withStatus(release, 'failed', `${what ?? `Rollback "${release.name}" failed`}: ${message}`);
  if (type === 'rollback' && previous) updateRecord(session, withStatus(previous, 'superseded'));
  if (type === 'install' && settings.atomic) {
    const text = `release ${release.name} failed, and has been uninstalled due to atomic being set: ${message}`;
    const doomed = { ...failed, info: { ...failed.info, deleted: timeJson(clockOf(session)) } };
    const undo = newOperation('uninstall', doomed, null, UNINSTALL, timeout, { ...settings, output: '', title: '' });
    return [operationTask({ ...undo, steps: [...undo.steps, 'report failure'], failure: text })];
  }
  updateRecord(session, failed);
  if (type === 'upgrade' && settings.cleanup)
    for (const one of objectsOf(session, release))
      if (operation.created.includes(keyOf(one))) deleteObject(session, one);
  if (type === 'upgrade' && settings.atomic) {
    const good = historyOf(session, release.name).findLast(({ info }) =>
      ['superseded', 'deployed'].includes(info.status),
    );
    if (good) {
      const text = `release ${release.name} failed, and has been rolled back due to atomic being set: ${message}`;
      const back = rollbackOf(session, failed, good, timeout, { ...settings, wait: true, output: '', title: '' });
      return [operationTask({ ...back, steps: [...back.steps, 'report failure'], failure: text })];
    }
  }
  return end(message);
}

/** The steps of each change. */
export const INSTALL = ['namespace', 'store', 'hooks pre-install', 'create', 'wait', 'hooks post-install', 'finish'];
/** Some objects are there already. */
export const ADOPT = INSTALL.map((step) => (step === 'create' ? 'update' : step));
export const UPGRADE = ['store', 'hooks pre-upgrade', 'update', 'remove', 'wait', 'hooks post-upgrade', 'finish'];
export const ROLLBACK = ['store', 'hooks pre-rollback', 'update', 'remove', 'wait', 'hooks post-rollback', 'finish'];
export const UNINSTALL = ['hooks pre-delete', 'mark uninstalling', 'delete', 'hooks post-delete', 'purge'];

/** Steps without those that were not asked for. */
export const stepsFor = (steps: readonly string[], { wait, createNamespace }: Partial<Settings>): string[] =>
  steps.filter((step) => (step !== 'wait' || wait === true) && (step !== 'namespace' || createNamespace === true));

/** A rollback to a revision. Models prepareRollback. */
export function rollbackOf(
  session: Session,
  current: Release,
  target: Release,
  timeout: number,
  settings: Partial<Settings>,
): Operation {
  const release: Release = {
    ...target,
    namespace: current.namespace,
    version: current.version + 1,
    info: {
      first_deployed: current.info.first_deployed,
      last_deployed: timeJson(clockOf(session)),
      deleted: '',
      description: `Rollback to ${target.version}`,
      status: 'pending-rollback',
      notes: target.info.notes,
    },
    hooks: target.hooks.map(fieldsOfHook),
  };
  return newOperation('rollback', release, current, stepsFor(ROLLBACK, settings), timeout, settings);
}
