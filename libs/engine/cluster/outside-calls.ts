import { OutsideCallsNeeded, type CallOutside, type OutsideRecord } from '../machinery/http.js';

/** The way of one request to webhooks outside the cluster, by the answers that its host has brought so far. */
export class OutsideCalls {
  private record: OutsideRecord | undefined;

  /** Throws OutsideWanted for a call without an answer. Undefined for components, which do not wait for answers. */
  readonly ask: CallOutside = (call) => {
    if (!this.record) return undefined;
    const answer = this.record.answers.get(call.key);
    if (!answer) throw new OutsideCallsNeeded([call]);
    return answer;
  };

  /** Runs a request with the answers to its calls. */
  run<T>(record: OutsideRecord, request: () => T): T {
    this.record = record;
    try {
      return request();
    } finally {
      this.record = undefined;
    }
  }
}
