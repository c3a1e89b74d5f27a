import { bytesOf } from '../../../../../engine/kernel/bytes.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../../engine/machinery/time/time.js';
import type { Options } from '../../../framework/options.js';
import type { ToolContext } from '../../../framework/tool.js';
import { diskOf } from '../../disk.js';
import { formatTable } from '../../runtime.js';
import { readingConfiguration } from '../config/cluster.js';
import { KubeadmFailure } from '../failure.js';
import { findSigner, renewLeaf } from './issue.js';
import { fileOf, MANAGED, MANAGED_AUTHORITIES, PKI, readCertificateFile } from './leaves.js';

const KEY_BYTES = 32;
const DONE =
  '\nDone renewing certificates. You must restart the kube-apiserver, kube-controller-manager, kube-scheduler and ' +
  'etcd, so that they can use the new certificates.\n';

/** Models cmd/kubeadm/app/cmd/certs.go. */
export function runCerts(tool: ToolContext, options: Options, words: readonly string[]): number {
  const [command = '', name = ''] = words;
  if (command === 'generate-csr' || options.has('csr-only'))
    throw new KubeadmFailure(`error: certificate signing requests of "kubeadm certs ${command}" are not simulated`);
  switch (command) {
    case 'check-expiration':
      return checkExpiration(tool);
    case 'renew':
      return renew(tool, name);
    case 'certificate-key':
      tool.out(`${newCertificateKey(tool)}\n`);
      return 0;
    default:
      throw new KubeadmFailure(`invalid subcommand: "${command}"`);
  }
}

/** A key that certificates are uploaded with. */
export const newCertificateKey = ({ sys }: ToolContext): string =>
  Array.from({ length: KEY_BYTES }, () =>
    Math.floor(sys.random() * 256)
      .toString(16)
      .padStart(2, '0'),
  ).join('');

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** 'Nov 23, 2027 16:20 UTC'. */
function showDate(at: number): string {
  const [date = '', clock = ''] = new Date(at).toISOString().split('T');
  const [year, month, day] = date.split('-');
  return `${MONTHS[Number(month) - 1]} ${day}, ${year} ${clock.slice(0, 5)} UTC`;
}

/** Models apimachinery's duration.ShortHumanDuration. */
export function shortDuration(ms: number): string {
  if (ms <= -2 * SECOND) return '<invalid>';
  if (ms < 0) return '0s';
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)}s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)}h`;
  return ms < 365 * DAY ? `${Math.floor(ms / DAY)}d` : `${Math.floor(ms / DAY / 365)}y`;
}

function checkExpiration(tool: ToolContext): number {
  const disk = diskOf(tool.sys);
  tool.out(readingConfiguration(tool, 'check-expiration'));
  const row = (name: string, file: string, ...more: string[]): string[] => {
    const found = readCertificateFile(disk, file);
    if (!found) return [`!MISSING! ${name}`, ...more.map(() => ''), '', '', ''];
    return [name, showDate(found.notAfter), shortDuration(found.notAfter - tool.sys.now), ...more, 'no      '];
  };
  const leaves = MANAGED.map((leaf) => row(leaf.name, fileOf(leaf), leaf.authority.replace('/', '-')));
  const authorities = MANAGED_AUTHORITIES.map(([name, file]) => row(name, `${PKI}/${file}.crt`));
  const heads = ['CERTIFICATE', 'EXPIRES', 'RESIDUAL TIME', 'CERTIFICATE AUTHORITY', 'EXTERNALLY MANAGED'];
  tool.out(bytesOf(formatTable([heads, ...leaves], 10, 3)));
  const authorityHeads = ['CERTIFICATE AUTHORITY', 'EXPIRES', 'RESIDUAL TIME', 'EXTERNALLY MANAGED'];
  tool.out(bytesOf(`\n${formatTable([authorityHeads, ...authorities], 10, 3)}`));
  return 0;
}

function renew(tool: ToolContext, name: string): number {
  const chosen = name === 'all' ? MANAGED : MANAGED.filter((leaf) => leaf.name === name);
  if (chosen.length === 0) throw new KubeadmFailure(`invalid subcommand: "${name}"`);
  const disk = diskOf(tool.sys);
  tool.out(readingConfiguration(tool, 'renew'));
  for (const leaf of chosen) {
    if (!disk.has(fileOf(leaf))) {
      tool.out(`MISSING! ${leaf.longName}\n`);
      continue;
    }
    const signer = findSigner(tool, leaf.authority);
    if (signer) renewLeaf(tool, leaf, signer);
    tool.out(
      signer
        ? `${leaf.longName} renewed\n`
        : `Detected external ${leaf.authority}, ${leaf.longName} can't be renewed\n`,
    );
  }
  if (name === 'all') tool.out(DONE);
  return 0;
}
