import type { Context } from '../../../runtime/controller.js';
import { createEvent } from '../../plain-event.js';
import { mergeReport } from './probes.js';
import { parseReport, PROBES } from './report.js';
import { endResult, noteProbes, podOf, resultOf, type Run } from './result.js';

/** One event for each reason of an experiment. Models litmus-go/pkg/events. */
export function tellOfExperiment(
  { context, engine, experiment, pod }: Run & { readonly context: Context },
  reason: string,
  message: string,
  type: 'Normal' | 'Warning',
): void {
  const name = `${reason}${experiment}${engine.metadata.uid ?? ''}`;
  createEvent(context, engine, { name, component: pod, type, reason, message });
}

/** An experiment that is stopped. Models litmus-go's AbortWatcher. */
export function abortExperiment(context: Context, run: Run): void {
  const result = resultOf(context, run);
  const report = podOf(result) === run.pod ? parseReport(result?.metadata.annotations?.[PROBES]) : undefined;
  if (report) noteProbes(context, run, mergeReport(result?.status?.probeStatuses ?? [], report));
  if (result) endResult(context, run, { phase: 'Stopped', verdict: 'Stopped', isStopped: report?.isStopped });
  tellOfExperiment({ ...run, context }, 'Summary', `${run.experiment} experiment has been aborted`, 'Warning');
}
