import { isWithin, toNumber, toText } from '../../../../engine/node/cni/fabric/fabric.js';
import type { IPAMBlock, IPPool } from '../../../../engine/node/cni/calico/objects.js';
import { parseAddress } from '../../../../engine/machinery/net/netip.js';
import { PlainFailure } from '../../../tools/kubectl/session/failure.js';
import type { ApiObject, Session } from '../../../tools/kubectl/session/session.js';
import { lined } from './table.js';

const CRD = '/apis/crd.projectcalico.org/v1';
const HEADS: readonly string[] = ['GROUPING', 'CIDR', 'IPS TOTAL', 'IPS IN USE', 'IPS FREE'];

const listOf = <T>(session: Session, plural: string): readonly T[] =>
  ((session.get(`${CRD}/${plural}`) as ApiObject)['items'] as readonly T[] | undefined) ?? [];

/** `calicoctl ipam show`. Models calicoctl/commands/ipam/show.go. Left out: --show-borrowed, --show-configuration. */
export function showIpam(session: Session): void {
  const { flags } = session;
  if (flags.has('show-borrowed') || flags.has('show-configuration'))
    throw new PlainFailure('--show-borrowed and --show-configuration are not simulated');
  const blocks = listOf<IPAMBlock>(session, 'ipamblocks');
  if (flags.has('ip')) return showAddress(session, blocks, flags.value('ip'));
  const rows: string[][] = [];
  for (const { spec } of listOf<IPPool>(session, 'ippools')) {
    const { cidr = '' } = spec ?? {};
    const inside = blocks.filter((block) => isWithin(block.spec?.cidr?.split('/')[0] ?? '', cidr));
    const used = inside.map(inUse);
    rows.push(
      rowOf(
        'IP Pool',
        cidr,
        sizeOf(cidr),
        used.reduce((a, b) => a + b, 0),
      ),
    );
    if (flags.isOn('show-blocks'))
      for (const [i, block] of inside.entries())
        rows.push(rowOf('Block', block.spec?.cidr ?? '', sizeOf(block.spec?.cidr ?? ''), used[i] ?? 0));
  }
  session.out(lined(HEADS, rows));
}

const sizeOf = (cidr: string): number => 2 ** (32 - Number(cidr.split('/')[1] ?? 32));
const inUse = ({ spec }: IPAMBlock): number => (spec?.allocations ?? []).filter((one) => one !== null).length;

/** As Go's %.5g prints it: '1.6777e+07'. */
function short(n: number): string {
  if (n < 100_000) return String(n);
  const [digits = '', power = ''] = n.toExponential(4).split('e+');
  return `${Number(digits)}e+${power.padStart(2, '0')}`;
}

function rowOf(kind: string, cidr: string, total: number, used: number): string[] {
  const share = (n: number): string => `${short(n)} (${Math.round((100 * n) / total)}%)`;
  return [kind, cidr, short(total), share(used), share(total - used)];
}

function showAddress(session: Session, blocks: readonly IPAMBlock[], ip: string): void {
  if (!parseAddress(ip)) throw new PlainFailure(`Invalid IP address specified in argument: ${ip}`);
  const spec = blocks.find((block) => isWithin(ip, block.spec?.cidr ?? ''))?.spec;
  const place = spec ? toNumber(ip) - toNumber(spec.cidr?.split('/')[0] ?? '') : -1;
  const at = spec?.allocations?.[place];
  const found = at === undefined || at === null ? undefined : spec?.attributes?.[at];
  if (!found) return session.out(`${toText(toNumber(ip))} is not assigned\n`);
  const attributes = Object.entries(found.secondary ?? {}).sort();
  session.out(
    [
      `IP ${ip} is in use`,
      `Handle ID: ${found.handle_id ?? '<none>'}`,
      ...(attributes.length === 0
        ? ['No attributes defined']
        : ['Attributes:', ...attributes.map(([key, value]) => `  ${key}: ${value}`)]),
      '',
    ].join('\n'),
  );
}
