/** What a container is to its pod. An 'init' container ends before the next one starts, a sidecar runs on. */
export type Role = 'init' | 'sidecar' | 'main' | 'ephemeral';

/** An init container with restartPolicy Always. Models pkg/apis/core/helper IsRestartableInitContainer. */
export const isSidecar = (container: { readonly restartPolicy?: string }): boolean =>
  container.restartPolicy === 'Always';
