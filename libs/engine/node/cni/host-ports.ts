import type { Pod } from '../../api/core_v1.js';
import { isPodTerminal } from '../../kinds/core/pod/status/phase.js';
import type { ChainRules } from './merge-rules.js';
import { portMappingsOf, portMapRules } from './port-map.js';

export const NO_RULES: ChainRules = {};

/** The pods that have ports of their nodes, node by node: it follows the state. */
export class HostPorts {
  private readonly pods = new Map<string, Map<string, Pod>>();
  private readonly rules = new Map<string, ChainRules>();

  onPod(old: Pod | undefined, next: Pod | undefined): void {
    if (old && next && isSame(old, next)) return;
    if (old && isMapped(old)) this.drop(old);
    if (next && isMapped(next)) this.put(next);
  }

  private put(pod: Pod): void {
    const node = pod.spec.nodeName ?? '';
    const own = this.pods.get(node) ?? new Map<string, Pod>();
    this.pods.set(node, own.set(pod.metadata.uid ?? '', pod));
    this.rules.delete(node);
  }

  private drop(pod: Pod): void {
    const node = pod.spec.nodeName ?? '';
    const own = this.pods.get(node);
    own?.delete(pod.metadata.uid ?? '');
    if (own?.size === 0) this.pods.delete(node);
    this.rules.delete(node);
  }

  /** The chains of table nat of a node's pods; the same object until they change. */
  rulesOn(node: string): ChainRules {
    const pods = this.pods.get(node);
    if (!pods) return NO_RULES;
    let rules = this.rules.get(node);
    if (!rules) this.rules.set(node, (rules = portMapRules([...pods.values()])));
    return rules;
  }
}

const isMapped = (pod: Pod): boolean =>
  Boolean(pod.status.podIP) && !isPodTerminal(pod) && portMappingsOf(pod).length > 0;

/** What is not about ports leaves the rules as they are. */
const isSame = (a: Pod, b: Pod): boolean =>
  a.spec === b.spec && a.status.podIP === b.status.podIP && isPodTerminal(a) === isPodTerminal(b);
