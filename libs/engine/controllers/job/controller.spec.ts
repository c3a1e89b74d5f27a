import { describe, expect, it } from '@jest/globals';
import { ControllerBed, seconds } from '../../../testkit/beds/controller-bed.js';
import type { Job } from '../../api/batch_v1.js';
import type { Pod } from '../../api/core_v1.js';
import { Jobs, Pods } from '../../kinds/index.js';
import { controller as garbagecollector } from '../garbagecollector/controller.js';
import { controller } from './controller.js';

const spec = (more: Partial<Job['spec']>): Job['spec'] => ({
  template: { spec: { restartPolicy: 'Never', containers: [{ name: 'work', image: 'busybox' }] } },
  ...more,
});
const job = (more: Partial<Job['spec']> = {}): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'work', namespace: 'default' },
  spec: spec(more),
  status: {},
});
const make = () => new ControllerBed({ controllers: [controller, garbagecollector] });
const running = (bed: ControllerBed): Pod[] => bed.client.list(Pods).filter((p) => p.status.phase === 'Running');
const endAll = (bed: ControllerBed, phase: 'Succeeded' | 'Failed', exitCode?: number): void => {
  for (const pod of running(bed)) bed.finish(pod, phase, exitCode);
  bed.settle(seconds(1));
};
const conditions = (bed: ControllerBed): string[] =>
  (bed.get(Jobs, 'work').status.conditions ?? []).map((c) => `${c.type} ${c.status} ${c.reason}: ${c.message}`);

