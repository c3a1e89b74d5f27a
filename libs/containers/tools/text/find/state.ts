import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { type Names, readNames } from '../../accounts.js';
import type { Output } from '../../framework/output.js';
import { quoteName } from '../../framework/options.js';
import type { ToolContext } from '../../framework/tool.js';
import type { FindPlan } from './expression.js';

export type Visit = { path: Bytes; root: Bytes; depth: number; isPost: boolean };
/** All of a running find, as plain data. */
export type State = {
  argv: Bytes[];
  output: Output;
  isStarted: boolean;
  follows: 'P' | 'L' | 'H';
  words: Bytes[];
  /** What is still to be visited: the last is next. */
  stack: Visit[];
  current: Visit | null;
  /** Results of the commands that ran for the current file, in the order of the expression. */
  results: boolean[];
  child: number;
  batches: Record<string, Bytes[]>;
  isFinishing: boolean;
  isQuitting: boolean;
  failure: number;
  code: number | null;
};

/** What tests and actions of one step share. */
export abstract class FindStep {
  protected readonly sys: Syscalls;
  protected readonly state: State;
  protected readonly tool: ToolContext;
  protected resultAt = 0;
  protected isPruned = false;
  private names: Names | undefined;
  protected abstract readonly plan: FindPlan;

  constructor(state: State, tool: ToolContext) {
    this.state = state;
    this.tool = tool;
    this.sys = tool.sys;
  }

  protected accounts(): Names {
    return (this.names ??= readNames(this.sys));
  }

  /** What an expression does is done once, although it is evaluated again after each command. */
  protected once(act: () => boolean): boolean {
    const known = this.state.results[this.resultAt++];
    if (known !== undefined) return known;
    const result = act();
    this.state.results.push(result);
    return result;
  }

  protected complain(path: Bytes, message: string): void {
    this.tool.warn(this.tool.flavour === 'gnu' ? `${quoteName(path)}: ${message}` : `${path}: ${message}`);
    this.state.failure = 1;
  }
}

export const baseName = (path: Bytes) => (/^\/+$/.test(path) ? '/' : path.replace(/\/$/, '').replace(/^.*\//s, ''));
