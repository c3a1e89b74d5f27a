import type { Container, PodSpec } from '../../../api/core_v1.js';
import type { Path } from '../../../machinery/meta/field.js';

/** Visits init containers, then containers, then ephemeral containers. Models podutil.VisitContainersWithPath. */
export function visitContainersWithPath(
  spec: PodSpec,
  path: Path,
  visit: (container: Container, at: Path) => void,
): void {
  for (const field of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    spec[field]?.forEach((container, i) => visit(container, path.child(field).index(i)));
  }
}
