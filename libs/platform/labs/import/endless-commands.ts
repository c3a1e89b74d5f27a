/** Seconds after which a learner has seen what a command shows. */
const SECONDS = 10;

/** Commands that show what happens until somebody presses ^C. */
const ENDLESS = [
  /^(?:kubectl|k)\s+(?:[^|;&]*\s)?get\s(?:[^|;&]*\s)?(?:-w|--watch|--watch-only)(?=\s|$)/,
  /^(?:kubectl|k)\s+(?:[^|;&]*\s)?(?:logs|events)\s(?:[^|;&]*\s)?(?:-f|--follow|-w|--watch)(?=\s|$)/,
  /^(?:kubectl|k)\s+(?:[^|;&]*\s)?(?:port-forward|proxy|attach)(?=\s|$)[^&]*$/,
  /^watch\s/,
  /^tail\s+(?:\S+\s+)*-[fF](?=\s|$)/,
  /^journalctl\s(?:\S+\s+)*-f(?=\s|$)/,
];
/** timeout knows no aliases. */
const ALIAS = /^k(?=\s)/;

/** A command of a solution: a script that goes on has no ^C, so that what only watches ends by itself. */
export const endWatching = (command: string): string =>
  command
    .split('\n')
    .map((line) =>
      ENDLESS.some((pattern) => pattern.test(line.trim()))
        ? line.replace(/\S.*/, (text) => `timeout ${SECONDS} ${text.replace(ALIAS, 'kubectl')}`)
        : line,
    )
    .join('\n');
