import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import { timestamp, parseTimestamp, type Millis } from '../../machinery/time/time.js';

/** The part of an experiment's status that events are told of. */
export interface ExperimentStatus {
  readonly conditions: readonly object[];
  readonly experiment: {
    readonly desiredPhase: 'Run' | 'Stop';
    readonly containerRecords?: readonly ChaosRecord[];
  };
}

export interface ChaosRecord {
  /** 'NAMESPACE/POD', with '/CONTAINER' where containers are selected. */
  readonly id: string;
  readonly phase: string;
  readonly [field: string]: unknown;
}

const condition = (type: string, isTrue: boolean, reason = ''): object => ({
  type,
  status: isTrue ? 'True' : 'False',
  ...(reason ? { reason } : {}),
});

/** Without records: nothing is selected. */
const conditionsOf = (records: readonly ChaosRecord[], injected: boolean): readonly object[] => [
  condition('Selected', records.length > 0),
  condition('AllInjected', records.length > 0 && injected),
  condition('AllRecovered', records.length > 0 && !injected),
  condition('Paused', false),
];

/**
 * What Chaos Mesh writes of an experiment that a fault stands for. One that happens once is never recovered from.
 * `idsOf`: the records of a pod. Models api/v1alpha1/status.go, controllers/common/records and condition.
 */
export function statusOf(
  { status }: Fault,
  isOneShot: boolean,
  idsOf: (pod: string) => readonly string[],
): ExperimentStatus {
  const { phase = 'Pending', targets = [], startTime, endTime } = status;
  const isOver = phase === 'Finished' && !isOneShot;
  const isInjected = phase === 'Active' || (phase === 'Finished' && isOneShot);
  const event = (operation: string, at: string | undefined): object => ({
    operation,
    timestamp: timestamp(at === undefined ? 0 : parseTimestamp(at)),
    type: 'Succeeded',
  });
  const ids = phase === 'Failed' ? [] : targets.flatMap((target) => idsOf(target.replace(/^pod\//, '')));
  const records = ids.map((id) => ({
    id,
    selectorKey: '.',
    injectedCount: isInjected || isOver ? 1 : 0,
    recoveredCount: isOver ? 1 : 0,
    phase: isInjected ? 'Injected' : 'Not Injected',
    events: [
      ...(isInjected || isOver ? [event('Apply', startTime)] : []),
      ...(isOver ? [event('Recover', endTime)] : []),
    ],
  }));
  return {
    conditions: conditionsOf(records, isInjected),
    experiment: {
      desiredPhase: isOver ? 'Stop' : 'Run',
      ...(records.length > 0 ? { containerRecords: records } : {}),
    },
  };
}

/** Of one that nothing stands for. */
export const failedStatus = (message: string, now: Millis): ExperimentStatus => ({
  conditions: [
    condition('Selected', false, message),
    condition('AllInjected', false, message),
    condition('AllRecovered', true),
    condition('Paused', false),
  ],
  experiment: {
    desiredPhase: 'Run',
    containerRecords: [
      {
        id: '',
        selectorKey: '.',
        injectedCount: 0,
        recoveredCount: 0,
        phase: 'Not Injected',
        events: [{ operation: 'Apply', timestamp: timestamp(now), type: 'Failed', message }],
      },
    ],
  },
});
