import { isZeros } from '../../../../engine/kernel/files/content.js';
import type { ToolContext } from '../../framework/tool.js';

/** Copies what can be read at once: files do not block. Zeros, of which binaries are made, cost next to nothing. */
export function copyDescriptor(sys: ToolContext['sys'], source: number, target: number): number {
  let total = 0;
  for (let bytes = sys.read(source, 1 << 20); bytes !== undefined && bytes !== ''; bytes = sys.read(source, 1 << 20)) {
    sys.write(target, bytes);
    sys.charge(1 + (bytes.length >> (isZeros(bytes) ? 9 : 6)));
    total += bytes.length;
  }
  return total;
}
