import { ApiError, type Client, type LogLine, type Process, type Start } from '@terrarium/engine';
import { utc } from './server.js';

/** How long a call of the API and what goes with it takes. */
const WORK_MS = 400;

/** A program that does something to the API as its service account, says so, and ends. */
export function apiTask(lines: readonly LogLine[], acts: (api: Client) => void): Process {
  return {
    exit: { afterMs: WORK_MS, code: 0 },
    listens: [],
    readyAfterMs: 0,
    acts,
    lines: (until) => lines.filter((l) => l.at <= until),
  };
}

/** '--name=value' of a command line. */
export const flag = ({ argv }: Start, name: string, otherwise = ''): string =>
  argv.find((a) => a.startsWith(`--${name}=`))?.slice(name.length + 3) ?? otherwise;

/** A line as logrus' JSON formatter writes it. */
export const logrus = (start: Start, at: number, source: string, msg: string, err?: string): LogLine => ({
  at,
  text: JSON.stringify({
    ...(err === undefined ? {} : { err }),
    level: 'info',
    msg,
    source,
    time: `${utc(start.at + at).iso.slice(0, 19)}Z`,
  }),
});

/** The program cannot go on: it ends with 1. */
export const fatal = (message: string): ApiError => new ApiError(500, 'InternalError', message);

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-';

/** A password of 16 letters that belongs to one run of a container. */
export function passwordOf({ seed }: Start): string {
  const hex = seed.slice(seed.lastIndexOf('/') + 1).padEnd(32, '0');
  let text = '';
  for (let i = 0; i < 32; i += 2) text += LETTERS[(Number.parseInt(hex.slice(i, i + 2), 16) || 0) % LETTERS.length]!;
  return text;
}
