/** A package of Debian; all of its texts are ASCII. */
export interface Deb {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly files: readonly DebFile[];
}

export interface DebFile {
  /** './usr/bin/tool'. */
  readonly path: string;
  readonly mode: number;
  readonly content: string;
}

const BLOCK = 512;
const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;

/** The archive as text. Models deb(5): an ar(5) of a version and two archives of tar, which are not compressed here. */
export function formatDeb({ name, version, description, files }: Deb): string {
  const control = [
    `Package: ${name}`,
    `Version: ${version}`,
    'Architecture: amd64',
    'Maintainer: nobody',
    `Description: ${description}`,
    '',
  ].join('\n');
  return (
    '!<arch>\n' +
    member('debian-binary', '2.0\n') +
    member('control.tar', tarOf([{ path: './control', mode: 0o644, content: control }])) +
    member('data.tar', tarOf(files))
  );
}

const member = (name: string, content: string): string =>
  `${name.padEnd(16)}${'0'.padEnd(12)}${'0'.padEnd(6)}${'0'.padEnd(6)}${'100644'.padEnd(8)}${String(content.length).padEnd(10)}\`\n` +
  content +
  (content.length % 2 === 0 ? '' : '\n');

const tarOf = (files: readonly DebFile[]): string => files.map(entryOf).join('') + '\0'.repeat(2 * BLOCK);

function entryOf({ path, mode, content }: DebFile): string {
  const head = `${path.padEnd(100, '\0')}${octal(mode, 8)}${octal(0, 8)}${octal(0, 8)}${octal(content.length, 12)}${octal(0, 12)}`;
  const tail = `0${'\0'.repeat(100)}ustar  \0${'root'.padEnd(32, '\0')}${'root'.padEnd(32, '\0')}`;
  const sum = [...`${head}        ${tail}`].reduce((all, c) => all + c.charCodeAt(0), 0);
  const header = `${head}${sum.toString(8).padStart(6, '0')}\0 ${tail}`.padEnd(BLOCK, '\0');
  return header + content + '\0'.repeat((BLOCK - (content.length % BLOCK)) % BLOCK);
}
