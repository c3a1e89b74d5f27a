import type { Plain } from '../../../../engine/kernel/process/program.js';
import { KubectlFailure } from '../session/failure.js';
import type { Session } from '../session/session.js';
import type { Task } from '../session/task.js';

/** A command of kubectl. */
export interface Command {
  /** As parseFlags reads them, but for those that every command knows. */
  readonly flags: readonly string[];
  /** Flags end at the first argument. */
  readonly inOrder?: boolean;
  /** The exit code of a failure, 1 by default. */
  readonly failureCode?: number;
  /** Does it, and returns what is left to do. Throws KubectlFailure, ApiFailure. */
  run(session: Session): readonly Task[] | void;
}

/** A task that a command leaves for later. */
export type RunTask = (session: Session, data: Plain) => readonly Task[] | void;

/** Commands of a group by their names, and the tasks of theirs. */
export interface CommandGroup {
  readonly commands: Readonly<Record<string, Command>>;
  readonly tasks?: Readonly<Record<string, RunTask>>;
}

/** The object as a command reports it: 'deployment.apps/web scaled', with what --dry-run adds. */
export function report(session: Session, name: string, verb: string): void {
  if (session.flags.value('output') === 'name') return session.out(`${name}\n`);
  session.out(`${name} ${verb}${dryRunSuffix(session)}\n`);
}

export function dryRunSuffix(session: Session): string {
  const mode = dryRunOf(session);
  return mode === 'client' ? ' (dry run)' : mode === 'server' ? ' (server dry run)' : '';
}

/** 'none', 'client' or 'server'. Throws KubectlFailure. */
export function dryRunOf({ flags }: Session): 'none' | 'client' | 'server' {
  const value = flags.optional('dry-run') ?? 'none';
  if (value === 'client' || value === 'server' || value === 'none') return value;
  if (value === 'unchanged' || value === 'true') return 'client';
  if (value === 'false') return 'none';
  throw new KubectlFailure(`Invalid dry-run value (${value}). Must be "none", "server", or "client".`);
}

/** `?dryRun=All&fieldManager=…`. */
export function writeQuery(session: Session, manager: string, more: Readonly<Record<string, string>> = {}): string {
  const parts = {
    ...(dryRunOf(session) === 'server' ? { dryRun: 'All' } : {}),
    fieldManager: session.flags.value('field-manager') || manager,
    ...more,
  };
  return `?${Object.entries(parts)
    .map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
    .join('&')}`;
}
