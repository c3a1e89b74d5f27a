import { Meter } from '../../parts/Meter.js';
import { visibleLines } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { formatBytes, formatCpu } from '../picture/model/format.js';
import type { Capacity } from './health.js';
import { useUsed } from './use-used.js';

const MILLI = 1_000;

interface UsedProps {
  readonly clusterId: string;
  /** What the nodes have. */
  readonly capacity: Capacity;
}

/** What the nodes use, as a metrics-server measures it; or that there is none, in kubectl's words or the server's. */
export default function Used({ clusterId, capacity: { cpu, memory } }: UsedProps) {
  const used = useUsed(clusterId);
  if (!used) return null;
  const { usage, isMissing, failure } = used;
  if (!usage)
    return (
      <p className="quiet not-measured">
        {isMissing ? t.overview.notMeasured : t.objects.noMetrics(visibleLines(failure!.message))}
      </p>
    );
  const millis = Math.round(usage.cpu * MILLI);
  return (
    <div className="asked">
      <Meter label={t.overview.used('CPU', formatCpu(millis), formatCpu(cpu.all))} used={millis} all={cpu.all} />
      <Meter
        label={t.overview.used(t.objects.memory, formatBytes(usage.memory), formatBytes(memory.all))}
        used={usage.memory}
        all={memory.all}
      />
    </div>
  );
}
