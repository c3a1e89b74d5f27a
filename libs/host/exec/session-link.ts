import type { SessionInput, SessionOutput, SessionPosition } from '@terrarium/engine';

/** What has been printed, and when to ask again if nothing changes until then: real ms from now. */
export interface SessionReading {
  readonly output: SessionOutput;
  readonly wakeInMs: number | undefined;
}

export interface SessionListener {
  /** The pod or its processes have changed. */
  changed(): void;
  /** The cluster is deleted, or this process serves it no longer. */
  ended(): void;
}

/** A session's way to its cluster: ClusterSession in a host. */
export interface SessionLink {
  /**
   * Resolves when the input is stored, with how many bytes of stdin were taken. Rejects with ApiError, 429 when nothing
   * was.
   */
  input(input: SessionInput): Promise<number>;
  /** Rejects with ApiError 429. */
  read(position: SessionPosition): Promise<SessionReading>;
  /** Resolves with what ends the subscription. */
  listen(listener: SessionListener): Promise<() => void>;
}
