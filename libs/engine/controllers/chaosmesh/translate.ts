import { readSpan, type Target } from '../../faults/index.js';
import type { Selection } from '../../faults/target.js';
import { trimRight } from '../../machinery/text/strings.js';
import type { FaultSpec } from '../../kinds/terrarium/fault/kind.js';
import type { ChaosAttributes, ChaosSelector, ChaosSpec } from './objects.js';

/** Errors of input and output that volumes of ours can give, by their numbers. */
const ERRORS: Readonly<Record<number, string>> = {
  ...{ 1: 'EPERM', 2: 'ENOENT', 5: 'EIO', 12: 'ENOMEM', 13: 'EACCES', 16: 'EBUSY', 17: 'EEXIST', 20: 'ENOTDIR' },
  ...{ 21: 'EISDIR', 28: 'ENOSPC', 30: 'EROFS', 122: 'EDQUOT' },
};
/** Until memory that a stressor takes is the container's limit. */
const STRESS = '30s';

/** The fault that an experiment stands for, or why there is none. `namespace`, `name`: of the experiment. */
export function translate(
  kind: string,
  spec: ChaosSpec,
  namespace: string,
  name: string,
): { readonly fault: FaultSpec } | { readonly error: string } {
  const unknown = findUnknown(spec.selector) ?? findUnknown(spec.target?.selector);
  if (unknown) return { error: `a selector with ${unknown} is not simulated` };
  const found = FAULTS[kind]?.(spec, name);
  if (!found) return { error: `${kind} with action ${JSON.stringify(spec.action ?? '')} is not simulated` };
  const duration = readSpan(spec.duration)! > 0 ? { duration: spec.duration! } : {};
  // From the target to the selected pods: those of the target send.
  const isTurned = spec.direction === 'from' && spec.target?.selector !== undefined && found.hasPeer === true;
  const [own, other] = isTurned ? [spec.target, spec] : [spec, spec.target];
  const peer = other?.selector && found.hasPeer ? { to: selectionOf(other.selector, namespace) } : {};
  const target: Target = {
    ...selectionOf(own?.selector ?? {}, namespace),
    ...modeOf(own ?? {}),
    ...(spec.containerNames?.length && found.hasContainers ? { containers: spec.containerNames } : {}),
    ...(spec.patterns?.length && kind === 'DNSChaos' ? { names: spec.patterns } : {}),
    ...peer,
  };
  const { type, parameters = {} } = found;
  return { fault: { type, target, ...duration, parameters } };
}

interface Found {
  readonly type: string;
  readonly parameters?: Record<string, unknown>;
  readonly hasPeer?: boolean;
  readonly hasContainers?: boolean;
}

const FAULTS: Readonly<Record<string, (spec: ChaosSpec, name: string) => Found | undefined>> = {
  PodChaos: podFault,
  NetworkChaos: networkFault,
  IOChaos: ioFault,
  StressChaos: stressFault,
  // The other clocks are those of programs that measure: nothing here looks at them.
  TimeChaos: ({ timeOffset, clockIds = [] }) =>
    readSpan(timeOffset) !== undefined && (clockIds.length === 0 || clockIds.includes('CLOCK_REALTIME'))
      ? { type: 'ContainerClockSkew', parameters: { offset: timeOffset! }, hasContainers: true }
      : undefined,
  DNSChaos: ({ action }) =>
    action === 'error' || action === 'random'
      ? { type: 'DNSFailure', parameters: { error: action === 'error' ? 'servfail' : 'random' } }
      : undefined,
};

function podFault({ action, gracePeriod = 0 }: ChaosSpec, experiment: string): Found | undefined {
  switch (action) {
    case 'pod-kill':
      return { type: 'PodKill', parameters: { gracePeriodSeconds: gracePeriod } };
    case 'pod-failure':
      return { type: 'PodFailure', parameters: { experiment } };
    case 'container-kill':
      return { type: 'ContainerKill', hasContainers: true };
    default:
      return undefined;
  }
}

/** Methods of FUSE that read, and those that change something. */
const READS = ['read', 'readdir', 'opendir'];
const WRITES = ['write', 'create', 'mkdir', 'mknod', 'unlink', 'rmdir', 'rename', 'link', 'symlink', 'fallocate'];

function ioFault(spec: ChaosSpec): Found | undefined {
  const { action, errno = 0, delay, volumePath = '', percent = 100, attr, mistake } = spec;
  const below = folderOf(spec);
  if (volumePath === '' || below === undefined) return undefined;
  const calls = { calls: callsOf(spec) };
  const make = (type: string, parameters: Record<string, unknown>): Found => ({
    type,
    parameters: { path: volumePath, ...(below === '' ? {} : { below }), percent, ...parameters },
    hasContainers: true,
  });
  switch (action) {
    case 'latency':
      return typeof delay === 'string' ? make('VolumeSlow', { ...calls, latency: delay }) : undefined;
    case 'fault':
      return ERRORS[errno] === undefined ? undefined : make('VolumeIOError', { ...calls, error: ERRORS[errno] });
    case 'attrOverride':
      return attr ? make('VolumeAttributes', attributesOf(attr)) : undefined;
    case 'mistake': {
      const { filling = 'random', maxOccurrences = 1, maxLength = 1 } = mistake ?? {};
      return make('VolumeMistake', { ...calls, filling, occurrences: maxOccurrences, length: maxLength });
    }
    default:
      return undefined;
  }
}

function callsOf({ methods = [] }: ChaosSpec): 'all' | 'read' | 'write' {
  if (methods.length === 0) return 'all';
  if (methods.every((one) => READS.includes(one))) return 'read';
  return methods.every((one) => WRITES.includes(one)) ? 'write' : 'all';
}

