import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../../engine/kernel/errno.js';

/** What an ex command gets: its name, `!`, the rest, and the lines before it (from 0; undefined: none were given). */
export interface ExCommand {
  readonly name: string;
  readonly isForced: boolean;
  readonly rest: string;
  readonly from: number;
  readonly to: number;
  readonly hasRange: boolean;
}

/** An error of a file, in strerror's words. */
export const wordsOf = (error: unknown): string => {
  if (error instanceof SystemError) return error.message;
  throw error;
};

export const pathOf = (rest: string): string => bytesOf(rest.trim());
