import { bytesOf, type Bytes } from '../../../../../../engine/kernel/bytes.js';
import { addOutput, type Output } from '../../../../../tools/framework/output.js';
import type { Link } from '../connection.js';
import type { Style } from '../format.js';
import type { Asked } from '../meta.js';

/** A query that has been sent. */
export type Pending = { sql: string; asked: Asked | null; file?: string };
export type State = {
  link: Link;
  style: Style;
  /** Of -c and -f, in their order. */
  jobs: { kind: 'command' | 'file'; text: string }[];
  hasJobs: boolean;
  /** Lines that are read and not run: of a file, or of standard input. */
  input: Bytes;
  lineNumber: number;
  fileName: string;
  isInputEnded: boolean;
  readsInput: boolean;
  /** A statement that has no semicolon yet. */
  buffer: string;
  hasPrompt: boolean;
  isInteractive: boolean;
  isQuiet: boolean;
  stopsOnError: boolean;
  isTiming: boolean;
  variables: Record<string, string>;
  pending: Pending[];
  table: { columns: { name: string; type: string }[]; rows: (string | null)[][] } | null;
  description: { title: string; table: State['table']; footers: string[] } | null;
  /** Data that the server waits for: what the lines say, or a file. */
  copies: { file: string | null } | null;
  /** What \\copy writes to a file. */
  copied: Bytes;
  status: string;
  hasFailed: boolean;
  asksPassword: boolean;
  output: Output;
  code: number | null;
};

/** Bytes of one read. */
export const CHUNK = 65_536;
/** Exit codes of psql: a broken connection, and an error in a script that stops on one. */
export const BAD_CONNECTION = 2;
export const SCRIPT_ERROR = 3;

export const out = (state: State, text: string): void => addOutput(state.output, 1, bytesOf(text));
export const err = (state: State, text: string): void => addOutput(state.output, 2, bytesOf(text));
