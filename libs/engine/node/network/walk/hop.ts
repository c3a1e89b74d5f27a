import type { NftRule, Rule, VirtualServer } from '../../../kernel/netfilter/index.js';
import type { Decision } from '../../policy/index.js';

/** One station on the way of a packet, and what decided there. */
export type Hop = {
  /** 'pod shop/web', 'node worker-1'. */
  readonly at: string;
} & (
  | { readonly type: 'route'; readonly route: string }
  | { readonly type: 'rule'; readonly table: string; readonly chain: string; readonly rule: Rule | undefined }
  | { readonly type: 'nft'; readonly table: string; readonly chain: string; readonly rule: NftRule }
  | { readonly type: 'virtual-server'; readonly server: VirtualServer }
  /** What a network's agent does with it by other means than rules. */
  | { readonly type: 'agent'; readonly text: string }
  | { readonly type: 'translation'; readonly from: string; readonly to: string }
  | { readonly type: 'policy'; readonly decision: Decision }
  | { readonly type: 'delivery'; readonly to: string }
  | { readonly type: 'loss'; readonly reason: string }
);
