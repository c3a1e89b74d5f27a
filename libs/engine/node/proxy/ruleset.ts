import type { Ruleset } from '../../kernel/netfilter/index.js';
import type { OtherRules } from './chains.js';
import { iptablesRuleset } from './iptables/ruleset.js';
import { ipvsRuleset } from './ipvs/ruleset.js';
import { nftablesRuleset } from './nftables/ruleset.js';
import type { ProxyMode } from './settings.js';
import type { ProxyView } from './view.js';

const MODES: Readonly<Record<ProxyMode, (view: ProxyView, others: OtherRules) => Ruleset>> = {
  iptables: iptablesRuleset,
  ipvs: ipvsRuleset,
  nftables: nftablesRuleset,
};

/** What netfilter of a node holds, by the mode of its kube-proxy; nothing is made before it is printed or walked. */
export const nodeRuleset = (view: ProxyView, others: OtherRules = {}): Ruleset =>
  MODES[view.settings.mode](view, others);
