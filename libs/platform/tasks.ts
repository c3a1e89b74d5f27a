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
}

const QUEUE = 'advance';
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
  }

  /** Adds a task to advance the cluster soon, unless one is waiting. */
  advance(cluster: string): void {
    if (this.adding.has(cluster)) return void this.adding.set(cluster, 'again');
    if (this.adding.size < MAX_ADDING) void this.add(cluster);
  }

  /** Adds a task to advance the cluster in `delayMs`, in place of the one that was planned before. */
  async wake(cluster: string, delayMs: number): Promise<void> {
    const deduplication = { id: `wake:${cluster}`, reschedule: true };
    await this.queue
      .add('wake', { cluster }, { delay: Math.max(1, Math.ceil(delayMs)), deduplication })
      .catch(this.onError);
  }

  async waiting(): Promise<number> {
    return this.queue.getWaitingCount();
  }

  close(): Promise<void> {
    return this.queue.close();
  }

  private async add(cluster: string): Promise<void> {
    do {
      this.adding.set(cluster, 'once');
      try {
        await this.queue.add('advance', { cluster }, { deduplication: { id: cluster, keepLastIfActive: true } });
      } catch (error) {
        this.onError(error as Error);
        break;
      }
    } while (this.adding.get(cluster) === 'again');
    this.adding.delete(cluster);
  }
}

/** Works on tasks, `concurrency` clusters at a time. */
export function openWorker(
  connection: Connection,
  concurrency: number,
  work: (job: Job<Task>) => Promise<void>,
): Worker<Task> {
  const options: WorkerOptions = {
    ...connection,
    concurrency,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_STALLS,
  } as WorkerOptions;
  return new Worker<Task>(QUEUE, work, options);
}
