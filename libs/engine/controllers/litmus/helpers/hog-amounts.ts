import { Nodes } from '../../../kinds/index.js';
import type { Node } from '../../../api/core_v1.js';
import { quantityValue } from '../../../machinery/quantity/quantity.js';
import type { Reader } from '../../../machinery/reader.js';
import type { Env } from '../env.js';
import { errorOf, type ChaosError } from '../chaos/targets.js';

/** A mebibyte as upstream counts it in kibibytes. */
const KIBIBYTES = 1_025.390625;

/** What stress-ng is told to take of a node; '' for other experiments. */
export function amountOf(read: Reader, experiment: string, node: string, env: Env): string | ChaosError {
  if (experiment !== 'node-cpu-hog' && experiment !== 'node-memory-hog') return '';
  const found = read.get(Nodes, { namespace: '', name: node });
  if (!found) return errorOf('GENERIC_ERROR', `nodes "${node}" not found`, `{nodeName: ${node}}`);
  return experiment === 'node-cpu-hog' ? coresOf(found, env) : memoryOf(found, env);
}

/** Models node-cpu-hog's setCPUCapacity. */
function coresOf({ status }: Node, env: Env): string {
  const cores = env.get('NODE_CPU_CORE') || '0';
  return cores === '0' ? (status.capacity?.['cpu'] ?? '1') : cores;
}

/** Models node-memory-hog's calculateMemoryConsumption. */
function memoryOf({ status }: Node, env: Env): string | ChaosError {
  const percent = env.get('MEMORY_CONSUMPTION_PERCENTAGE') || '0';
  const mebibytes = env.get('MEMORY_CONSUMPTION_MEBIBYTES') || '0';
  const capacity = quantityValue(status.capacity?.['memory'] ?? '0');
  const allocatable = quantityValue(status.allocatable?.['memory'] ?? '0');
  if (capacity === 0 || allocatable === 0)
    return errorOf('GENERIC_ERROR', 'failed to get memory details of the target node');
  if (percent === '0' && mebibytes === '0') return '30%';
  if (percent !== '0') {
    const share = Math.floor((((Number(percent) || 0) / 100) * capacity * 100) / allocatable);
    return `${Math.min(100, share)}%`;
  }
  const available = Math.floor(allocatable / 1_024);
  return available < Math.floor((Number(mebibytes) || 0) * KIBIBYTES) ? `${available}k` : `${mebibytes}m`;
}

/** Where node-restart's helper logs in. */
export const addressOf = (read: Reader, node: string, env: Env): string =>
  env.get('TARGET_NODE_IP') ||
  (read.get(Nodes, { namespace: '', name: node })?.status.addresses?.find(({ type }) => type === 'InternalIP')
    ?.address ??
    '');
