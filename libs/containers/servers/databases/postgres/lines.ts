/** What a server prints: by the version of its image. */
export const LATEST = '18.1';

export const stamp = (at: number): string => `${new Date(at).toISOString().slice(0, 23).replace('T', ' ')} UTC`;
export const formatLine = (at: number, pid: number, level: string, text: string): string =>
  `${stamp(at)} [${pid}] ${level}:  ${text}\n`;

/** The machine that the packages were built on. */
export function versionText(version: string, isAlpine: boolean): string {
  const compiler = isAlpine ? 'gcc (Alpine 15.2.0) 15.2.0' : 'gcc (Debian 14.2.0-19) 14.2.0';
  const build = isAlpine ? 'x86_64-pc-linux-musl' : 'x86_64-pc-linux-gnu';
  const own = isAlpine ? version : `${version} (Debian ${version}-1.pgdg13+2)`;
  return `PostgreSQL ${own} on ${build}, compiled by ${compiler}, 64-bit`;
}
