import type { Session } from '../kubectl/session/session.js';

export type Fields = Readonly<Record<string, unknown>>;
type Logger = Pick<Session, 'err' | 'now'>;

/** Lines as logrus' TextFormatter writes them, without colours and sorting. */
export const info = (session: Logger, message: string, fields: Fields = {}): void =>
  write(session, 'info', message, fields);
export const warn = (session: Logger, message: string): void => write(session, 'warning', message, {});
export const error = (session: Logger, message: string, fields: Fields = {}): void =>
  write(session, 'error', message, fields);
export const fatal = (session: Logger, message: string): void => write(session, 'fatal', message, {});

function write(session: Logger, level: string, message: string, fields: Fields): void {
  const time = `${new Date(session.now).toISOString().slice(0, 19)}Z`;
  const pairs = Object.entries(fields).map(([key, value]) => ` ${key}=${quote(printValue(value))}`);
  session.err(`time=${quote(time)} level=${level} msg=${quote(message)}${pairs.join('')}\n`);
}

const quote = (text: string): string => (/^[\w\-./@^+]*$/.test(text) ? text : JSON.stringify(text));

/** As fmt's %v: '[a b]'. */
const printValue = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(printValue).join(' ')}]` : value === undefined ? '' : String(value);
