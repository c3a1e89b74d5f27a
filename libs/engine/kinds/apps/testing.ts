/** A template of one container, and the selector of its labels. */
export const labels = { app: 'web' };
export const containers = [{ name: 'web', image: 'nginx:1.25' }];
export const template = { metadata: { labels }, spec: { containers } };
export const selector = { matchLabels: labels };

/** The error of a selector that does not match the template. */
export const MISMATCH =
  'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`';
