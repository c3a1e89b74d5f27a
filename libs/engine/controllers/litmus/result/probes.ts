import type { EngineExperiment, Probe, ProbeStatus } from '../objects.js';
import { MAX_PROBES, type Report } from './report.js';

/** Those that the experiment's program runs. */
const TYPES = ['k8sprobe', 'httpprobe', 'cmdprobe'];
const MODES = ['sot', 'eot', 'edge', 'continuous', 'onchaos'];

export const probesOf = ({ spec }: EngineExperiment): readonly Probe[] => (spec?.probe ?? []).slice(0, MAX_PROBES);

/** What of an experiment's probes is not simulated; undefined: all of them are. */
export function findUnknownProbe({ spec }: EngineExperiment): string | undefined {
  const all = spec?.probe ?? [];
  if (all.length > MAX_PROBES) return `more than ${MAX_PROBES} probes are not simulated`;
  for (const { name, type = '', mode = '' } of all) {
    if (!TYPES.includes(type.toLowerCase())) return `the ${type} ${name} is not simulated`;
    if (!MODES.includes(mode.toLowerCase())) return `the mode ${mode} of the probe ${name} is not simulated`;
  }
  return undefined;
}

export const awaited = (probes: readonly Probe[]): ProbeStatus[] =>
  probes.map(({ name, type = '', mode = '' }) => ({ name, type, mode, status: { verdict: 'Awaited' } }));

/** What the experiment's program has found, in the places of the probes. */
export const mergeReport = (before: readonly ProbeStatus[], { probes }: Report): ProbeStatus[] =>
  before.map((one, at) => ({ ...one, status: probes[at] ?? one.status }));
