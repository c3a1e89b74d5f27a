import type { Bytes } from '../../../../engine/kernel/bytes.js';
import type { ToolContext } from '../../framework/tool.js';
import {
  type Budget,
  type FilePatch,
  findPlace,
  type Hunk,
  newLines,
  oldLines,
  type Place,
  reverseHunk,
} from './patch-format.js';

/** The first hunk does not fit, but fits backwards. */
export function isApplied(lines: readonly Bytes[], [first]: readonly Hunk[], budget: Budget): boolean {
  return (
    first !== undefined &&
    !findPlace(lines, first, budget) &&
    findPlace(lines, reverseHunk(first), budget) !== undefined
  );
}

/** The file after the hunks that fit, and those that do not; says of each where it went. */
export function applyHunks(
  tool: ToolContext,
  lines: readonly Bytes[],
  hunks: readonly Hunk[],
  isQuiet: boolean,
  budget: Budget,
): { made: Bytes[]; failed: Hunk[] } {
  const made: Bytes[] = [];
  const failed: Hunk[] = [];
  let [done, shift] = [0, 0];
  hunks.forEach((hunk, i) => {
    const place = findPlace(lines, hunk, budget, shift, done);
    if (place === undefined) {
      failed.push(hunk);
      if (tool.flavour === 'gnu') tool.out(`Hunk #${i + 1} FAILED at ${hunk.oldStart}.\n`);
      else tool.err(`Hunk ${i + 1} FAILED ${hunk.oldStart}/${hunk.newStart}.\n${hunk.lines.join('')}`);
      return;
    }
    const wanted = oldLines(hunk);
    const offset = place.at - Math.max(0, wanted.length === 0 ? hunk.oldStart : hunk.oldStart - 1);
    if (!isQuiet && tool.flavour === 'gnu') tool.out(describePlace(i + 1, place, offset, made.length - done));
    made.push(...lines.slice(done, place.at), ...keepContext(lines, hunk, place.at));
    done = place.at + wanted.length;
    shift = offset;
  });
  return { made: [...made, ...lines.slice(done)], failed };
}

/** What was not looked at stays as it is in the file. */
function keepContext(lines: readonly Bytes[], hunk: Hunk, at: number): Bytes[] {
  let seen = 0;
  return hunk.lines.flatMap((line) => {
    if (line[0] === '+') return [line.slice(1)];
    const own = lines[at + seen++];
    return line[0] === ' ' ? [own ?? line.slice(1)] : [];
  });
}

function describePlace(number: number, place: Place, offset: number, grown: number): string {
  if (offset === 0 && place.fuzz === 0) return '';
  const fuzz = place.fuzz > 0 ? ` with fuzz ${place.fuzz}` : '';
  const moved = offset === 0 ? '' : ` (offset ${offset} line${Math.abs(offset) === 1 ? '' : 's'})`;
  return `Hunk #${number} succeeded at ${place.at + 1 + grown}${fuzz}${moved}.\n`;
}

/** The content of FILE.rej. */
export function rejectsOf(file: FilePatch, hunks: readonly Hunk[]): Bytes {
  const head = file.head.filter((line) => /^(?:---|\+\+\+) /.test(line));
  return [
    ...head,
    ...hunks.map(
      (hunk) =>
        `@@ -${rangeOf(hunk.oldStart, oldLines(hunk))} +${rangeOf(hunk.newStart, newLines(hunk))} @@\n${hunk.lines.join('')}`,
    ),
  ].join('');
}

const rangeOf = (start: number, { length }: readonly Bytes[]): string =>
  length === 1 ? `${start}` : `${start},${length}`;
