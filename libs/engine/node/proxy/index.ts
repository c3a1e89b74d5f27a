export { checkHealth } from './health-check.js';
export { nodeRuleset, type OtherRules, type ProxyView } from './iptables/ruleset.js';
export { ServiceTable, SERVICE_NAME } from './service-table.js';
export { StaleTables } from './snapshot.js';
export { readSettings, type ProxyConfiguration, type ProxyMode } from './settings.js';
export type { ProxyNode } from './topology.js';
