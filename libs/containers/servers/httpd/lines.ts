/** What Apache prints: the summary in the catalogue and the program say the same. */

export const LATEST = '2.4.66';
/** ms from the process' start until it listens. */
export const READY_MS = 80;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `[Sun Nov 22 22:41:37.123000 2026] [core:notice] [pid 1:tid 1] text`. */
export function formatLine(at: number, source: string, text: string, pid = 1): string {
  const date = new Date(at);
  const iso = date.toISOString();
  const time = `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${iso.slice(8, 10)} ${iso.slice(11, 23)}000 ${iso.slice(0, 4)}`;
  return `[${time}] [${source}] [pid ${pid}:tid ${pid}] ${text}`;
}

/** Without a ServerName it says this twice: it reads its configuration two times. */
export const nameless = (address: string): string =>
  `AH00558: httpd: Could not reliably determine the server's fully qualified domain name, using ${address}. Set the 'ServerName' directive globally to suppress this message`;

export const resumeLines = (at: number, version: string, command: string, pid = 1): readonly string[] => [
  formatLine(at, 'mpm_event:notice', `AH00489: Apache/${version} (Unix) configured -- resuming normal operations`, pid),
  formatLine(at, 'core:notice', `AH00094: Command line: '${command}'`, pid),
];

/** `[22/Nov/2026:22:41:37 +0000]`. */
export function accessTime(at: number): string {
  const iso = new Date(at).toISOString();
  return `[${iso.slice(8, 10)}/${MONTHS[Number(iso.slice(5, 7)) - 1]}/${iso.slice(0, 4)}:${iso.slice(11, 19)} +0000]`;
}
