import {
  createPostgresBackend,
  Queue,
  setDefaultBackendFactory,
  Worker,
  type Job,
  type QueueOptions,
  type WorkerOptions,
} from 'bullmq';
import { Redis } from 'ioredis';
import type { Settings } from './settings.js';

/** A task names a cluster to advance and nothing else, so that losing or repeating one does no harm. */
export interface Task {
  readonly cluster: string;
  /** W3C trace context of the request behind it, for traces alone: it may be missing or that of another request. */
  readonly traceparent?: string;
}

const QUEUE = 'advance';
/** Tasks that send a cluster's results of checks. */
const RESULTS_QUEUE = 'results';
const POSTGRES_CONNECTIONS = 6;
const PREFIX = 'terrarium';
/** A worker that dies loses its lock after this long; another then takes the task up. */
const LOCK_MS = 5_000;
const STALLED_CHECK_MS = 2_500;
const MAX_STALLS = 1_000;
const KEPT_FAILURES = 100;
/** Clusters whose tasks may be on their way to the queue; the sweep adds the others. */
const MAX_ADDING = 5_000;

type Connection = Pick<QueueOptions, 'connection'> & { prefix?: string };

/** Connects BullMQ: to Redis where there is one, else to Postgres. Call it before a queue or a worker is made. */
export function openTaskConnection({ redisUrl, databaseUrl }: Pick<Settings, 'redisUrl' | 'databaseUrl'>): Connection {
  if (redisUrl) {
    setDefaultBackendFactory();
    const redis = new Redis(redisUrl, {
      maxRetriesPerRequest: null,
      retryStrategy: (times) => Math.min(times * 100, 2_000),
    });
    // BullMQ reports the connection's errors by its queue and its worker.
    redis.on('error', () => undefined);
    return { connection: redis as unknown as QueueOptions['connection'], prefix: PREFIX };
  }
  setDefaultBackendFactory(createPostgresBackend as unknown as Parameters<typeof setDefaultBackendFactory>[0]);
  return {
    connection: {
      connectionString: databaseUrl,
      max: POSTGRES_CONNECTIONS,
      migrate: true,
    } as unknown as QueueOptions['connection'],
  };
}

/** Adds tasks. The sweep finds what could not be added, so errors are reported but not thrown. */
export class Tasks {
  private readonly queue: Queue<Task>;
  private readonly results: Queue<Task>;
  private readonly adding = new Map<string, 'once' | 'again'>();

  constructor(
    connection: Connection,
    private readonly onError: (error: Error) => void,
  ) {
    this.queue = new Queue<Task>(QUEUE, {
      ...connection,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: KEPT_FAILURES },
    });
    this.queue.on('error', onError);
    this.results = new Queue<Task>(RESULTS_QUEUE, {
      ...connection,
      defaultJobOptions: { removeOnComplete: true, removeOnFail: KEPT_FAILURES },
    });
    this.results.on('error', onError);
  }

  /** Adds a task to advance the cluster soon, unless one is waiting. */
  advance(cluster: string, traceparent?: string): void {
    if (this.adding.has(cluster)) return void this.adding.set(cluster, 'again');
    if (this.adding.size < MAX_ADDING) void this.add({ cluster, traceparent });
  }

  /**
   * Adds a task to advance the cluster in `delayMs`, in place of the one that was planned before. The task that runs
   * may be that one: without `keepLastIfActive` the next one would be dropped, for the sweep to find seconds later.
   */
  async wake(cluster: string, delayMs: number): Promise<void> {
    const deduplication = { id: wakeId(cluster), reschedule: true, keepLastIfActive: true };
    await this.queue
      .add('wake', { cluster }, { delay: Math.max(1, Math.ceil(delayMs)), deduplication })
      .catch(this.onError);
  }

  /** Adds a task to send the cluster's results of checks, unless one is waiting. */
  async sendResults(cluster: string): Promise<void> {
    await this.results.add('send', { cluster }, { deduplication: { id: cluster } }).catch(this.onError);
  }

  /** Removes the planned task of a cluster that has been deleted. */
  async forget(cluster: string): Promise<void> {
    try {
      const id = await this.queue.getDeduplicationJobId(wakeId(cluster));
      if (id) await this.queue.remove(id);
    } catch (error) {
      this.onError(error as Error);
    }
  }

  /** Tasks by state; null when the queue does not answer, which is reported. */
  async counts(): Promise<Readonly<Record<string, number>> | null> {
    try {
      return await this.queue.getJobCounts('waiting', 'active', 'delayed', 'failed');
    } catch (error) {
      this.onError(error as Error);
      return null;
    }
  }

  async close(): Promise<void> {
    await this.results.close();
    await this.queue.close();
  }

  private async add(task: Task): Promise<void> {
    const { cluster } = task;
    do {
      this.adding.set(cluster, 'once');
      try {
        await this.queue.add('advance', task, { deduplication: { id: cluster, keepLastIfActive: true } });
      } catch (error) {
        this.onError(error as Error);
        break;
      }
    } while (this.adding.get(cluster) === 'again');
    this.adding.delete(cluster);
  }
}

const wakeId = (cluster: string): string => `wake:${cluster}`;

/** `lock`: aborted when the task's lock is lost, and another worker may have taken the task up. */
export type Work = (task: Job<Task>, lock: AbortSignal) => Promise<void>;

/** Works on tasks that send results, `concurrency` clusters at a time. */
export const openResultsWorker = (connection: Connection, concurrency: number, work: Work): Worker<Task> =>
  openWorker(connection, concurrency, work, RESULTS_QUEUE);

/** Works on tasks, `concurrency` clusters at a time. */
export function openWorker(connection: Connection, concurrency: number, work: Work, queue = QUEUE): Worker<Task> {
  const options: WorkerOptions = {
    ...connection,
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_STALLS,
  } as WorkerOptions;
  // With three parameters, so that BullMQ makes a signal for each task.
  const worker = new Worker<Task>(queue, (task, _token, lock) => work(task, lock!), options);
  worker.on('lockRenewalFailed', (ids) => {
    for (const id of ids) worker.cancelJob(id, 'the lock is lost');
  });
  return worker;
}
