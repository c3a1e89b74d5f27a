import { bytesOf } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import { exit, type Program } from '../../../engine/kernel/process/program.js';
import type { FilterContext } from '../framework/filter.js';
import { defineClient } from '../kubectl/client.js';
import type { RunTask } from '../kubectl/commands/command.js';
import { Flags } from '../kubectl/flags/flags.js';
import { ApiFailure, KubectlFailure } from '../kubectl/session/failure.js';
import type { Session } from '../kubectl/session/session.js';
import type { Task } from '../kubectl/session/task.js';
import { error as logError, info } from './log.js';

interface ChaosProgram {
  run(session: Session, name: string): readonly Task[] | void;
  readonly tasks: Readonly<Record<string, RunTask>>;
  /** Its last words when it is terminated. */
  readonly lastWords: readonly string[];
}

/** A program of LitmusChaos: a client of the API server, as the pod's service account. It ends when it is told to. */
export function defineChaosProgram({ run, tasks, lastWords }: ChaosProgram): Program {
  const tool = defineClient({
    ...{ agent: 'Go-http-client/1.1', flags: [], tasks, goesOnUnreached: true },
    find: (line) => ({
      command: { flags: [], run: (session) => run(session, nameOf(line)) },
      ...{ path: '', words: [] },
    }),
    settings: () => new Flags(new Map()),
    fail,
  });
  return {
    start(argv, sys) {
      sys.handleSignal('TERM', 'catch');
      return tool.start(argv, sys);
    },
    step(state, sys) {
      if (sys.takeSignal() === undefined) return tool.step(state, sys);
      const logger = { now: sys.now, err: (text: string) => void sys.write(2, bytesOf(text)) };
      for (const words of lastWords) info(logger, words);
      return exit(1);
    },
  };
}

/** `-name pod-delete`, as Go's flag package takes it. */
export function nameOf(line: readonly string[]): string {
  const at = line.findIndex((word) => /^--?name(=|$)/.test(word));
  const word = line[at] ?? '';
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : (line[at + 1] ?? 'pod-delete');
}

function fail(tool: FilterContext, error: unknown): number {
  if (!(error instanceof KubectlFailure || error instanceof ApiFailure || error instanceof SystemError)) throw error;
  const logger = { now: tool.sys.now, err: (text: string) => tool.err(bytesOf(text)) };
  logError(logger, error.message);
  return 1;
}
