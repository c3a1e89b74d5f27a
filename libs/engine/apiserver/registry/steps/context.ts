import type { Write } from '../write.js';

/** Seeds the random draws of this write (names, uids, hooks) from the state's revision. */
export function seedContext(write: Write): void {
  write.context = write.writer.context(write.options.requester.user);
}
