import { type Bytes, textOf } from '../../../engine/kernel/bytes.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { JsonReader, type Position } from './values/read-json.js';
import { isArray, isObject, JqExhausted, type Json } from './values/values.js';

/** What has been read and not been used yet; plain data. */
export type InputState = {
  files: Bytes[];
  /** Of the file that is being read; -1: none. */
  descriptor: number;
  filename: string | null;
  buffer: Bytes;
  isEnded: boolean;
  position: Position;
  /** Files that could not be opened. */
  failures: number;
};

/** More is to come, but has not yet. */
export class InputNeeded extends Error {}

const CHUNK = 65_536;
const MAX_BUFFER = 16 << 20;

export const newInput = (files: Bytes[]): InputState => ({
  ...{ files: files.length === 0 ? ['-'] : files, descriptor: -1, filename: null, buffer: '', isEnded: false },
  ...{ position: { lines: 0, column: 0 }, failures: 0 },
});

/** Reads what there is. False: nothing is there, wait. */
export function fillInput(input: InputState, sys: Syscalls, warn: (message: string) => void): boolean {
  while (input.descriptor < 0) {
    const path = input.files.shift();
    if (path === undefined) {
      input.isEnded = true;
      return true;
    }
    try {
      input.descriptor = path === '-' ? 0 : sys.open(path, { read: true });
      input.filename = path === '-' ? null : path;
      input.position = { lines: 0, column: 0 };
    } catch (error) {
      input.failures++;
      warn(`jq: error: Could not open ${path}: ${(error as Error).message}\n`);
    }
  }
  let bytes: Bytes | undefined;
  try {
    bytes = sys.read(input.descriptor, CHUNK);
  } catch (error) {
    input.failures++;
    warn(`jq: error: Could not open ${input.filename ?? '-'}: ${(error as Error).message}\n`);
    bytes = '';
  }
  if (bytes === undefined) return false;
  sys.charge(1 + (bytes.length >> 4));
  if (bytes === '') {
    if (input.descriptor > 0) sys.close(input.descriptor);
    input.descriptor = -1;
    if (input.files.length === 0) input.isEnded = true;
  }
  input.buffer += bytes;
  sys.setMemory(input.buffer.length * 4);
  if (input.buffer.length > MAX_BUFFER) throw new JqExhausted('the input is larger than is simulated');
  return true;
}

/** Takes values from an input; what it has taken counts only when `commit` is called. */
export class InputReader {
  private reader: JsonReader;
  private readonly events: Json[] = [];

  constructor(
    private readonly state: InputState,
    private readonly isRaw: boolean,
    private readonly isStream: boolean,
  ) {
    this.reader = new JsonReader(state.buffer, state.isEnded, state.position);
  }

  /** The next value; undefined: there is none. Throws InputNeeded, JsonFault. */
  next(): Json | undefined {
    if (this.isRaw) return this.line();
    if (!this.isStream) return this.value();
    if (this.events.length === 0) {
      const value = this.value();
      if (value === undefined) return undefined;
      this.events.push(...eventsOf(value));
    }
    return this.events.shift();
  }

  private value(): Json | undefined {
    const next = this.reader.next();
    if (next !== undefined) return next.value;
    if (!this.state.isEnded) throw new InputNeeded();
    return undefined;
  }

  private line(): Json | undefined {
    const { buffer, isEnded } = this.state;
    const { at } = this.reader;
    const end = buffer.indexOf('\n', at);
    if (end < 0 && !isEnded) throw new InputNeeded();
    if (at >= buffer.length) return undefined;
    this.reader.at = end < 0 ? buffer.length : end + 1;
    return textOf(buffer.slice(at, end < 0 ? undefined : end));
  }

  /** All of the input, when it has ended. */
  slurp(): Json {
    if (!this.state.isEnded) throw new InputNeeded();
    if (this.isRaw) {
      this.reader.at = this.state.buffer.length;
      return textOf(this.state.buffer);
    }
    const all: Json[] = [];
    for (let value = this.next(); value !== undefined; value = this.next()) all.push(value);
    return all;
  }

  /** Lines up to the end of the one that was read last. */
  lines(): number {
    const { buffer, position } = this.state;
    const end = buffer.indexOf('\n', this.reader.at);
    const taken = buffer.slice(0, end < 0 ? buffer.length : end + 1);
    return position.lines + taken.split('\n').length - 1;
  }

  /** Events of a value that are still to be taken. */
  get hasEvents(): boolean {
    return this.events.length > 0;
  }

  commit(): void {
    const { state, reader } = this;
    const taken = state.buffer.slice(0, reader.at).split('\n');
    state.position = {
      lines: state.position.lines + taken.length - 1,
      column: taken.at(-1)!.length + (taken.length === 1 ? state.position.column : 0),
    };
    state.buffer = state.buffer.slice(reader.at);
  }
}

/** What --stream makes of a value: each leaf with its path, and each end. */
function eventsOf(value: Json, path: readonly Json[] = []): Json[] {
  const members: readonly (readonly [Json, Json])[] = isArray(value)
    ? value.map((item, i) => [i, item] as const)
    : isObject(value)
      ? [...value]
      : [];
  if (members.length === 0) return [[path, value]];
  const inner = members.flatMap(([key, member]) => {
    const isLeaf = !isArray(member) && !isObject(member);
    return isLeaf ? [[[...path, key], member]] : eventsOf(member, [...path, key]);
  });
  return [...inner, [[...path, members.at(-1)![0]]]];
}