/** The file or folder of a pattern; '': all of the volume. Undefined: the pattern says more. */
function folderOf({ path = '', volumePath = '' }: ChaosSpec): string | undefined {
  const folder = trimRight(path.replace(/(\/\*\*)?(\/\*)?$/, ''), '/');
  if (folder === '' || folder === trimRight(volumePath, '/')) return '';
  return /[*?[{]/.test(folder) ? undefined : folder;
}

const KINDS: Readonly<Record<string, string>> = {
  ...{ namedPipe: 'fifo', charDevice: 'char', blockDevice: 'block', directory: 'directory' },
  ...{ regularFile: 'file', symlink: 'link', socket: 'socket' },
};

function attributesOf(attr: ChaosAttributes): Record<string, unknown> {
  const { perm, uid, gid, size, blocks, ino, nlink, kind, atime, mtime, ctime } = attr;
  const given = {
    ...{ mode: perm, user: uid, group: gid, size, blocks, inode: ino, links: nlink, type: KINDS[kind ?? ''] },
    ...{ accessed: atime?.sec, modified: mtime?.sec, changed: ctime?.sec },
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function stressFault({ stressors: { memory, cpu } = {} }: ChaosSpec): Found | undefined {
  const computing = cpu && { workers: cpu.workers ?? 1, load: cpu.load ?? 100 };
  if (memory) return { type: 'MemoryLeak', parameters: { after: STRESS, ...computing }, hasContainers: true };
  return computing && { type: 'CPUStress', parameters: computing, hasContainers: true };
}

function networkFault(spec: ChaosSpec): Found | undefined {
  const external = spec['externalTargets'];
  if (Array.isArray(external) && external.length > 0) return undefined;
  // Of the selected pods a mode chooses some; a fault chooses those that send.
  if (spec.direction === 'from' && (spec.mode ?? 'all') !== 'all') return undefined;
  const direction = spec.direction === 'both' ? 'both' : 'to';
  // Without another end everything that passes the pods is meant.
  const common = { direction: spec.target ? direction : 'both' };
  const make = (type: string, parameters: Record<string, unknown>): Found => ({
    type,
    parameters: { ...common, ...parameters },
    hasPeer: true,
  });
  switch (spec.action) {
    case 'partition':
      return make('PacketLoss', { percent: 100 });
    case 'loss':
      return make('PacketLoss', { percent: percentOf(spec.loss?.loss) });
    case 'corrupt':
      return make('PacketLoss', { percent: percentOf(spec.corrupt?.corrupt) });
    case 'duplicate':
      return make('PacketDuplication', { percent: percentOf(spec.duplicate?.duplicate) });
    case 'delay':
      return make('PacketDelay', latencyOf(spec));
    case 'bandwidth':
      return make('Bandwidth', { bytesPerSecond: rateOf(spec.bandwidth?.rate) });
    default:
      return undefined;
  }
}

const latencyOf = ({ delay }: ChaosSpec): Record<string, string> =>
  typeof delay === 'object' ? { delay: delay.latency ?? '0s', jitter: delay.jitter || '0s' } : { delay: '0s' };

const percentOf = (text: string | undefined): number => Math.min(100, Math.max(0, Number(text ?? '0') || 0));

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000, g: 1_000_000_000 };

/** Bytes per second of '1mbps', as tc has it: 'bps' are bytes, 'bit' bits. */
function rateOf(text = '1mbps'): number {
  const [, digits = '1', unit = '', word = 'bps'] = /^(\d+)([kmg]?)(bps|bit)$/i.exec(text) ?? [];
  const bytes = (Number(digits) * (UNITS[unit.toLowerCase()] ?? 1)) / (word.toLowerCase() === 'bit' ? 8 : 1);
  return Math.min(1_000_000_000, Math.max(1, Math.round(bytes)));
}

function modeOf({ mode = 'all', value }: ChaosSpec): Pick<Target, 'mode' | 'value'> {
  const number = Number(value);
  if (mode === 'one') return { mode: 'one' };
  if (mode === 'fixed' && number > 0) return { mode: 'fixed', value: number };
  const isShare = mode === 'fixed-percent' || mode === 'random-max-percent';
  return isShare && number > 0 ? { mode: 'percent', value: Math.min(100, number) } : {};
}

const SELECTOR_FIELDS = ['namespaces', 'labelSelectors', 'expressionSelectors', 'nodes', 'pods'];

/** A field of a selector that is not understood: without it more would be hit than is meant. */
function findUnknown(selector: ChaosSelector = {}): string | undefined {
  const given = Object.entries(selector).filter(([, value]) => Object.keys((value as object | null) ?? {}).length > 0);
  return given.map(([name]) => name).find((name) => !SELECTOR_FIELDS.includes(name));
}

/** A selector without namespaces means those of its own. */
function selectionOf(selector: ChaosSelector, namespace: string): Selection {
  const { namespaces, labelSelectors, expressionSelectors, nodes, pods } = selector;
  const names = Object.entries(pods ?? {}).flatMap(([of, list]) => list.map((name) => `${of}/${name}`));
  const isLabelled = labelSelectors !== undefined || expressionSelectors !== undefined;
  return {
    ...(names.length > 0 ? { pods: names } : { namespaces: namespaces?.length ? namespaces : [namespace] }),
    ...(isLabelled
      ? {
          podSelector: {
            ...(labelSelectors ? { matchLabels: { ...labelSelectors } } : {}),
            ...(expressionSelectors ? { matchExpressions: [...expressionSelectors] } : {}),
          },
        }
      : {}),
    ...(nodes?.length ? { nodes } : {}),
  };
}
