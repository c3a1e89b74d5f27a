import { KubectlFailure } from '../session/failure.js';

/** A build that failed, in kustomize's words. */
export class KustomizeFailure extends KubectlFailure {
  /** What has failed was no object in YAML at all: of a folder nobody needs to hear. */
  constructor(
    message: string,
    readonly isMalformed = false,
  ) {
    super(message);
  }
}

/** Runs a part of the build; its failure has `prefix: ` before it. */
export function within<T>(prefix: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof KustomizeFailure) throw new KustomizeFailure(`${prefix}: ${error.message}`, error.isMalformed);
    throw error;
  }
}
