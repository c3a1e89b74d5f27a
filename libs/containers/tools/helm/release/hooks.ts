import type { Session } from '../../kubectl/session/session.js';
import { HelmFailure } from '../failure.js';
import { clockOf } from '../commands/flags.js';
import { timeJson } from '../go-time.js';
import { buildObjects, createObject, deleteObject, objectPath, type ReleaseObject } from './objects.js';
import { hookOutcome } from './ready.js';
import type { Hook, Release } from './release.js';
import { updateRecord } from './storage.js';

/** Where the hooks of an event are. */
export type HookState = {
  /** Of the hook, among those of the event. */
  at: number;
  phase: 'clear' | 'create' | 'watch' | 'clean';
};

interface HookOperation {
  readonly release: Release;
  hook: HookState | null;
  deadline: number;
  readonly timeout: number;
}

const LOOK_EVERY = 1_000;

/** A hook that has not run. */
export const fieldsOfHook = (hook: Hook): Hook => ({ ...hook });

const textFor = (event: string): string =>
  event === 'pre-install' || event === 'post-install'
    ? `failed ${event}: `
    : event === 'pre-upgrade' || event === 'post-upgrade'
      ? `${event} hooks failed: `
      : '';

/** Runs the hooks of an event, by weight and name; ms until it goes on. Models execHook. Throws HelmFailure. */
export function runHooks(session: Session, operation: HookOperation, event: string): number | undefined {
  const hooks = operation.release.hooks
    .filter(({ events }) => events.includes(event))
    .sort((a, b) => a.weight - b.weight || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const state = (operation.hook ??= { at: 0, phase: 'clear' });
  try {
    return advance(session, operation, hooks, state, event);
  } catch (error) {
    throw error instanceof HelmFailure ? new HelmFailure(textFor(event) + error.message) : error;
  }
}

function advance(
  session: Session,
  operation: HookOperation,
  hooks: readonly Hook[],
  state: HookState,
  event: string,
): number | undefined {
  if (state.phase === 'clean') return clean(session, operation, hooks, state);
  const hook = hooks[state.at];
  if (!hook) {
    state.phase = 'clean';
    state.at = hooks.length - 1;
    return hooks.length === 0 ? undefined : 0;
  }
  const { release } = operation;
  const stamp = timeJson(clockOf(session));
  const objects = objectsOf(session, release, hook, event);
  switch (state.phase) {
    case 'clear': {
      const policies = hook.delete_policies.length === 0 ? ['before-hook-creation'] : hook.delete_policies;
      hook.delete_policies = policies;
      const isCleared = !policies.includes('before-hook-creation') || clear(session, operation, hook, objects);
      if (!isCleared) return LOOK_EVERY;
      operation.deadline = 0;
      state.phase = 'create';
      return 0;
    }
    case 'create':
      hook.last_run = { started_at: stamp, completed_at: '', phase: 'Running' };
      if (release.info.status !== 'uninstalling') updateRecord(session, release);
      try {
        for (const one of objects) createObject(session, one);
      } catch (error) {
        if (!(error instanceof HelmFailure)) throw error;
        hook.last_run = { ...hook.last_run, completed_at: stamp, phase: 'Failed' };
        throw new HelmFailure(
          `warning: Hook ${event} ${hook.path} failed: 1 error occurred:\n\t* ${error.message}\n\n`,
        );
      }
      state.phase = 'watch';
      operation.deadline = session.now + operation.timeout;
      return 0;
    case 'watch': {
      const outcomes = objects.map((one) => hookOutcome(session, one));
      const failure =
        outcomes.find((one) => one?.failure !== undefined)?.failure ??
        (session.now >= operation.deadline ? 'timed out waiting for the condition' : undefined);
      if (failure !== undefined) {
        hook.last_run = { ...hook.last_run, completed_at: stamp, phase: 'Failed' };
        if (hook.delete_policies.includes('hook-failed')) remove(session, hook, objects);
        throw new HelmFailure(`1 error occurred:\n\t* ${failure}\n\n`);
      }
      if (outcomes.includes(undefined)) return LOOK_EVERY;
      hook.last_run = { ...hook.last_run, completed_at: stamp, phase: 'Succeeded' };
      state.phase = 'clear';
      state.at++;
      operation.deadline = 0;
      return 0;
    }
  }
}

const objectsOf = (session: Session, release: Release, hook: Hook, event: string): ReleaseObject[] =>
  buildObjects(
    session,
    hook.manifest,
    release.namespace,
    `unable to build kubernetes object for ${event} hook ${hook.path}`,
  );

/** Definitions of resources are never deleted by a hook's policy. */
function remove(session: Session, { kind }: Hook, objects: readonly ReleaseObject[]): void {
  if (kind !== 'CustomResourceDefinition') for (const one of objects) deleteObject(session, one);
}

/** True when what stood in the hook's way is gone. */
function clear(session: Session, operation: HookOperation, hook: Hook, objects: readonly ReleaseObject[]): boolean {
  if (hook.kind === 'CustomResourceDefinition') return true;
  if (operation.deadline === 0) {
    operation.deadline = session.now + operation.timeout;
    remove(session, hook, objects);
  }
  if (objects.every((one) => session.find(objectPath(one)) === undefined)) return true;
  if (session.now >= operation.deadline) throw new HelmFailure('context deadline exceeded');
  return false;
}

/** What is deleted when all hooks of the event have succeeded, from the last one on. */
function clean(
  session: Session,
  operation: HookOperation,
  hooks: readonly Hook[],
  state: HookState,
): number | undefined {
  const hook = hooks[state.at];
  if (!hook) return undefined;
  state.at--;
  if (hook.delete_policies.includes('hook-succeeded'))
    remove(session, hook, objectsOf(session, operation.release, hook, ''));
  return 0;
}
