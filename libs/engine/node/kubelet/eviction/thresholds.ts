import type { KubeletConfiguration } from '../../../kinds/terrarium/noderuntime/kind.js';
import { isQuantity, quantityValue } from '../../../machinery/quantity/quantity.js';
import { MINUTE, type Millis } from '../../../machinery/time/time.js';
import { parseSpan } from '../duration.js';

const SIGNALS = [
  'memory.available',
  'allocatableMemory.available',
  'nodefs.available',
  'nodefs.inodesFree',
  'imagefs.available',
  'imagefs.inodesFree',
  'containerfs.available',
  'containerfs.inodesFree',
  'pid.available',
] as const;
export type Signal = (typeof SIGNALS)[number];

/** What of it there is too little, by the name that messages use. */
export type Starved = 'memory' | 'ephemeral-storage' | 'inodes' | 'pids';
export type PressureType = 'MemoryPressure' | 'DiskPressure' | 'PIDPressure';

/** One of the two is there. */
export interface ThresholdValue {
  readonly quantity?: string;
  /** 0.1 for 10 %, in single precision. */
  readonly share?: number;
}

export interface Threshold {
  readonly signal: Signal;
  readonly value: ThresholdValue;
  /** A soft threshold's; 0: it is a hard one. */
  readonly graceMs: Millis;
  readonly minReclaim?: ThresholdValue;
}

export interface Observation {
  readonly available: number;
  readonly capacity: number;
}
export type Observations = Readonly<Partial<Record<Signal, Observation>>>;

/** Models pkg/kubelet/eviction/defaults_linux.go DefaultEvictionHard. */
const DEFAULT_HARD: Readonly<Record<string, string>> = {
  'memory.available': '100Mi',
  'nodefs.available': '10%',
  'nodefs.inodesFree': '5%',
  'imagefs.available': '15%',
  'imagefs.inodesFree': '5%',
};
const DEFAULT_TRANSITION = 5 * MINUTE;

export function starvedBy(signal: Signal): Starved {
  if (signal === 'pid.available') return 'pids';
  if (signal.endsWith('.inodesFree')) return 'inodes';
  return signal.startsWith('memory') || signal.startsWith('allocatable') ? 'memory' : 'ephemeral-storage';
}

export function conditionOf(signal: Signal): PressureType {
  const starved = starvedBy(signal);
  if (starved === 'pids') return 'PIDPressure';
  return starved === 'memory' ? 'MemoryPressure' : 'DiskPressure';
}

/** Thresholds that a kubelet watches: of containerfs none, which is no file system of its own. */
export function thresholdsOf(config: KubeletConfiguration): readonly Threshold[] {
  const parsed = parseThresholds(config);
  const found = 'failure' in parsed ? [] : parsed.thresholds;
  return found.filter(({ signal }) => !signal.startsWith('containerfs') && !signal.startsWith('allocatable'));
}

/** evictionPressureTransitionPeriod. */
export const transitionPeriodOf = ({ evictionPressureTransitionPeriod: text }: KubeletConfiguration): Millis =>
  (text === undefined ? undefined : parseSpan(text)) ?? DEFAULT_TRANSITION;