describe('a Job', () => {
  it('completes with its pod, and says so', () => {
    const bed = make();
    bed.client.create(Jobs, job());
    bed.settle(seconds(1));
    expect(bed.get(Jobs, 'work').status).toMatchObject({
      active: 1,
      ready: 1,
      terminating: 0,
      uncountedTerminatedPods: {},
    });
    expect(running(bed)[0]!.metadata.finalizers).toEqual(['batch.kubernetes.io/job-tracking']);
    endAll(bed, 'Succeeded');
    expect(bed.get(Jobs, 'work').status).toMatchObject({ succeeded: 1, ready: 0, completionTime: expect.any(String) });
    expect(conditions(bed)).toEqual([
      'SuccessCriteriaMet True CompletionsReached: Reached expected number of succeeded pods',
      'Complete True CompletionsReached: Reached expected number of succeeded pods',
    ]);
    expect(bed.client.list(Pods)[0]!.metadata.finalizers).toBeUndefined();
    expect(bed.events().at(-1)).toBe('Completed Job completed');
    expect(bed.errors).toEqual([]);
    expect(bed.restart()).toBe(0);
  });

  it('takes a second to see that its pods have ended', () => {
    const bed = make();
    bed.client.create(Jobs, job({ completions: 2, parallelism: 2 }));
    bed.settle(seconds(1));
    const [one, other] = running(bed);
    bed.finish(one!, 'Succeeded');
    bed.settle(999);
    bed.finish(other!, 'Succeeded');
    expect(bed.get(Jobs, 'work').status.succeeded).toBeUndefined();
    bed.settle(1);
    expect(bed.get(Jobs, 'work').status.succeeded).toBe(2);
  });

  it('keeps parallelism until enough have succeeded', () => {
    const bed = make();
    bed.client.create(Jobs, job({ completions: 5, parallelism: 2 }));
    bed.settle(seconds(1));
    const seen: number[] = [];
    while (running(bed).length > 0) {
      seen.push(running(bed).length);
      endAll(bed, 'Succeeded');
    }
    expect(seen).toEqual([2, 2, 1]);
    expect(bed.get(Jobs, 'work').status.succeeded).toBe(5);
  });

  it('that is Indexed gives each pod its index', () => {
    const bed = make();
    bed.client.create(Jobs, job({ completions: 3, parallelism: 3, completionMode: 'Indexed' }));
    bed.settle(seconds(1));
    expect(running(bed).map((p) => p.metadata.labels!['batch.kubernetes.io/job-completion-index'])).toEqual([
      '0',
      '1',
      '2',
    ]);
    endAll(bed, 'Succeeded');
    expect(bed.get(Jobs, 'work').status.completedIndexes).toBe('0-2');
  });

  it('tries again after 10 s, then 20 s, and gives up at its limit', () => {
    const bed = make();
    bed.client.create(Jobs, job({ backoffLimit: 2 }));
    bed.settle(seconds(1));
    endAll(bed, 'Failed');
    expect(running(bed)).toHaveLength(0);
    bed.settle(seconds(10));
    expect(running(bed)).toHaveLength(1);
    endAll(bed, 'Failed');
    // A second of the wait has passed in endAll.
    bed.settle(seconds(18));
    expect(running(bed)).toHaveLength(0);
    bed.settle(seconds(1));
    endAll(bed, 'Failed');
    expect(conditions(bed)).toEqual([
      'FailureTarget True BackoffLimitExceeded: Job has reached the specified backoff limit',
      'Failed True BackoffLimitExceeded: Job has reached the specified backoff limit',
    ]);
    expect(bed.get(Jobs, 'work').status.failed).toBe(3);
    expect(bed.events().at(-1)).toBe('BackoffLimitExceeded Job has reached the specified backoff limit');
  });

  it('fails at its deadline, and its pods end', () => {
    const bed = make();
    bed.client.create(Jobs, job({ activeDeadlineSeconds: 60 }));
    bed.settle(seconds(61));
    expect(conditions(bed).at(-1)).toBe('Failed True DeadlineExceeded: Job was active longer than specified deadline');
    expect(bed.client.list(Pods)).toHaveLength(0);
  });

  it('fails at once where its policy says so', () => {
    const bed = make();
    bed.client.create(
      Jobs,
      job({ podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] } }),
    );
    bed.settle(seconds(1));
    const [pod] = running(bed);
    endAll(bed, 'Failed', 42);
    expect(conditions(bed).at(-1)).toBe(
      `Failed True PodFailurePolicy: Container work for pod default/${pod!.metadata.name} failed with exit code 42 matching FailJob rule at index 0`,
    );
  });

  describe('with a limit for each index', () => {
    const perIndex = (more: Partial<Job['spec']>) => {
      const bed = make();
      bed.client.create(
        Jobs,
        job({
          completions: 3,
          parallelism: 3,
          completionMode: 'Indexed',
          backoffLimitPerIndex: 1,
          backoffLimit: 2147483647,
          ...more,
        }),
      );
      bed.settle(seconds(1));
      return bed;
    };
    const indexOf = (pod: Pod): string => pod.metadata.labels!['batch.kubernetes.io/job-completion-index']!;
    /** Ends the running pods: those of the given indexes fail. */
    const end = (bed: ControllerBed, failing: string): void => {
      for (const pod of running(bed))
        bed.finish(
          pod,
          failing.includes(indexOf(pod)) ? 'Failed' : 'Succeeded',
          failing.includes(indexOf(pod)) ? 1 : 0,
        );
      bed.settle(seconds(1));
    };

    it('tries a failed index again after its own wait, and no more than that often', () => {
      const bed = perIndex({});
      end(bed, '1');
      expect(running(bed)).toHaveLength(0);
      bed.settle(seconds(10));
      expect(
        running(bed).map((p) => [indexOf(p), p.metadata.annotations!['batch.kubernetes.io/job-index-failure-count']]),
      ).toEqual([['1', '1']]);
      end(bed, '1');
      expect(bed.get(Jobs, 'work').status).toMatchObject({ completedIndexes: '0,2', failedIndexes: '1', failed: 2 });
      expect(conditions(bed).at(-1)).toBe('Failed True FailedIndexes: Job has failed indexes');
    });

    it('fails at once when too many indexes have failed', () => {
      const bed = perIndex({ backoffLimitPerIndex: 0, maxFailedIndexes: 1 });
      end(bed, '12');
      expect(conditions(bed).at(-1)).toBe(
        'Failed True MaxFailedIndexesExceeded: Job has exceeded the specified maximal number of failed indexes',
      );
    });

    it('gives an index up where its policy says so', () => {
      const bed = perIndex({
        podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }] },
      });
      end(bed, '0');
      expect(bed.get(Jobs, 'work').status.failedIndexes).toBe('0');
    });
  });

  it('is complete when its success policy is met, and its other pods end', () => {
    const bed = make();
    bed.client.create(
      Jobs,
      job({
        completions: 3,
        parallelism: 3,
        completionMode: 'Indexed',
        successPolicy: { rules: [{ succeededIndexes: '2' }, { succeededIndexes: '0-1', succeededCount: 1 }] },
      }),
    );
    bed.settle(seconds(1));
    bed.finish(running(bed)[0]!, 'Succeeded');
    bed.settle(seconds(1));
    expect(conditions(bed)).toEqual([
      'SuccessCriteriaMet True SuccessPolicy: Matched rules at index 1',
      'Complete True SuccessPolicy: Matched rules at index 1',
    ]);
    expect(running(bed)).toHaveLength(0);
  });

  it('whose pod fails in the second of a success is not tried again without end', () => {
    const bed = make();
    bed.client.create(Jobs, job({ completions: 2, parallelism: 2, completionMode: 'Indexed', backoffLimit: 100 }));
    bed.settle(seconds(1));
    bed.finish(running(bed)[0]!, 'Succeeded');
    bed.finish(running(bed)[0]!, 'Failed', 1);
    bed.settle(seconds(1));
    endAll(bed, 'Failed');
    expect(running(bed)).toHaveLength(0);
    bed.settle(seconds(10));
    expect(running(bed)).toHaveLength(1);
  });

  it('that is deleted while it runs leaves no pod behind', () => {
    const bed = make();
    bed.client.create(Jobs, job());
    bed.settle(seconds(1));
    bed.client.delete(Jobs, { namespace: 'default', name: 'work' }, { propagationPolicy: 'Background' });
    bed.settle(seconds(60));
    expect(bed.client.list(Pods)).toHaveLength(0);
  });
});
