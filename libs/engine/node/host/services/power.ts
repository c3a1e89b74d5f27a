import type { NodeShutdown } from '../../../kinds/terrarium/noderuntime/kind.js';
import { microTimestamp } from '../../../machinery/time/time.js';
import type { Disk } from '../files/disk.js';

/** Written when somebody switches the node off: `SINCE=` with the virtual ms. A service that is started removes it. */
export const SHUTDOWN_FILE = '/run/systemd/shutdown';

export const formatShutdown = (since: number): string => `SINCE=${since}\n`;

/** Whether a node is going down or off. */
export function readShutdown(disk: Disk, before: NodeShutdown | undefined): NodeShutdown | undefined {
  const text = disk.read(SHUTDOWN_FILE);
  const since = text?.startsWith('SINCE=') ? Number(text.slice('SINCE='.length)) : NaN;
  if (!Number.isFinite(since)) return undefined;
  const stamp = microTimestamp(since);
  return before?.since === stamp ? before : { since: stamp };
}
