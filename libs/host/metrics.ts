/** Counters since the process started; the API publishes them under these names. */
export class Metrics {
  requests = 0;
  batches = 0;
  appends = 0;
  changes = 0;
  lostRaces = 0;
  rowLocks = 0;
  caughtUpChanges = 0;
  loads = 0;
  evictions = 0;
  watches = 0;
  cutOff = 0;
  refused = 0;
  checkpoints = 0;
  halted = 0;
  failedRequests = 0;
  storeErrors = 0;
}
