export const LATEST = '8.2.3';
/** ms from the process' start until it listens. */
export const READY_MS = 1_200;

/** A line of mongod's log, which is JSON. */
export function logLine(
  at: number,
  level: 'I' | 'E',
  component: string,
  id: number,
  context: string,
  message: string,
  attributes: Readonly<Record<string, unknown>> = {},
): string {
  const time = `{"t":{"$date":"${new Date(at).toISOString().replace('Z', '+00:00')}"},"s":"${level}",  `;
  const name = `"c":${`"${component}",`.padEnd(11)} "id":${`${id},`.padEnd(9)}"ctx":"${context}",`;
  const attr = Object.keys(attributes).length === 0 ? '' : `,"attr":${JSON.stringify(attributes)}`;
  return `${time}${name}"msg":${JSON.stringify(message)}${attr}}\n`;
}

export const startLines = (at: number, pid: number, port: number, dbPath: string, host: string): string =>
  logLine(at, 'I', 'CONTROL', 4_615_611, 'initandlisten', 'MongoDB starting', {
    ...{ pid, port, dbPath, architecture: '64-bit', host },
  });
