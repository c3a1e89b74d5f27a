import { Pods } from '../../../../engine/kinds/index.js';
import { parseAddress } from '../../../../engine/machinery/net/netip.js';
import { podIPsOf } from '../../../../engine/node/dualstack/addresses.js';
import { NO_DATA, type Found, type Lookup } from './lookup.js';

/** 10-244-1-5.default.pod.cluster.local. Models plugin/kubernetes findPods. */
export function answerPod({ name, type, settings, read }: Lookup, namespace: string, labels: readonly string[]): Found {
  if (labels.length === 0) return NO_DATA;
  if (labels.length > 1 || settings.pods === 'disabled') return undefined;
  const label = labels[0]!;
  const dashes = label.split('-').length - 1;
  const address = dashes === 3 && !label.includes('--') ? label.replaceAll('-', '.') : label.replaceAll('-', ':');
  const kind = parseAddress(address)?.kind();
  if (kind === undefined) return undefined;
  if (settings.pods === 'verified' && !read.list(Pods, namespace).some((pod) => podIPsOf(pod).includes(address)))
    return undefined;
  return type === (kind === 'ipv4' ? 'A' : 'AAAA')
    ? { records: [{ name, type, ttl: settings.ttl, data: address }] }
    : NO_DATA;
}
