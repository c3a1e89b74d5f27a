import type { ServiceCIDR } from '../../../api/networking_v1.js';
import type { Reader } from '../../../machinery/client.js';
import { kind as serviceCIDRs } from '../../networking/servicecidr/kind.js';
import { addressRange, type AddressRange } from './address-range.js';

/** kubeadm's default service subnet, and its second one. */
const DEFAULT_RANGES = ['10.96.0.0/12', 'fd00:10:96::/112'].flatMap((cidr) => addressRange(cidr) ?? []);
const DEFAULT = 'kubernetes';

const isReady = ({ metadata, status }: ServiceCIDR): boolean =>
  !metadata.deletionTimestamp && status?.conditions?.find(({ type }) => type === 'Ready')?.status !== 'False';

/**
 * The ranges that Services get addresses from, the cluster's own first. Models pkg/registry/core/service/ipallocator
 * MetaAllocator, which takes ServiceCIDRs that are ready, and those without a condition.
 */
export function serviceRanges(read: Pick<Reader, 'list'>): readonly AddressRange[] {
  const cidrs = read.list(serviceCIDRs).filter(isReady);
  if (cidrs.length === 0) return DEFAULT_RANGES;
  const order = [
    ...cidrs.filter(({ metadata }) => metadata.name === DEFAULT),
    ...cidrs.filter(({ metadata }) => metadata.name !== DEFAULT),
  ];
  return order.flatMap(({ spec }) => spec.cidrs ?? []).flatMap((cidr) => addressRange(cidr) ?? []);
}
