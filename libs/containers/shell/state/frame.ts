import type { Bytes, ErrorCode, Signal } from '../kernel.js';
import type { Variable } from './variable.js';

/**
 * The answers that an expansion has had so far. An expansion runs again from its beginning when a command substitution
 * has ended; all that it read or changed comes from here then, so that it takes the same course and does nothing twice.
 */
export type Memo = (Bytes | number | boolean | null | Bytes[])[];

/** Descriptors to be put back: the copy of what was there, -1 when nothing was. */
export type Saved = { descriptor: number; copy: number }[];

/** Variables to be put back: null when there was none. */
export type SavedVariables = Record<string, Variable | null>;

/** A redirection whose words are expanded. `descriptor`: -1 takes the operator's own; `variable`: {name}>file. */
export type ExpandedRedirection = {
  operator: string;
  descriptor: number;
  variable: Bytes;
  target: Bytes;
  /** A connection that the target, /dev/tcp/HOST/PORT, has become. */
  socket?: number;
  /** Why there is none: what is printed beside the failure of the redirection. */
  error?: { explanation: Bytes; code: ErrorCode };
};

/** An assignment whose words are expanded. */
export type ExpandedAssignment = {
  name: Bytes;
  isAppended: boolean;
  index: Bytes | null;
  value: Bytes;
  /** Of name=(...): keys (null: the next one) and values. */
  elements: { key: Bytes | null; value: Bytes; isAppended: boolean }[] | null;
};

type At = { source: number; node: number };
/**
 * `debugged`: how many DEBUG traps have run for what the frame is about to do. `connecting`: a socket of a redirection
 * that is being connected.
 */
type Expanding = { memo: Memo; debugged?: number; connecting?: number };

export type CommandFrame = {
  type: 'command';
  phase: 'expand' | 'redirect' | 'assign' | 'run' | 'finish';
  words: (Bytes[] | ExpandedAssignment)[];
  redirections: ExpandedRedirection[];
  assignments: ExpandedAssignment[];
  saved: Saved;
  variables: SavedVariables;
} & At &
  Expanding;

export type EditorFrame = {
  type: 'editor';
  prompt: Bytes;
  text: Bytes;
  at: number;
  historyAt: number;
  /** The line that was typed before the arrows went into the history. */
  draft: Bytes;
  escape: Bytes;
  killed: Bytes;
  search: Bytes | null;
  isReady: boolean;
  tabs: number;
};

/** What the shell has yet to do: the stack of these is its continuation. */
export type Frame =
  | CommandFrame
  | EditorFrame
  | ({ type: 'list'; index: number } & At)
  | ({ type: 'and-or'; index: number } & At)
  | ({ type: 'pipeline'; phase: 'run' | 'finish'; startedAt: number; debugged?: number } & At)
  | ({
      type: 'redirected';
      phase: 'expand' | 'run' | 'finish';
      redirections: ExpandedRedirection[];
      saved: Saved;
    } & At &
      Expanding)
  | ({ type: 'subshell'; phase: 'run' | 'finish' } & At)
  | ({ type: 'group' } & At)
  | ({ type: 'if'; index: number } & At)
  | ({ type: 'while'; phase: 'start' | 'test' | 'body'; last: number } & At)
  | ({ type: 'for'; phase: 'expand' | 'body'; index: number; words: Bytes[][]; fields: Bytes[]; last: number } & At &
      Expanding)
  | ({ type: 'arithmetic-for'; phase: 'initialize' | 'test' | 'body' | 'update'; last: number } & At & Expanding)
  | ({ type: 'select'; phase: 'expand' | 'ask' | 'answer'; words: Bytes[][]; fields: Bytes[]; last: number } & At &
      Expanding)
  | ({ type: 'case'; phase: 'expand' | 'match' | 'next'; item: number; pattern: number; subject: Bytes[] } & At &
      Expanding)
  | ({ type: 'test'; texts: Bytes[] } & At & Expanding)
  | ({ type: 'arithmetic' } & At & Expanding)
  | { type: 'wait-job'; job: number; isForeground: boolean }
  | {
      type: 'call';
      name: Bytes;
      source: number;
      positional: Bytes[];
      saved: SavedVariables;
      line: number;
      optionAt: number;
      /** DEBUG and RETURN traps that do not hold in the function. */
      hidden?: Record<string, Bytes>;
      /** Its RETURN trap has run. */
      hasReturned?: boolean;
    }
  | {
      type: 'script';
      source: number;
      at: number;
      kind: 'main' | 'eval' | 'source' | 'trap';
      positional: Bytes[] | null;
      hasReturned?: boolean;
    }
  | ({ type: 'input'; text: Bytes; isEnded: boolean; line: number; prompt: 'first' | 'next' | 'none' } & Expanding)
  | { type: 'substitution'; descriptor: number; pid: number; parts: Bytes[]; isRead: boolean }
  | { type: 'trap'; status: number; line: number; ends: boolean; signal: Bytes }
  | { type: 'builtin'; name: Bytes; argv: Bytes[]; data: Record<string, unknown> }
  | {
      type: 'setup';
      moves: [number, number][];
      closes: number[];
      resets: Signal[];
      group: number | null;
      foreground: boolean;
      isBackground: boolean;
    };

export type FrameOf<Type extends Frame['type']> = Extract<Frame, { type: Type }>;
