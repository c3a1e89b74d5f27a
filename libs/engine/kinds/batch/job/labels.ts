export const UID_LABELS = ['batch.kubernetes.io/controller-uid', 'controller-uid'];
export const NAME_LABELS = ['batch.kubernetes.io/job-name', 'job-name'];
/** By these labels the API server tells a Job's pods from others'. */
export const GENERATED_LABELS: ReadonlySet<string> = new Set([...UID_LABELS, ...NAME_LABELS]);
