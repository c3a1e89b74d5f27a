import type { Container, Pod } from '../../../api/core_v1.js';
import { quantityValue } from '../../../machinery/quantity/quantity.js';
import type { RuntimeFailure } from './runtime-class.js';

/** What runc itself takes before a container's program runs. A limit of a few bytes is most often one of megabytes. */
const INIT_BYTES = 4 << 20;

/** The memory limit of a pod's cgroup, in bytes; undefined: it has none. Models pkg/kubelet/cm ResourceConfigForPod. */
function memoryLimitOf({ spec }: Pod): number | undefined {
  const own = spec.resources?.limits?.['memory'];
  if (own !== undefined) return quantityValue(own);
  const limits = (containers: readonly Container[]): (number | undefined)[] =>
    containers.map(({ resources }) => {
      const limit = resources?.limits?.['memory'];
      return limit === undefined ? undefined : quantityValue(limit);
    });
  const [main, first] = [limits(spec.containers), limits(spec.initContainers ?? [])];
  if ([...main, ...first].some((limit) => !limit)) return undefined;
  return Math.max(
    main.reduce<number>((sum, limit) => sum + limit!, 0),
    ...first.map((limit) => limit!),
  );
}

/** Why a pod whose limit is too small for the runtime itself gets no sandbox; undefined: it gets one. */
export function findMemoryFailure(pod: Pod): RuntimeFailure | undefined {
  const limit = memoryLimitOf(pod);
  if (limit === undefined || limit === 0 || limit >= INIT_BYTES) return undefined;
  return {
    after: (id) =>
      `rpc error: code = Unknown desc = failed to start sandbox "${id}": failed to create containerd task: ` +
      'failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ' +
      'container init was OOM-killed (memory limit too low?): unknown',
  };
}
