import type { Fault } from '../../kinds/terrarium/fault/kind.js';
import { timestamp, parseTimestamp, type Millis } from '../../machinery/time/time.js';

type Status = Readonly<Record<string, unknown>>;

const condition = (type: string, isTrue: boolean, reason = ''): object => ({
  type,
  status: isTrue ? 'True' : 'False',
  ...(reason ? { reason } : {}),
});

/** What Chaos Mesh writes of an experiment that a fault stands for. Models api/v1alpha1/status.go. */
export function statusOf({ status }: Fault): Status {
  const { phase = 'Pending', targets = [], startTime, endTime } = status;
  const isInjected = phase === 'Active' || phase === 'Finished';
  const isOver = phase === 'Finished';
  const event = (operation: string, at: string | undefined): object => ({
    operation,
    timestamp: timestamp(at === undefined ? 0 : parseTimestamp(at)),
    type: 'Succeeded',
  });
  return {
    conditions: [
      condition('Selected', isInjected),
      condition('AllInjected', isInjected && !isOver),
      condition('AllRecovered', isOver || phase === 'Failed'),
      condition('Paused', false),
    ],
    experiment: {
      desiredPhase: isOver || phase === 'Failed' ? 'Stop' : 'Run',
      containerRecords: targets.map((target) => ({
        id: target.replace(/^pod\//, ''),
        selectorKey: '.',
        injectedCount: isInjected ? 1 : 0,
        recoveredCount: isOver ? 1 : 0,
        phase: isInjected && !isOver ? 'Injected' : 'Not Injected',
        events: [...(isInjected ? [event('Apply', startTime)] : []), ...(isOver ? [event('Recover', endTime)] : [])],
      })),
    },
  };
}

/** Of one that nothing stands for. */
export const failedStatus = (message: string, now: Millis): Status => ({
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