/** Models pkg/kubelet/eviction/helpers.go ParseThresholdConfig. */
export function parseThresholds(
  config: KubeletConfiguration,
): { readonly thresholds: readonly Threshold[] } | { readonly failure: string } {
  const { evictionHard, evictionSoft = {}, evictionSoftGracePeriod: graces = {} } = config;
  const { evictionMinimumReclaim: reclaims = {}, mergeDefaultEvictionSettings: merges = false } = config;
  const hard = evictionHard === undefined ? DEFAULT_HARD : merges ? { ...DEFAULT_HARD, ...evictionHard } : evictionHard;
  for (const signal of [hard, evictionSoft, graces, reclaims].flatMap((map) => Object.keys(map)))
    if (!isSignal(signal)) return { failure: `unsupported eviction signal ${signal}` };
  const thresholds: Threshold[] = [];
  for (const [map, isSoft] of [[hard, false] as const, [evictionSoft, true] as const])
    for (const [signal, text] of Object.entries(map)) {
      const value = parseValue(signal, text);
      if (value === undefined) continue;
      if (typeof value === 'string') return { failure: value };
      const graceMs = isSoft ? findGrace(signal, graces) : 0;
      if (typeof graceMs === 'string') return { failure: graceMs };
      const minReclaim = reclaims[signal] === undefined ? undefined : parseReclaim(signal, reclaims[signal]);
      if (typeof minReclaim === 'string') return { failure: minReclaim };
      thresholds.push({ signal: signal as Signal, value, graceMs, ...(minReclaim ? { minReclaim } : {}) });
    }
  return { thresholds };
}

const isSignal = (name: string): name is Signal => (SIGNALS as readonly string[]).includes(name);

function findGrace(signal: string, graces: Readonly<Record<string, string>>): Millis | string {
  const text = graces[signal];
  if (text === undefined) return `grace period must be specified for the soft eviction threshold ${signal}`;
  const parsed = parseSpan(text);
  if (parsed === undefined) return `time: invalid duration ${JSON.stringify(text)}`;
  return parsed < 0 ? `invalid eviction grace period specified: ${text}, must be a positive value` : parsed;
}

/** Undefined: 0% or 100% switch the threshold off. A text: why it is none. Models parseThresholdStatement. */
function parseValue(signal: string, text: string): ThresholdValue | string | undefined {
  if (text.endsWith('%')) {
    if (text === '0%' || text === '100%') return undefined;
    const share = parseShare(text);
    if (share === undefined) return `strconv.ParseFloat: parsing ${JSON.stringify(text.slice(0, -1))}: invalid syntax`;
    if (share < 0) return `eviction percentage threshold ${signal} must be >= 0%: ${text}`;
    return share > 1 ? `eviction percentage threshold ${signal} must be <= 100%: ${text}` : { share };
  }
  if (!isQuantity(text)) return QUANTITY;
  return quantityValue(text) <= 0 ? `eviction threshold ${signal} must be positive: ${text}` : { quantity: text };
}

function parseReclaim(signal: string, text: string): ThresholdValue | string {
  if (text.endsWith('%')) {
    const share = parseShare(text);
    if (share === undefined) return `strconv.ParseFloat: parsing ${JSON.stringify(text.slice(0, -1))}: invalid syntax`;
    return share <= 0 ? `eviction percentage minimum reclaim ${signal} must be positive: ${text}` : { share };
  }
  if (!isQuantity(text)) return QUANTITY;
  return quantityValue(text) < 0 ? `negative eviction minimum reclaim specified for ${signal}` : { quantity: text };
}

const QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function parseShare(text: string): number | undefined {
  const value = Number(text.slice(0, -1));
  return text.length < 2 || Number.isNaN(value) ? undefined : Math.fround(Math.fround(value) / 100);
}

/** Models api.GetThresholdQuantity. */
export const quantityOf = ({ quantity, share = 0 }: ThresholdValue, capacity: number): number =>
  quantity === undefined ? Math.trunc(capacity * share) : quantityValue(quantity);

/** Whether too little is left; `withReclaim`: of one that was met before, which wants more than its value. */
export function isMet(threshold: Threshold, observations: Observations, withReclaim = false): boolean {
  const observed = observations[threshold.signal];
  if (!observed) return false;
  const { value, minReclaim } = threshold;
  const reclaim = withReclaim && minReclaim ? quantityOf(minReclaim, observed.capacity) : 0;
  return quantityOf(value, observed.capacity) + reclaim > observed.available;
}

/** What a threshold is remembered by. */
export const nameOf = ({ signal, graceMs }: Threshold): string => (graceMs > 0 ? `soft:${signal}` : signal);
