import { type Bytes, textOf } from '../../../engine/kernel/bytes.js';
import { readSmallFile } from '../accounts.js';
import { defineTool, type ToolContext } from '../framework/tool.js';
import { writeWholeFile } from '../whole-file.js';

const LOCAL = '/usr/local/share/ca-certificates';
const CERTS = '/etc/ssl/certs';
const BUNDLE = `${CERTS}/ca-certificates.crt`;
const PEM = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/;
const NOT_ONE: Readonly<Record<'debian' | 'alpine', string>> = {
  debian: 'rehash: warning: skipping ca-certificates.crt,it does not contain exactly one certificate or CRL\n',
  alpine: 'WARNING: ca-certificates.crt does not contain exactly one certificate or CRL: skipping\n',
};

/**
 * Makes the authorities that an administrator has put into /usr/local/share part of those that clients trust. Those of
 * the web are trusted without standing there. Models Debian's update-ca-certificates, and Alpine's, which says nothing.
 */
export const updateCaCertificates = defineTool((tool) => {
  const { sys } = tool;
  if (sys.user !== 0) {
    tool.err(`${tool.name}: Permission denied\n`);
    return 1;
  }
  const isAlpine = sys.access('/etc/alpine-release', '');
  const say = (text: string): void => {
    if (!isAlpine) tool.out(text);
  };
  say(`Updating certificates in ${CERTS}...\n`);
  const files = certificatesIn(tool, LOCAL);
  const removed = unlinkGone(tool);
  const added = files.filter((file) => link(tool, file));
  const changed = added.length + removed > 0;
  if (changed) writeWholeFile(sys, BUNDLE, files.map((file) => `${pemOf(tool, file)}\n`).join(''));
  if (changed) tool.err(NOT_ONE[isAlpine ? 'alpine' : 'debian']);
  say(`${added.length} added, ${removed} removed; done.\nRunning hooks in /etc/ca-certificates/update.d...\ndone.\n`);
  return 0;
});

/** Files that end in .crt and hold a certificate, in folders of folders too. */
function certificatesIn(tool: ToolContext, folder: string): string[] {
  const { sys } = tool;
  if (!sys.access(folder, '')) return [];
  return [...sys.readDirectory(folder)].sort().flatMap((name) => {
    const path = `${folder}/${name}`;
    if (sys.stat(path).type === 'directory') return certificatesIn(tool, path);
    return name.endsWith('.crt') && pemOf(tool, path) !== '' ? [path] : [];
  });
}

const pemOf = ({ sys }: ToolContext, path: string): Bytes => PEM.exec(textOf(readSmallFile(sys, path)))?.[0] ?? '';

const linkOf = (file: string): string =>
  `${CERTS}/${file.slice(file.lastIndexOf('/') + 1, -'.crt'.length).replaceAll(' ', '_')}.pem`;

/** False: it is there already. */
function link({ sys }: ToolContext, file: string): boolean {
  const path = linkOf(file);
  if (sys.access(path, '')) return false;
  sys.symlink(file, path);
  return true;
}

/** How many links led to files that are gone. */
function unlinkGone({ sys }: ToolContext): number {
  const gone = sys
    .readDirectory(CERTS)
    .filter((name) => name.endsWith('.pem') && !sys.access(`${CERTS}/${name}`, ''))
    .map((name) => `${CERTS}/${name}`);
  for (const path of gone) sys.unlink(path);
  return gone.length;
}
