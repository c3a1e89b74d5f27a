import type { Bytes } from '../../../engine/kernel/bytes.js';
import type { Output } from '../framework/output.js';
import type { Cell } from './values.js';

export type Reader = { descriptor: number; rest: Bytes; isEnded: boolean; child: number };
export type Writer = { descriptor: number; child: number };
type Frame = { returnAt: number; locals: Record<string, Cell>; iterations: number; name: string };
type Iteration = { array: string; keys: Bytes[]; at: number };

/** All of a running program, as plain data. */
export type Machine = {
  pc: number;
  stack: Cell[];
  frames: Frame[];
  rules: number[];
  iterations: Iteration[];
  globals: Record<string, Cell>;
  arrays: Record<string, Record<string, Cell>>;
  arrayCount: number;
  ranges: boolean[];
  record: Bytes;
  /** Null: the record is not split yet. */
  fields: Bytes[] | null;
  argument: number;
  hasInput: boolean;
  main: Reader | null;
  readers: Record<string, Reader>;
  writers: Record<string, Writer>;
  output: Output;
  child: number;
  closing: string | null;
  line: Bytes | null;
  status: number;
  count: number;
  exitCode: number;
  isEnding: boolean;
  /** Bytes that elements of arrays take, about. */
  memory: number;
  seed: number;
  previousSeed: number;
};

export const newMachine = (pc: number): Machine => ({
  ...{ pc, stack: [], frames: [], rules: [], iterations: [], globals: {}, arrays: {}, arrayCount: 0, ranges: [] },
  ...{
    record: '',
    fields: null,
    argument: 1,
    hasInput: false,
    main: null,
    readers: {},
    writers: {},
    output: [],
    child: 0,
  },
  ...{ closing: null, line: null, status: 0, count: 0, exitCode: 0, isEnding: false, seed: 1, previousSeed: 0 },
  memory: 0,
});
/** Bytes of a text. */
export const MAX_TEXT = 4 << 20;

export const keyOf = (text: Bytes) => (text === '__proto__' ? '__proto__ ' : text);
