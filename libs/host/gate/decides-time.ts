import type { AppliedChange } from '@terrarium/engine';

/** Changes to resources of this API group decide when the components run, whatever the controllers say. */
const OWN_GROUP = '.terrarium.dev';
/** What is only written down there: most of what learners type leaves nothing to be run. */
const RECORDS: ReadonlySet<string> = new Set(['machinechanges.terrarium.dev', 'terminalinputs.terrarium.dev']);

export const decidesTime = ({ resource }: Pick<AppliedChange, 'resource'>): boolean =>
  resource.endsWith(OWN_GROUP) && !RECORDS.has(resource);
